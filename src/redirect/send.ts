import { errorAnswer, jsonHeaders } from '../contract/envelope.ts';
import { createNegotiate } from '../rules/languages.ts';
import type { Report } from '../runtime/report.ts';
import { type Outcomes, outcomeOf } from './outcomes.ts';
import type { Brand } from './pages/brand.ts';
import { headersOf } from './pages/layout.ts';
import { errorPage } from './pages/pages.ts';
import { type PageLanguage, pageTexts, type Texts, textsIn } from './pages/texts/languages.ts';
import type { Visit } from './visit.ts';

type Headers = Readonly<Record<string, string>>;

/** Returns true if the client is a browser that displays HTML. */
export function wantsHtml(visit: Visit): boolean {
  return visit.accept().includes('text/html');
}
/** Returns true if the client explicitly accepts JSON. */
export function wantsJson(visit: Visit): boolean {
  return visit.accept().includes('application/json') && !wantsHtml(visit);
}

const negotiate = createNegotiate(
  Object.keys(pageTexts)
    .filter((lang) => lang !== 'en')
    .map((lang, place) => ({ place, tags: [lang] })),
);

/** Returns the UI strings for pages in the visitor's language, or in English if that language is not available. */
export function textsFor(visit: Visit): Texts {
  const { language = 'en' } = negotiate(visit.languages(), -1, 'en');
  return textsIn(language as PageLanguage, visit.root);
}

/** Renders a page in the visitor's language. */
export type WritePage = (t: Texts, brand?: Brand) => string;

/** Sends a page, with `brand` if given. */
export function sendPage(
  visit: Visit,
  page: WritePage,
  { brand, hasForm }: { readonly brand?: Brand | undefined; readonly hasForm?: boolean } = {},
): void {
  visit.send(200, headersOf(brand, hasForm), page(textsFor(visit), brand));
}

interface ErrorPage {
  /** Page for browsers. The default is a page with the error message. */
  readonly page?: WritePage;
  readonly brand?: Brand | undefined;
  /** Whether the page has a form. */
  readonly hasForm?: boolean;
  /** Additional headers, for pages and JSON. */
  readonly headers?: Headers;
}

/** Responds with an error, as a page for browsers and as JSON for other clients. */
export type Fail = (visit: Visit, error: unknown, as?: ErrorPage) => void;

interface FailOptions {
  readonly newRequestId: () => string;
  readonly onFault: Report;
  readonly outcomes: Outcomes;
}

/** Creates the function that responds with an error, counts errors by outcome, and reports server errors. */
export function createFail({ newRequestId, onFault, outcomes }: FailOptions): Fail {
  return (visit, error, { page, brand, hasForm = false, headers: more } = {}) => {
    const requestId = newRequestId();
    const answer = errorAnswer(error, requestId);
    outcomes[outcomeOf(answer.body.error.code)] += 1;
    if (answer.body.error.code === 'INTERNAL_ERROR') onFault('A redirect failed.', { error, requestId });
    const headers = { ...jsonHeaders(requestId), ...more, ...answer.headers };
    if (!wantsHtml(visit)) return visit.send(answer.status, headers, JSON.stringify(answer.body));
    const t = textsFor(visit);
    const text = page?.(t, brand) ?? errorPage(t, answer.status, answer.body.error.message);
    visit.send(answer.status, { ...headers, ...headersOf(brand, hasForm) }, text);
  };
}
