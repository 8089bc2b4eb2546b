import type { ClickFacts } from '../model/clicks/click-facts.ts';
import { clickClasses } from '../model/clicks/clicks.ts';
import { Failure } from '../model/failures.ts';
import {
  checkedOutcome,
  decideVisit,
  dependsOnVisit,
  type Outcome,
  refusedOutcome,
  showsCard,
  variesHost,
} from '../rules/outcome.ts';
import { createClickLimit, type SpecialLink } from './admission.ts';
import { canOpenApp, createOpenApp } from './apps.ts';
import { createGate } from './gate.ts';
import { buttonPage, passwordPage } from './pages/pages.ts';
import type { Texts } from './pages/texts/languages.ts';
import type { RedirectParts } from './parts.ts';
import { type CodePath, queryOf } from './path.ts';
import { createShowCard, type ShowPreview } from './previews.ts';
import { clickOfRule, ruleFactsOf } from './rule-facts.ts';
import { sendPage, wantsHtml } from './send.ts';
import type { Visit } from './visit.ts';

interface SpecialLinksOptions extends RedirectParts {
  readonly showPreview: ShowPreview;
}

/** A visit and its outcome, which depends on the link's state and rules. */
interface DecidedVisit {
  readonly visit: Visit;
  readonly path: CodePath;
  readonly link: SpecialLink;
  /** Time of the decision, in milliseconds since the epoch. */
  readonly at: number;
  /** Returns the click facts, which are computed only once. */
  readonly facts: () => ClickFacts;
  readonly outcome: Outcome;
  /** Whether the visitor gets the preview card instead of the redirect. */
  readonly isCard: boolean;
}

/** Handles a visit to a link with special features, such as a password, redirect rules or a click limit. */
export type AnswerSpecial = (visit: Visit, path: CodePath, link: SpecialLink) => void;

/**
 * Creates the handler for links with special features. It checks the password, then the rules, then the click limit,
 * and responds.
 */
export function createSpecialLinks(options: SpecialLinksOptions): AnswerSpecial {
  const answer = createAnswer(options);
  const answerLimited = createAnswerLimited(options, answer);
  const { storage, destinations, showPreview, fail } = options;

  const answerUnlocked = (decided: DecidedVisit): void => {
    const { visit, path, link, outcome } = decided;
    const { kind, location } = outcome;
    const isLive = kind === 'redirect' || kind === 'gone';
    if (isLive && link.special.maxClicks !== null) void answerLimited(decided, kind);
    else if ((isLive || dependsOnVisit(kind)) && path.preview)
      void showPreview(visit, path.code, link, location);
    else answer(decided);
  };
  const isOwnHost = async (location: string, { account }: SpecialLink): Promise<boolean> =>
    (await storage.findHost(new URL(location).hostname))?.accountId === account;

  return createPasswordCheck(options, (visit, path, link, at) => {
    const decided = decide(visit, path, link, at);
    const outcome = checkedOutcome(decided.outcome, link.special, destinations);
    const checked = { ...decided, outcome };
    const { location } = outcome;
    if (location === undefined || !variesHost(link, outcome)) return answerUnlocked(checked);
    isOwnHost(location, link)
      .then((isOwn) =>
        answerUnlocked(isOwn ? { ...checked, outcome: refusedOutcome(outcome, 'refused') } : checked),
      )
      .catch((error: unknown) => fail(visit, error));
  });
}

/**
 * Creates the password check. A link with a password reveals nothing until the visitor enters the password.
 * @param answerUnlocked called for links without a password, and once the password has been entered
 */
function createPasswordCheck(
  { gate: gateOptions, now, baseUrl, brandOf, outcomes, fail }: SpecialLinksOptions,
  answerUnlocked: (visit: Visit, path: CodePath, link: SpecialLink, at: number) => void,
): AnswerSpecial {
  const gate = createGate({ ...gateOptions, now, baseUrl });

  const refusePassword = async (visit: Visit, { account }: SpecialLink, error: unknown): Promise<void> => {
    const code = error instanceof Failure ? error.code : undefined;
    if (code !== 'PASSWORD_REQUIRED' && code !== 'WRONG_PASSWORD') return fail(visit, error);
    const brand = wantsHtml(visit) ? await brandOf(account) : undefined;
    const page = (t: Texts) => passwordPage(t, code === 'WRONG_PASSWORD', brand);
    fail(visit, error, { page, brand, hasForm: true });
  };

  return (visit, path, link) => {
    const at = now();
    if (!gate.guards(link, at)) return answerUnlocked(visit, path, link, at);
    gate
      .pass(visit, path.preview, link)
      .then((isOpen) => {
        if (isOpen) return answerUnlocked(visit, path, link, now());
        outcomes.locked += 1;
      })
      .catch((error: unknown) => refusePassword(visit, link, error));
  };
}

function decide(visit: Visit, path: CodePath, link: SpecialLink, at: number): DecidedVisit {
  let read: ClickFacts | undefined;
  const facts = (): ClickFacts => {
    read ??= visit.facts();
    return read;
  };
  const visited = {
    query: queryOf(visit.target),
    code: path.code,
    rest: path.rest ?? [],
    user: () => visit.user(),
  };
  const outcome = decideVisit(link, at, visited, () => ruleFactsOf(visit, facts(), at));
  // Only GET and HEAD requests get the card. A client that sends a body expects a redirect, even if its user agent is a
  // preview fetcher.
  const isCard =
    !path.preview &&
    (visit.method === 'GET' || visit.method === 'HEAD') &&
    showsCard(link.special, outcome, () => clickClasses[facts().class]);
  return { visit, path, link, at, facts, outcome, isCard };
}

/** Creates the handler for links with a click limit. The handler waits until storage has counted the click. */
function createAnswerLimited(
  { storage, now, brandOf, outcomes, excluded, refuse, showPreview, fail }: SpecialLinksOptions,
  answer: (decided: DecidedVisit) => void,
): (decided: DecidedVisit, kind: 'redirect' | 'gone') => Promise<void> {
  const admit = createClickLimit(storage, excluded, now);
  return async (decided, kind) => {
    const { visit, path, link, facts, isCard } = decided;
    // A form submission is never a request for the preview, even if the page with the button was requested as a
    // preview.
    const intended = path.preview && visit.method !== 'POST' ? 'preview' : kind;
    try {
      switch (await admit(visit, intended, link, facts)) {
        case 'follow':
          return answer(decided);
        case 'preview':
          return void showPreview(visit, path.code, link, decided.outcome.location);
        case 'button':
          if (isCard) return answer(decided);
          outcomes.previewed += 1;
          return sendPage(visit, (t, brand) => buttonPage(t, 'once', brand), {
            brand: await brandOf(link.account),
            hasForm: true,
          });
        case 'exhausted':
          return await refuse(visit, 'exhausted', link, link.special.expiredUrl ?? undefined);
      }
    } catch (error) {
      fail(visit, error);
    }
  };
}

/** Creates the function that sends the preview card, the app page, the redirect or the error page. */
function createAnswer(options: SpecialLinksOptions): (decided: DecidedVisit) => void {
  const { follow, refuse } = options;
  const showCard = createShowCard(options);
  const openApp = createOpenApp(options);
  return ({ visit, path, link, at, facts, outcome, isCard }) => {
    if (isCard) return void showCard(visit, path.code, link, at, facts);
    if (outcome.kind !== 'redirect') return void refuse(visit, outcome.kind, link, outcome.location);
    const { decision, location, status } = outcome;
    const ofRule = decision === undefined ? facts : () => clickOfRule(facts(), decision);
    const way = { location, status, facts: ofRule };
    if (decision?.app === undefined || !canOpenApp(visit, link)) return follow(visit, link, at, way);
    void openApp(visit, link, at, way, decision.app);
  };
}
