import type { Journal } from '../clicks/journal/journal.ts';
import { type Answer, errorAnswer, jsonHeaders, limitHeaders, Refusal } from '../contract/envelope.ts';
import { type Limiter, tooMany } from '../domain/accounts/limits.ts';
import type { ClickFacts } from '../domain/clicks/click-facts.ts';
import { clickClasses } from '../domain/clicks/clicks.ts';
import type { MissedVisits } from '../domain/clicks/missed-visits.ts';
import { Failure } from '../domain/failures.ts';
import { couldBeCode, foldCode, segmentsIn, shortUrlOf } from '../domain/links/codes.ts';
import type { Target } from '../domain/links/link-records.ts';
import type { Reads, Writes } from '../domain/storage.ts';
import { decideVisit, type Refused, refusalCodes, showsCard } from '../rules/outcome.ts';
import type { Report } from '../runtime/report.ts';
import { type Admitted, createAdmission, isSpecial, type LimitedLink, takesForm } from './admission.ts';
import { type BrandReads, createBrands } from './brands.ts';
import { fileHeaders, iconHeaders, robots, robotsHeaders } from './files.ts';
import { createGate, type GateOptions } from './gate.ts';
import { createOutcomes, type Outcomes, outcomeOf } from './outcomes.ts';
import type { Brand } from './pages/brand.ts';
import { headersOf } from './pages/layout.ts';
import { icon } from './pages/mark.ts';
import { messagePage, notFoundPage, oncePage, passwordPage, previewPage, rootPage } from './pages/pages.ts';
import { type CodePath, parsePath, queryOf, wellKnownIn } from './path.ts';
import { isOver, refusalPages } from './refusals.ts';
import { clickOfRule, ruleFactsOf } from './rule-facts.ts';
import { sendForm, sendPage, wantsHtml, wantsJson } from './send.ts';
import { createShowCard } from './show-card.ts';
import type { Redirect, Visit, Way } from './visit.ts';

export interface RedirectOptions {
  readonly storage: Pick<Reads, 'findTarget' | 'preview' | 'hasClicksLeft'> &
    BrandReads &
    Pick<Writes, 'admitClick'>;
  readonly journal: Pick<Journal, 'append'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** Origin of the short URLs, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Where `/` leads; without it, a page says what this server is. */
  readonly rootRedirect?: string | undefined;
  /** Where unknown codes lead; without it, they are answered with 404. */
  readonly unknownCodeRedirect?: string | undefined;
  /** What is answered below `/.well-known/`, as JSON; null for nothing. */
  readonly wellKnown?: Readonly<Record<string, string | null>>;
  /** How many segments new codes may have. More are looked up too, as links of before may have them. */
  readonly codeSegments?: number;
  /** Whether that page can lead to the API's documentation. */
  readonly hasReference?: boolean;
  /** Counts the unknown codes that an address asks for (CONTRACT §7), so that guessing codes is slow. */
  readonly codeMisses: Limiter;
  /** Unknown codes an address may ask for in a window; 0 means no limit. */
  readonly missLimit: number;
  /** What asks for passwords of links. */
  readonly gate: Pick<GateOptions, 'passwords' | 'wrongByAddress' | 'wrongByLink'>;
  /** Called with a fault of the server, for the log. */
  readonly onFault: Report;
  /** Counts the outcome of each request. */
  readonly outcomes?: Outcomes;
  /** Counts the visits that lead nowhere, for owners and the operator. */
  readonly missed?: Pick<MissedVisits, 'unknown' | 'link'>;
}

const printable = /^[\x21-\x7e]+$/;

/**
 * The public side of the service (CONTRACT §6): short codes, their previews, the root, robots.txt, the icon. For a live link no
 * promise, no parsed headers and one write for all clicks of a tick.
 * @throws when `rootRedirect` or `unknownCodeRedirect` is not printable ASCII
 */
export function createRedirect(options: RedirectOptions): Redirect {
  const { storage, journal, now, newRequestId, codeMisses, missLimit, onFault } = options;
  const { baseUrl, rootRedirect, unknownCodeRedirect, hasReference, codeSegments = 1 } = options;
  const { outcomes = createOutcomes(), missed, wellKnown = {} } = options;
  for (const location of [rootRedirect, unknownCodeRedirect])
    if (location !== undefined && !printable.test(location))
      throw new Error(`${location} is not printable ASCII: nothing can lead there.`);

  const fail = (
    visit: Visit,
    error: unknown,
    page?: () => string,
    more: Headers = {},
    brand?: Brand,
    hasForm = false,
  ): void => {
    const requestId = newRequestId();
    const answer = errorAnswer(error, requestId);
    outcomes[outcomeOf(answer.body.error.code)] += 1;
    if (answer.body.error.code === 'INTERNAL_ERROR') onFault('A redirect failed.', { error, requestId });
    const headers = { ...jsonHeaders(requestId), ...more, ...answer.headers };
    if (!wantsHtml(visit)) return visit.send(answer.status, headers, JSON.stringify(answer.body));
    const text = (page ?? (() => pageOf(answer)))();
    visit.send(answer.status, { ...headers, ...headersOf(brand, hasForm) }, text);
  };

  /** Counts a guess. @returns whether the address has made too many: the answer is 429 then, and does not say what is unknown */
  const isLimited = (visit: Visit): boolean => {
    const address = visit.address();
    const allowance = address === undefined ? undefined : codeMisses.take(address, missLimit);
    if (!allowance?.exceeded) return false;
    const text = 'Too many unknown short codes were asked for from this address.';
    fail(visit, tooMany(allowance, now(), text), undefined, limitHeaders(allowance));
    return true;
  };

  /** An unknown code. */
  const miss = (visit: Visit, code?: string): void => {
    if (isLimited(visit)) return;
    // Like clicks, only visits by GET count. Beyond the limit there is more guessing than visiting.
    if (code !== undefined && visit.method === 'GET') missed?.unknown(code);
    if (unknownCodeRedirect !== undefined) {
      outcomes.unknown += 1;
      return visit.sendTo(unknownCodeRedirect);
    }
    const failure = new Failure('CODE_NOT_FOUND');
    fail(visit, failure, () => notFoundPage(code));
  };

  /** Counts the click, and then sends the visitor on. */
  const follow = (visit: Visit, target: Target, at: number, way: Way = target): void => {
    const sendOn = (): void => {
      if (way.answer !== undefined) return way.answer();
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
  const { brandOf, inheritedUrl } = createBrands(storage, now);
  const gate = createGate({ ...options.gate, now, baseUrl });

  /** A link with a password tells nothing of itself before it has got that. */
  const answerSpecial = (visit: Visit, preview: boolean, target: LimitedLink, code: string): void => {
    const at = now();
    if (!gate.guards(target, at)) return decide(visit, preview, target, code, at);
    gate
      .pass(visit, preview, target)
      .then((goesOn) => {
        if (goesOn) return decide(visit, preview, target, code, now());
        outcomes.locked += 1;
      })
      .catch((error: unknown) => refuseAtGate(visit, target, error));
  };

  const refuseAtGate = async (visit: Visit, { account }: Target, error: unknown): Promise<void> => {
    const code = error instanceof Failure ? error.code : undefined;
    if (code !== 'PASSWORD_REQUIRED' && code !== 'WRONG_PASSWORD') return fail(visit, error);
    const brand = wantsHtml(visit) ? await brandOf(account) : undefined;
    fail(visit, error, () => passwordPage(code === 'WRONG_PASSWORD', brand), {}, brand, true);
  };
  const showCard = createShowCard({ storage, baseUrl, brandOf, outcomes, follow, miss, fail });

  /** A link that leads elsewhere than always to its destination, or not at all. */
  const decide = (visit: Visit, preview: boolean, target: LimitedLink, code: string, at: number): void => {
    let read: ClickFacts | undefined;
    const facts = (): ClickFacts => {
      read ??= visit.facts();
      return read;
    };
    const outcome = decideVisit(target, at, queryOf(visit.target), () => ruleFactsOf(visit, facts(), at));
    // A button is pressed to go on, whatever the client calls itself.
    const isCard =
      !preview &&
      visit.method !== 'POST' &&
      showsCard(target.special, outcome, () => clickClasses[facts().class]);
    const meet = (): void => {
      if (isCard) return void showCard(visit, code, target, at, facts);
      if (outcome.kind === 'redirect') {
        const { decision, location, status } = outcome;
        const ofRule = decision === undefined ? facts : () => clickOfRule(facts(), decision);
        return follow(visit, target, at, { location, status, facts: ofRule });
      }
      void turnAway(visit, outcome.kind, target, outcome.location);
    };
    const isLive = outcome.kind === 'redirect' || outcome.kind === 'gone';
    if (isLive && target.special.maxClicks !== null) {
      // The page with the button may have been asked for as a preview; its button never is.
      const seeks = preview && visit.method !== 'POST' ? 'preview' : outcome.kind;
      const asked = admit(visit, seeks, target, facts);
      return void answerLimited(visit, target, asked, {
        meet,
        isCard,
        show: () => show(visit, code, target),
      });
    }
    if (preview && isLive) return void show(visit, code, target);
    meet();
  };

  /** A live link that may be followed so many times: storage is asked first, and other visitors do not wait for that. */
  const answerLimited = async (
    visit: Visit,
    target: LimitedLink,
    admitted: Promise<Admitted>,
    { meet, isCard, show }: Readonly<Record<'meet' | 'show', () => void>> & { readonly isCard: boolean },
  ): Promise<void> => {
    try {
      switch (await admitted) {
        case 'follow':
          return meet();
        case 'preview':
          return show();
        case 'button':
          if (isCard) return meet();
          outcomes.previewed += 1;
          return sendForm(visit, oncePage, await brandOf(target.account));
        case 'exhausted':
          return await turnAway(visit, 'exhausted', target, target.special.expiredUrl ?? undefined);
      }
    } catch (error) {
      fail(visit, error);
    }
  };

  /** A visitor that does not get through goes where the owner wants, or meets a page that says why. */
  const turnAway = async (visit: Visit, kind: Refused, { account, row }: Target, ownLocation?: string) => {
    // Asked for at once, so that a visitor does not wait for one after the other.
    const brand = ownLocation === undefined ? brandOf(account) : undefined;
    const location = ownLocation ?? (isOver(kind) ? await inheritedUrl(account, row) : undefined);
    if (location === undefined) return refuse(visit, kind, row, await brand);
    outcomes.expired += 1;
    visit.sendTo(location);
  };

  const refuse = (visit: Visit, kind: Refused, row: number, brand: Brand | undefined): void => {
    // A link that is not for this visitor does what its owner asked for.
    if (kind !== 'gone' && visit.method === 'GET') missed?.link(row, kind);
    fail(visit, new Failure(refusalCodes[kind]), () => refusalPages[kind](brand), {}, brand);
  };

  const answer = (visit: Visit, path: CodePath, target: Target | undefined): void => {
    if (target === undefined) return missPath(visit, path);
    const { code, preview } = path;
    if (isSpecial(target)) return answerSpecial(visit, preview, target, code);
    const at = now();
    if (target.expiresAt !== null && at >= target.expiresAt) {
      return void turnAway(visit, 'expired', target);
    }
    if (preview) void show(visit, code, target);
    else follow(visit, target, at);
  };

  const show = async (visit: Visit, asked: string, { row, account, location }: Target): Promise<void> => {
    try {
      const link = await storage.preview(row);
      if (link === undefined) return miss(visit, asked);
      outcomes.previewed += 1;
      const { code, destination } = link;
      if (!wantsJson(visit)) {
        const brand = await brandOf(account);
        return sendPage(visit, previewPage({ code, location }, brand), 200, {}, brand);
      }
      const data = { shortCode: code, shortUrl: shortUrlOf(baseUrl(), code), destinationUrl: destination };
      visit.send(200, jsonHeaders(newRequestId()), JSON.stringify({ success: true, data }));
    } catch (error) {
      fail(visit, error);
    }
  };

  const find = (visit: Visit, path: CodePath): void => {
    if (!couldBeCode(path.code)) return miss(visit);
    try {
      const found = storage.findTarget(foldCode(path.code));
      if (!(found instanceof Promise)) return answer(visit, path, found);
      found.then((target) => answer(visit, path, target)).catch((error: unknown) => fail(visit, error));
    } catch (error) {
      fail(visit, error);
    }
  };

  const isAllowed = (code: string): boolean => segmentsIn(code) <= codeSegments;

  /** More segments than the operator allows are no unknown code, but a guess: links of before have them. */
  const missPath = (visit: Visit, { kind, code }: CodePath): void => {
    if (isAllowed(code)) miss(visit, code);
    else if (kind === 'code') miss(visit);
    else if (!isLimited(visit)) elsewhere(visit);
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

  /** What is no code and no page: the files that apps ask for, where there are some. */
  const elsewhere = (visit: Visit): void => {
    const file = wellKnown[wellKnownIn(visit.target)];
    if (typeof file !== 'string')
      return fail(visit, new Refusal('ROUTE_NOT_FOUND', 'There is no such path.'), () => notFoundPage());
    if (visit.method !== 'GET' && visit.method !== 'HEAD') return methodRefused(visit);
    outcomes.page += 1;
    visit.send(200, fileHeaders, file);
  };

  /** A form: the button of a link that works once, or a password. Guesses of codes count as those by GET do. */
  const press = async (visit: Visit, path: CodePath): Promise<void> => {
    const { kind, code, preview } = path;
    try {
      const target = couldBeCode(code) ? await storage.findTarget(foldCode(code)) : undefined;
      if (target !== undefined && isSpecial(target) && takesForm(target))
        return answerSpecial(visit, preview, target, code);
      if (target === undefined && couldBeCode(code) && isLimited(visit)) return;
      if (kind === 'segments' && !isAllowed(code)) elsewhere(visit);
      else methodRefused(visit);
    } catch (error) {
      fail(visit, error);
    }
  };

  return (visit) => {
    const path = parsePath(visit.target);
    if (path.kind === 'elsewhere' || (path.kind === 'segments' && !couldBeCode(path.code))) {
      elsewhere(visit);
    } else if (visit.method === 'POST' && path.kind !== 'root') {
      void press(visit, path);
    } else if (visit.method !== 'GET' && visit.method !== 'HEAD') {
      if (path.kind === 'segments' && !isAllowed(path.code)) elsewhere(visit);
      else methodRefused(visit);
    } else if (path.kind === 'root') {
      root(visit);
    } else if (path.code === 'robots.txt') {
      outcomes.page += 1;
      visit.send(200, robotsHeaders, robots);
    } else if (path.code === 'favicon.ico') {
      outcomes.page += 1;
      visit.send(200, iconHeaders, icon);
    } else {
      find(visit, path);
    }
  };
}

type Headers = Readonly<Record<string, string>>;

function pageOf({ status, body }: Answer): string {
  return messagePage('That did not work', body.error.message, `Error ${status}`);
}
