import { msPerHour } from '../timestamps.ts';

/** Problems with a destination that visitors notice. */
export const checkProblems = [
  ...(['not-found', 'gone', 'server-error', 'dns', 'tls', 'timeout', 'unreachable'] as const),
] as const;
export type CheckProblem = (typeof checkProblems)[number];

/** Problems that visitors do not notice yet: a long redirect chain, or a certificate that expires within two weeks. */
export const checkNotices = ['redirects', 'certificate'] as const;
export type CheckNotice = (typeof checkNotices)[number];

/**
 * States of a destination. `suspect`: one check failed. `failing`: the next check, an hour later, also failed.
 * `recovered`: the destination works again; it keeps this state for a week.
 */
export const checkStates = ['fine', 'suspect', 'failing', 'recovered'] as const;
export type CheckState = (typeof checkStates)[number];

/** The result of checking a destination. */
export interface Finding {
  readonly problem: CheckProblem | null;
  readonly notice: CheckNotice | null;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Number of redirects. */
  readonly redirects: number;
  /** When the destination's certificate expires, ms since the epoch; null if there is no certificate. */
  readonly certificateEndsAt: number | null;
  /** Page title, if requested. */
  readonly title?: string | undefined;
}

/** The state of a link's destination. */
export interface DestinationCheck extends Omit<Finding, 'title'> {
  readonly state: CheckState;
  /** When the current state began, ms since the epoch. */
  readonly since: number;
  readonly checkedAt: number;
}

/** A destination that is due for a check. */
export interface DueDestination {
  readonly row: number;
  readonly accountId: number;
  readonly linkId: string;
  readonly destination: string;
  /** Whether the link is deleted. */
  readonly isDeleted: boolean;
  /** Whether the link is active and monitored. */
  readonly isLive: boolean;
  /** Whether the link has no title and its destination was never checked. */
  readonly wantsTitle: boolean;
  /** Previous result for the same destination; undefined before the first check. */
  readonly before: DestinationCheck | undefined;
  /** Number of clicks on the link. */
  readonly clicks: number;
  readonly wasClicked: boolean;
}

/** The result of a destination check, to be stored. `check` is undefined if the check was skipped. */
export interface DestinationCheckResult {
  readonly due: DueDestination;
  /** Time of the next check, ms since the epoch. */
  readonly dueAt: number;
  readonly check?: DestinationCheck | undefined;
  /** The page title, for a link without a title. */
  readonly title?: string | undefined;
}

const day = 24 * msPerHour;
const recoveredMs = 7 * day;
/** Check interval for links with recent clicks or problems. */
const soon = 6 * msPerHour;
const confirmAfterMs = msPerHour;
/** How long before its expiry a certificate is reported, in ms. */
const certificateNoticeMs = 14 * day;
const longChain = 5;

/** Returns the notice for a destination that works. */
export function noticeOf(redirects: number, endsAt: number | null, now: number): CheckNotice | null {
  if (endsAt !== null && endsAt - now < certificateNoticeMs) return 'certificate';
  return redirects >= longChain ? 'redirects' : null;
}

/**
 * Returns the state after a check. A single failure may be temporary, so a destination is `failing` only if the check
 * an hour later also fails.
 */
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
    const isSure = state === 'failing' || (state === 'suspect' && now - since >= confirmAfterMs);
    return isSure ? 'failing' : 'suspect';
  }
  const isRecovered = state === 'failing' || (state === 'recovered' && now - since < recoveredMs);
  return isRecovered ? 'recovered' : 'fine';
}

/**
 * Returns the time of the next check, ms since the epoch.
 * @param chance a random number from 0 to 1, which spreads out the checks of links created together
 */
export function dueAfter(
  check: DestinationCheck | undefined,
  wasClicked: boolean,
  now: number,
  chance: number,
): number {
  if (check?.state === 'suspect') return Math.max(now, check.since) + confirmAfterMs;
  const wait = wasClicked || check?.state === 'failing' ? soon : day;
  return Math.round(now + wait * (0.9 + chance / 5));
}

export interface DestinationReads {
  /** Lists destinations that are due for a check, in all accounts, longest overdue first. */
  dueDestinations(now: number, limit: number): Promise<readonly DueDestination[]>;
  /** Returns the check results for an account's links, by link id. */
  destinationChecks(
    accountId: number,
    linkIds: readonly string[],
  ): Promise<ReadonlyMap<string, DestinationCheck>>;
  /** Counts failing destinations in all accounts. */
  failingDestinations(): Promise<number>;
  /**
   * Returns true if checks are due, or if there are links after row `after` to start monitoring. Called before each
   * run, so that a run without work writes nothing.
   */
  hasDestinationWork(after: number, now: number): Promise<boolean>;
}

export interface DestinationWrites {
  /**
   * Starts monitoring the next links after a row.
   * @returns the row of the last of these links; undefined if there were none
   */
  monitorDestinations(after: number, limit: number, now: number): Promise<number | undefined>;
  saveDestinationChecks(settled: readonly DestinationCheckResult[]): Promise<void>;
}
