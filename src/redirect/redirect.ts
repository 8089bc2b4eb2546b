import type { Journal } from '../clicks/journal/journal.ts';
import { type Answer, errorAnswer, jsonHeaders, limitHeaders, Refusal } from '../contract/envelope.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { type Limiter, tooMany } from '../domain/accounts/limits.ts';
import type { ClickFacts } from '../domain/clicks/click-facts.ts';
import type { MissedVisits } from '../domain/clicks/missed-visits.ts';
import { Failure } from '../domain/failures.ts';
import { couldBeCode, foldCode } from '../domain/links/codes.ts';
import type { Target } from '../domain/links/link-records.ts';
import type { Reads, Writes } from '../domain/storage.ts';
import { type Outcome as Decided, decideVisit, isOnce } from '../rules/outcome.ts';
import type { Report } from '../runtime/report.ts';
import { type Admitted, createAdmission, type LimitedLink } from './admission.ts';
import { createOutcomes, type Outcome, type Outcomes } from './outcomes.ts';
import { formPolicy, pageHeaders } from './pages/layout.ts';
import { icon } from './pages/mark.ts';
import {
  exhaustedPage,
  expiredPage,
  messagePage,
  notFoundPage,
  notStartedPage,
  oncePage,
  previewPage,
  rootPage,
  unavailablePage,
} from './pages/pages.ts';
import { parsePath, queryOf } from './path.ts';
import { clickOfRule, ruleFactsOf } from './rule-facts.ts';
import type { Redirect, Visit } from './visit.ts';

export interface RedirectOptions {
  readonly storage: Pick<Reads, 'findTarget' | 'preview' | 'hasClicksLeft'> & Pick<Writes, 'admitClick'>;
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

/** Where a visit leads, and how; what its click says, when a rule adds to it. */
interface Way {
  readonly location: string;
  readonly status?: number | undefined;
  readonly facts?: () => ClickFacts;
}

type Refused = Exclude<Decided['kind'], 'redirect'>;

function isSpecial(target: Target): target is LimitedLink {
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

  /** Counts the click, and then sends the visitor on. */
  const follow = (visit: Visit, target: Target, at: number, way: Way = target): void => {
    const sendOn = (): void => {
      outcomes.redirected += 1;
      visit.sendTo(way.location, way.status);
    };
    if (visit.method === 'HEAD') return sendOn();
    journal.append(target, at, way.facts?.() ?? visit.facts(), (recorded) => {
      if (recorded) return sendOn();
      const text = 'The click cannot be recorded now. Try again in a moment.';
      fail(visit, new Failure('STORAGE_UNAVAILABLE', text));
    });
  };

  const admit = createAdmission(storage);

  /** A link that leads elsewhere than always to its destination, or not at all. */
  const answerSpecial = (visit: Visit, preview: boolean, target: LimitedLink, code: string): void => {
    const at = now();
    let read: ClickFacts | undefined;
    const facts = (): ClickFacts => {
      read ??= visit.facts();
      return read;
    };
    const outcome = decideVisit(target, at, queryOf(visit.target), () => ruleFactsOf(visit, facts(), at));
    const meet = (): void => {
      if (outcome.kind === 'redirect') {
        const { decision, location, status } = outcome;
        const ofRule = decision === undefined ? facts : () => clickOfRule(facts(), decision);
        return follow(visit, target, at, { location, status, facts: ofRule });
      }
      turnAway(visit, outcome.kind, target, outcome.location);
    };
    const isLive = outcome.kind === 'redirect' || (preview && outcome.kind === 'gone');
    if (isLive && target.special.maxClicks !== null) {
      const asked = admit(visit, preview, target, facts);
      return void answerLimited(visit, target, asked, { meet, show: () => show(visit, code, target) });
    }
    if (preview && isLive) return void show(visit, code, target);
    meet();
  };

  /** A live link that may be followed so many times: storage is asked first, and other visitors do not wait for that. */
  const answerLimited = async (
    visit: Visit,
    target: LimitedLink,
    admitted: Promise<Admitted>,
    { meet, show }: Readonly<Record<'meet' | 'show', () => void>>,
  ): Promise<void> => {
    try {
      switch (await admitted) {
        case 'follow':
          return meet();
        case 'preview':
          return show();
        case 'button':
          outcomes.previewed += 1;
          return visit.send(200, { ...pageHeaders, 'content-security-policy': formPolicy }, oncePage());
        case 'exhausted':
          return turnAway(visit, 'exhausted', target, target.special.expiredUrl ?? undefined);
      }
    } catch (error) {
      fail(visit, error);
    }
  };

  /** A visitor that does not get through goes where the owner wants, or meets a page that says why. */
  const turnAway = (visit: Visit, kind: Refused, target: Target, location: string | undefined): void => {
    if (location === undefined) return refuse(visit, kind, target);
    outcomes.expired += 1;
    visit.sendTo(location);
  };

  const refuse = (visit: Visit, kind: Refused, { row }: Target): void => {
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
    if (kind === 'exhausted')
      return fail(
        visit,
        new Failure('LINK_EXHAUSTED', 'This short link was followed as often as it may be.'),
        exhaustedPage,
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

  const methodRefused = (visit: Visit): void => {
    const text = 'This path answers GET and HEAD only.';
    fail(visit, new Refusal('METHOD_NOT_ALLOWED', text, { allow: 'GET, HEAD' }));
  };

  /** The button of a link that works once; no other path takes a POST. Guesses count as those by GET do. */
  const press = async (visit: Visit, code: string): Promise<void> => {
    try {
      const target = couldBeCode(code) ? await storage.findTarget(foldCode(code)) : undefined;
      if (target !== undefined && isSpecial(target) && isOnce(target.special))
        return answerSpecial(visit, false, target, code);
      const address = target === undefined && couldBeCode(code) ? visit.address() : undefined;
      if (address !== undefined && codeMisses.take(address, missLimit).exceeded) return miss(visit);
      methodRefused(visit);
    } catch (error) {
      fail(visit, error);
    }
  };

  return (visit) => {
    const path = parsePath(visit.target);
    if (path.kind === 'elsewhere') {
      fail(visit, new Refusal('ROUTE_NOT_FOUND', 'There is no such path.'), () => notFoundPage());
    } else if (visit.method === 'POST' && path.kind === 'code' && !path.preview) {
      void press(visit, path.code);
    } else if (visit.method !== 'GET' && visit.method !== 'HEAD') {
      methodRefused(visit);
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
    case 'LINK_EXHAUSTED':
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
