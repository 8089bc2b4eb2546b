import { type Answer, errorAnswer, jsonHeaders } from '../contract/envelope.ts';
import type { Report } from '../runtime/report.ts';
import { type Outcomes, outcomeOf } from './outcomes.ts';
import type { Brand } from './pages/brand.ts';
import { headersOf } from './pages/layout.ts';
import { messagePage } from './pages/pages.ts';
import type { Visit } from './visit.ts';

type Headers = Readonly<Record<string, string>>;

/** Whether a browser asks, which shows pages. */
export function wantsHtml(visit: Visit): boolean {
  return visit.accept().includes('text/html');
}
/** Whether a program asks that says it reads JSON. */
export function wantsJson(visit: Visit): boolean {
  return visit.accept().includes('application/json') && !wantsHtml(visit);
}

/** Sends a page, in the looks of an account where there is one. */
export function sendPage(
  visit: Visit,
  page: string,
  status = 200,
  headers: Headers = {},
  brand?: Brand,
): void {
  return visit.send(status, { ...headers, ...headersOf(brand) }, page);
}

/** Sends a page whose form leads on. */
export function sendForm(visit: Visit, page: (brand?: Brand) => string, brand: Brand | undefined): void {
  visit.send(200, headersOf(brand, true), page(brand));
}

interface ErrorPage {
  /** What a browser gets; without it, a page with the message. */
  readonly page?: () => string;
  readonly brand?: Brand | undefined;
  /** Whether the page has a form. */
  readonly hasForm?: boolean;
  /** Further headers of the answer, for browsers and programs. */
  readonly headers?: Headers;
}

/** Answers with an error: a page for browsers, else JSON. */
export type Fail = (visit: Visit, error: unknown, as?: ErrorPage) => void;

interface FailOptions {
  readonly newRequestId: () => string;
  readonly onFault: Report;
  readonly outcomes: Outcomes;
}

/** Counts each error as its outcome, and reports the faults of the server. */
export function createFail({ newRequestId, onFault, outcomes }: FailOptions): Fail {
  return (visit, error, { page, brand, hasForm = false, headers: more } = {}) => {
    const requestId = newRequestId();
    const answer = errorAnswer(error, requestId);
    outcomes[outcomeOf(answer.body.error.code)] += 1;
    if (answer.body.error.code === 'INTERNAL_ERROR') onFault('A redirect failed.', { error, requestId });
    const headers = { ...jsonHeaders(requestId), ...more, ...answer.headers };
    if (!wantsHtml(visit)) return visit.send(answer.status, headers, JSON.stringify(answer.body));
    const text = page === undefined ? pageOf(answer) : page();
    visit.send(answer.status, { ...headers, ...headersOf(brand, hasForm) }, text);
  };
}

function pageOf({ status, body }: Answer): string {
  return messagePage('That did not work', body.error.message, `Error ${status}`);
}
