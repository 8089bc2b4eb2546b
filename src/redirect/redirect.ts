import type { Journal } from '../clicks/journal/journal.ts';
import { type Answer, errorAnswer, jsonHeaders, limitHeaders, Refusal } from '../contract/envelope.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { ClickFacts } from '../domain/click-facts.ts';
import { couldBeCode, foldCode } from '../domain/codes.ts';
import { Failure } from '../domain/failures.ts';
import { type Limiter, tooMany } from '../domain/limits.ts';
import type { SpecialTarget, Target } from '../domain/link-records.ts';
import type { MissedVisits } from '../domain/missed-visits.ts';
import type { Reads } from '../domain/storage.ts';
import { decideVisit } from '../rules/outcome.ts';
import type { Report } from '../runtime/report.ts';
import { createOutcomes, type Outcome, type Outcomes } from './outcomes.ts';
import { pageHeaders } from './pages/layout.ts';
import { icon } from './pages/mark.ts';
import {
  expiredPage,
  messagePage,
  notFoundPage,
  notStartedPage,
  previewPage,
  rootPage,
  unavailablePage,
} from './pages/pages.ts';
import { parsePath, queryOf } from './path.ts';
import { ruleFactsOf } from './rule-facts.ts';
import type { Redirect, Visit } from './visit.ts';

export interface RedirectOptions {
  readonly storage: Pick<Reads, 'findTarget' | 'preview'>;
  readonly journal: Pick<Journal, 'append'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** Origin of the short URLs, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Where `/` leads; without it, a page says what this server is. */
  readonly rootRedirect?: string | undefined;
  /** Whether that page can lead to the API's documentation. */
  readonly hasReference?: boolean;
  /** Counts the unknown codes that an address asks for (CONTRACT §7), so that guessing codes is slow. */
  readonly codeMisses: Limiter;
  /** Unknown codes an address may ask for in a window; 0 means no limit. */
  readonly missLimit: number;
  /** Called with a fault of the server, for the log. */
  readonly onFault: Report;
  /** Counts the outcome of each request. */
  readonly outcomes?: Outcomes;
  /** Counts the visits that lead nowhere, for owners and the operator. */
  readonly missed?: Pick<MissedVisits, 'unknown' | 'link'>;
}

type SpecialLink = Target & { readonly special: SpecialTarget };

function isSpecial(target: Target): target is SpecialLink {
  return target.special !== undefined;
}

const printable = /^[\x21-\x7e]+$/;
const robots = 'User-agent: *\nDisallow: /api/\n';

/**
 * The public side of the service (CONTRACT §6): short codes, their previews, the root, robots.txt, the icon. For a live link no
 * promise, no parsed headers and one write for all clicks of a tick.
 * @throws when `rootRedirect` is not printable ASCII
 */
export function createRedirect(options: RedirectOptions): Redirect {
  const { storage, journal, now, newRequestId, codeMisses, missLimit, onFault } = options;
  const { baseUrl, rootRedirect, hasReference, outcomes = createOutcomes(), missed } = options;
  if (rootRedirect !== undefined && !printable.test(rootRedirect)) {
    throw new Error('The address that the root leads to is not printable ASCII.');
  }

  const fail = (visit: Visit, error: unknown, page?: () => string, more: Headers = {}): void => {
    const requestId = newRequestId();
    const answer = errorAnswer(error, requestId);
    outcomes[outcomeOf(answer.body.error.code)] += 1;
    if (answer.body.error.code === 'INTERNAL_ERROR') onFault('A redirect failed.', { error, requestId });
    const headers = { ...jsonHeaders(requestId), ...more, ...answer.headers };
    if (wantsHtml(visit)) sendPage(visit, (page ?? (() => pageOf(answer)))(), answer.status, headers);
    else visit.send(answer.status, headers, JSON.stringify(answer.body));
  };

  /** An unknown code. Beyond the limit of the address the answer is 429 and does not say that it is unknown. */
  const miss = (visit: Visit, code?: string): void => {
    const address = visit.address();
    const allowance = address === undefined ? undefined : codeMisses.take(address, missLimit);
    if (allowance?.exceeded) {
      const text = 'Too many unknown short codes were asked for from this address.';
      return fail(visit, tooMany(allowance, now(), text), undefined, limitHeaders(allowance));
    }
    // Like clicks, only visits by GET count. Beyond the limit there is more guessing than visiting.
    if (code !== undefined && visit.method === 'GET') missed?.unknown(code);
    const failure = new Failure('CODE_NOT_FOUND', 'There is no link with this short code.');
    fail(visit, failure, () => notFoundPage(code));
  };

  const sendOn = (visit: Visit, location: string, status?: number): void => {
    outcomes.redirected += 1;
    visit.sendTo(location, status);
  };

  const follow = (
    visit: Visit,
    target: Target,
    at: number,
    facts = (): ClickFacts => visit.facts(),
    location = target.location,
    status?: number,
  ): void => {
    if (visit.method === 'HEAD') return sendOn(visit, location, status);
    journal.append(target, at, facts(), (recorded) => {
      if (recorded) return sendOn(visit, location, status);
      const text = 'The click cannot be recorded now. Try again in a moment.';
      fail(visit, new Failure('STORAGE_UNAVAILABLE', text));
    });
  };

  /** A link that leads elsewhere than always to its destination, or not at all. */
  const answerSpecial = (visit: Visit, preview: boolean, target: SpecialLink, code: string): void => {
    const at = now();
    let read: ClickFacts | undefined;
    const facts = (): ClickFacts => {
      read ??= visit.facts();
      return read;
    };
    const outcome = decideVisit(target, at, queryOf(visit.target), () => ruleFactsOf(visit, facts(), at));
    const isLive = outcome.kind === 'redirect' || outcome.kind === 'gone';
    if (preview && isLive) return void show(visit, code, target);
    if (outcome.kind === 'redirect')
      return follow(visit, target, at, facts, outcome.location, outcome.status);
    if (outcome.location === undefined) return refuse(visit, outcome.kind, target);
    outcomes.expired += 1;
    visit.sendTo(outcome.location);
  };

  const refuse = (
    visit: Visit,
    kind: 'not-started' | 'expired' | 'disabled' | 'gone',
    { row }: Target,
  ): void => {
    // A link that is not for this visitor does what its owner asked for.
    if (kind !== 'gone' && visit.method === 'GET') missed?.link(row, kind);
    if (kind === 'expired')
      return fail(visit, new Failure('LINK_EXPIRED', 'This short link has expired.'), expiredPage);
    if (kind === 'not-started')
      return fail(
        visit,
        new Failure('LINK_NOT_STARTED', 'This short link does not work yet.'),
        notStartedPage,
      );
    const text = 'This short link is switched off, or not for this visitor.';
    fail(visit, new Failure('LINK_UNAVAILABLE', text), unavailablePage);
  };

  const answer = (visit: Visit, code: string, preview: boolean, target: Target | undefined): void => {
    if (target === undefined) return miss(visit, code);
    if (isSpecial(target)) return answerSpecial(visit, preview, target, code);
    const at = now();
    if (target.expiresAt !== null && at >= target.expiresAt) {
      return refuse(visit, 'expired', target);
    }
    if (preview) void show(visit, code, target);
    else follow(visit, target, at);
  };

  const show = async (visit: Visit, asked: string, { row, location }: Target): Promise<void> => {
    try {
      const link = await storage.preview(row);
      if (link === undefined) return miss(visit, asked);
      outcomes.previewed += 1;
      const { code, destination } = link;
      if (!wantsJson(visit)) return sendPage(visit, previewPage({ code, location }));
      const data = { shortCode: code, shortUrl: `${baseUrl()}/${code}`, destinationUrl: destination };
      visit.send(200, jsonHeaders(newRequestId()), JSON.stringify({ success: true, data }));
    } catch (error) {
      fail(visit, error);
    }
  };

  const find = (visit: Visit, code: string, preview: boolean): void => {
    if (!couldBeCode(code)) return miss(visit);
    try {
      const found = storage.findTarget(foldCode(code));
      if (!(found instanceof Promise)) return answer(visit, code, preview, found);
      found
        .then((target) => answer(visit, code, preview, target))
        .catch((error: unknown) => fail(visit, error));
    } catch (error) {
      fail(visit, error);
    }
  };

  const root = (visit: Visit): void => {
    outcomes.page += 1;
    if (rootRedirect !== undefined) return visit.sendTo(rootRedirect);
    sendPage(visit, rootPage(hasReference));
  };

  return (visit) => {
    const path = parsePath(visit.target);
    if (path.kind === 'elsewhere') {
      fail(visit, new Refusal('ROUTE_NOT_FOUND', 'There is no such path.'), () => notFoundPage());
    } else if (visit.method !== 'GET' && visit.method !== 'HEAD') {
      const text = 'This path answers GET and HEAD only.';
      fail(visit, new Refusal('METHOD_NOT_ALLOWED', text, { allow: 'GET, HEAD' }));
    } else if (path.kind === 'root') {
      root(visit);
    } else if (path.code === 'robots.txt') {
      outcomes.page += 1;
      visit.send(200, { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8' }, robots);
    } else if (path.code === 'favicon.ico') {
      outcomes.page += 1;
      visit.send(200, iconHeaders, icon);
    } else {
      find(visit, path.code, path.preview);
    }
  };
}

function outcomeOf(code: ErrorCode): Outcome {
  switch (code) {
    case 'CODE_NOT_FOUND':
      return 'unknown';
    case 'LINK_EXPIRED':
    case 'LINK_NOT_STARTED':
    case 'LINK_UNAVAILABLE':
      return 'expired';
    case 'RATE_LIMIT_EXCEEDED':
      return 'limited';
    case 'OVERLOADED':
      return 'shed';
    case 'INTERNAL_ERROR':
    case 'STORAGE_UNAVAILABLE':
      return 'failed';
    default:
      return 'refused';
  }
}

type Headers = Readonly<Record<string, string>>;

/** Browsers request it by themselves when an answer is no page, such as JSON. */
const iconHeaders: Headers = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
};

function wantsHtml(visit: Visit): boolean {
  return visit.accept().includes('text/html');
}
function wantsJson(visit: Visit): boolean {
  return visit.accept().includes('application/json') && !wantsHtml(visit);
}

function sendPage(visit: Visit, page: string, status = 200, headers: Headers = {}): void {
  return visit.send(status, { ...headers, ...pageHeaders }, page);
}

function pageOf({ status, body }: Answer): string {
  return messagePage('That did not work', body.error.message, `Error ${status}`);
}
