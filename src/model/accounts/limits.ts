import { Failure, failureMessages } from '../failures.ts';

/** Number of events counted under one name. */
export interface LimitUse {
  readonly name: string;
  readonly uses: number;
}

/** The remaining allowance of a limit in the current window. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, ms since the epoch. */
  readonly resetsAt: number;
  readonly exceeded: boolean;
}

/** A rate limiter that counts events per name in fixed time windows. */
export interface Limiter {
  /** Counts one event and returns the remaining allowance. `limit` 0 means no limit. */
  take(name: string, limit: number): Allowance;
  /** Returns the remaining allowance without counting an event. */
  peek(name: string, limit: number): Allowance;
}

/**
 * Returns the failure for a caller who has exceeded a limit.
 * @param now ms since the epoch
 * @param reason sentence that names the limit; the rate limit of an API key by default
 */
export function tooMany({ resetsAt }: Allowance, now: number, reason?: string): Failure {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt - now) / 1000));
  const message = reason === undefined ? failureMessages.RATE_LIMIT_EXCEEDED : `${reason} Try again later.`;
  return new Failure('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds });
}

/** One process's counts in the current window. */
export interface LocalUses {
  /**
   * Start of the window's last minute, ms since the epoch. Storage deletes the counts for a minute once it has passed.
   * Counts for a longer window are therefore stored under its last minute, so that they remain until the window ends.
   */
  readonly since: number;
  /** Count per name since the window began. Counts are cumulative, so reporting them twice is harmless. */
  readonly uses: readonly LimitUse[];
}

/** A limiter that exchanges counts with the limiters of other processes. */
export interface SharedLimiter extends Limiter {
  /** Returns the counts of up to `max` names with unreported events. Names that have waited longest come first. */
  unreported(max: number): LocalUses;
  /**
   * Applies the response to a report.
   * @param othersOf returns the total count for a name in all other processes; undefined if none of them reported the
   * name
   */
  applyResponse(reported: LocalUses, othersOf: (name: string) => number | undefined): void;
}

/**
 * Reports this process's counts since the window began.
 * @param since start of the window's last minute, ms since the epoch
 * @returns the other processes' total for each name in `uses`; names that no other process has reported are omitted
 * @throws when the other processes are unavailable
 */
export type ExchangeUses = (since: number, uses: readonly LimitUse[]) => Promise<readonly LimitUse[]>;

interface Count {
  own: number;
  /** The part of `own` that has already been reported. */
  reported: number;
  others: number;
}

const maxNames = 100_000;

/**
 * Creates a limiter that adds up this process's counts and the counts that other processes reported. The sum lacks
 * events that other processes counted since the last exchange, but never exceeds the true count, so no client is
 * rejected too early. Memory is limited: above 100,000 names in a window, the oldest name is dropped.
 * @param windowMs length of a window, in ms
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

  /** @param next number of events to check in addition to the counted events: 0 or 1 */
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
      // Once the reported counts exceed the limit, every process rejects further events, so they need no report.
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
    applyResponse(reported, othersOf) {
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
