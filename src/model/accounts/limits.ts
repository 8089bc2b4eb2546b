import { Failure, failureMessages } from '../failures.ts';

/** How much was counted under a name. */
export interface LimitUse {
  readonly name: string;
  readonly uses: number;
}

/** What a caller may still do in the current window. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, ms since the epoch. */
  readonly resetsAt: number;
  readonly exceeded: boolean;
}

/** Counts events per name in fixed windows. */
export interface Limiter {
  /** Counts one event and says what is left. `limit` 0 means no limit. */
  take(name: string, limit: number): Allowance;
  /** Says what is left without counting. */
  peek(name: string, limit: number): Allowance;
}

/** The refusal for a caller beyond a limit. @param now ms since the epoch */
export function tooMany(
  { resetsAt }: Allowance,
  now: number,
  message: string = failureMessages.RATE_LIMIT_EXCEEDED,
): Failure {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt - now) / 1000));
  return new Failure('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds });
}

/** What one process counted in a window. */
export interface OwnUses {
  /** The beginning of its last minute, ms since the epoch, as windows of different lengths are kept until they have ended. */
  readonly since: number;
  /** Each with its count since the window began, so that reporting it twice changes nothing. */
  readonly uses: readonly LimitUse[];
}

/** A limiter of one of several processes, which report their counts to each other. */
export interface SharedLimiter extends Limiter {
  /** At most `max` names that were counted since their last report, the longest waiting first. */
  unreported(max: number): OwnUses;
  /**
   * Takes in the answer to a report.
   * @param othersOf the count of a name by all other processes; undefined when they reported nothing
   */
  hear(reported: OwnUses, othersOf: (name: string) => number | undefined): void;
}

/**
 * Reports to the other processes what this one has counted of some names since the window began, whose last minute begins at
 * `since`.
 * @returns the sums of all other processes for these names; without those that no other process reported
 * @throws when the others cannot be reached
 */
export type ExchangeUses = (since: number, uses: readonly LimitUse[]) => Promise<readonly LimitUse[]>;

interface Count {
  own: number;
  /** How much of `own` was reported to the other processes. */
  reported: number;
  others: number;
}

const maxNames = 100_000;

/**
 * Counts what this process sees, and adds what other processes reported. The sum is never above the true count, so no
 * client is refused early; counts of others since the last exchange are missing. Bounded: beyond 100,000 names in one
 * window the oldest name is forgotten, so that a flood of addresses does not fill the memory.
 * @param windowMs length of a window in ms
 */
export function createLimiter(now: () => number, windowMs = 60_000): SharedLimiter {
  const lastMinute = (): number => since + Math.max(0, windowMs - 60_000);
  let since = 0;
  let counts = new Map<string, Count>();
  let waiting = new Set<string>();

  const enterWindow = (): void => {
    const start = Math.floor(now() / windowMs) * windowMs;
    if (start === since) return;
    since = start;
    counts = new Map();
    waiting = new Set();
  };

  const add = (name: string): Count => {
    const [oldest] = counts.size >= maxNames ? counts.keys().take(1) : [];
    if (oldest !== undefined) {
      counts.delete(oldest);
      waiting.delete(oldest);
    }
    const count = { own: 0, reported: 0, others: 0 };
    counts.set(name, count);
    return count;
  };

  /** @param next how many events the caller still wants to count */
  const allowance = (count: Count | undefined, limit: number, next: number): Allowance => {
    const used = count === undefined ? 0 : count.own + count.others;
    const exceeded = limit > 0 && used + next > limit;
    return { limit, remaining: Math.max(0, limit - used), resetsAt: since + windowMs, exceeded };
  };

  return {
    take(name, limit) {
      enterWindow();
      const count = counts.get(name) ?? add(name);
      count.own += 1;
      // Once every process knows that the limit is used up, further counts need no report.
      if (limit > 0 && count.reported + count.others <= limit) waiting.add(name);
      return allowance(count, limit, 0);
    },
    peek(name, limit) {
      enterWindow();
      return allowance(counts.get(name), limit, 1);
    },
    unreported(max) {
      enterWindow();
      const uses = [...waiting.keys().take(max)].map((name) => ({ name, uses: counts.get(name)?.own ?? 0 }));
      for (const { name } of uses) waiting.delete(name);
      return { since: lastMinute(), uses };
    },
    hear(reported, othersOf) {
      enterWindow();
      if (reported.since !== lastMinute()) return;
      for (const { name, uses } of reported.uses) {
        const count = counts.get(name);
        if (count === undefined) continue;
        count.reported = uses;
        count.others = othersOf(name) ?? count.others;
      }
    },
  };
}
