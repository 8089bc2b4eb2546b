import { msPerHour } from '../timestamps.ts';

/** What keeps visitors from a destination. */
export const checkProblems = [
  ...(['not-found', 'gone', 'server-error', 'dns', 'tls', 'timeout', 'unreachable'] as const),
] as const;
export type CheckProblem = (typeof checkProblems)[number];

/** What visitors do not notice yet: a long chain of redirects, or a certificate that ends within two weeks. */
export const checkNotices = ['redirects', 'certificate'] as const;
export type CheckNotice = (typeof checkNotices)[number];

/** Suspect: it failed once. Failing: it did so again, an hour later. Recovered: there again, for a week. */
export const checkStates = ['fine', 'suspect', 'failing', 'recovered'] as const;
export type CheckState = (typeof checkStates)[number];

/** What a look at a destination found. */
export interface Finding {
  readonly problem: CheckProblem | null;
  readonly notice: CheckNotice | null;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** How often it led on. */
  readonly redirects: number;
  /** When its certificate ends, ms since the epoch; null where it has none. */
  readonly certificateEndsAt: number | null;
  /** Of the page, where that was asked for. */
  readonly title?: string | undefined;
}

/** What is known of the destination of a link. */
export interface DestinationCheck extends Omit<Finding, 'title'> {
  readonly state: CheckState;
  /** Since when it is in this state, and when it was looked at last, ms since the epoch. */
  readonly since: number;
  readonly checkedAt: number;
}

/** A destination whose turn it is. */
export interface DueDestination {
  readonly row: number;
  readonly accountId: number;
  readonly linkId: string;
  readonly destination: string;
  /** Whether the link is deleted. */
  readonly isGone: boolean;
  /** Whether the link works, and is to be watched. */
  readonly isLive: boolean;
  /** Whether the link has no title and was never looked at. */
  readonly wantsTitle: boolean;
  /** Of this very destination; undefined before the first look. */
  readonly before: DestinationCheck | undefined;
  /** Clicks of the link, and whether there are more than at the last look. */
  readonly clicks: number;
  readonly wasClicked: boolean;
}

/** What is kept of a look, or that there was none. */
export interface SettledDestination {
  readonly due: DueDestination;
  /** When it is its turn again, ms since the epoch. */
  readonly dueAt: number;
  readonly check?: DestinationCheck | undefined;
  /** For a link without one. */
  readonly title?: string | undefined;
}

const day = 24 * msPerHour;
const recoveredFor = 7 * day;
/** How soon a link that is followed, or one in trouble, is looked at again. */
const soon = 6 * msPerHour;
const againAfter = msPerHour;
/** How long before its end a certificate is told of, and from which length on a chain of redirects. */
const certificateMs = 14 * day;
const longChain = 5;

/** What is worth a word although visitors arrive. */
export function noticeOf(redirects: number, endsAt: number | null, now: number): CheckNotice | null {
  if (endsAt !== null && endsAt - now < certificateMs) return 'certificate';
  return redirects >= longChain ? 'redirects' : null;
}

/** What is known after a look: one failure may be chance, so it counts when it is there an hour later too. */
export function checkAfter(
  before: DestinationCheck | undefined,
  { title: _, ...found }: Finding,
  now: number,
): DestinationCheck {
  const state = stateAfter(before, found.problem !== null, now);
  return { ...found, state, since: before?.state === state ? before.since : now, checkedAt: now };
}

function stateAfter(before: DestinationCheck | undefined, fails: boolean, now: number): CheckState {
  const { state, since = now } = before ?? {};
  if (fails) {
    const isSure = state === 'failing' || (state === 'suspect' && now - since >= againAfter);
    return isSure ? 'failing' : 'suspect';
  }
  const isRecovered = state === 'failing' || (state === 'recovered' && now - since < recoveredFor);
  return isRecovered ? 'recovered' : 'fine';
}

/**
 * When a destination is looked at again, ms since the epoch.
 * @param chance from 0 to 1: looks at links that were made together drift apart
 */
export function dueAfter(
  check: DestinationCheck | undefined,
  wasClicked: boolean,
  now: number,
  chance: number,
): number {
  if (check?.state === 'suspect') return Math.max(now, check.since) + againAfter;
  const wait = wasClicked || check?.state === 'failing' ? soon : day;
  return Math.round(now + wait * (0.9 + chance / 5));
}

export interface DestinationReads {
  /** Those whose turn it is, of all accounts, the one that waits longest first. */
  dueDestinations(now: number, limit: number): Promise<readonly DueDestination[]>;
  /** What is known of links of an account, by their ids. */
  destinationChecks(
    accountId: number,
    linkIds: readonly string[],
  ): Promise<ReadonlyMap<string, DestinationCheck>>;
  /** How many destinations fail, of all accounts. */
  failingDestinations(): Promise<number>;
  /** Whether it is anybody's turn, or there are links behind a row: asked before what writes. */
  hasDestinationWork(after: number, now: number): Promise<boolean>;
}

export interface DestinationWrites {
  /** Begins to watch links behind a row. @returns the row of the last one; undefined when there was none left */
  watchDestinations(after: number, limit: number, now: number): Promise<number | undefined>;
  settleDestinations(settled: readonly SettledDestination[]): Promise<void>;
}
