import { type Allowance, createLimiter, type Limiter } from './limits.ts';

/** Counts of one process in one window, all of them since its beginning. */
export interface OwnCounts {
  /** When the window began, ms since the epoch. */
  readonly since: number;
  readonly events: readonly (readonly [name: string, events: number])[];
}

/** A limiter of one of several processes, which tell each other what they counted. */
export interface SharedLimiter extends Limiter {
  /** What changed since it was told last, at most so many names: those that wait longest come first. */
  news(most: number): OwnCounts;
  /**
   * Was told: what others have counted in all of the names in `told`.
   * @param others without names that nobody else counted
   */
  hear(told: OwnCounts, others: ReadonlyMap<string, number>): void;
}

/**
 * Counts what this process sees, and adds what others were heard to have seen. That is never more than the truth, so
 * nobody is refused early; what others count until the next exchange is not known yet.
 * @param windowMs length of a window in ms
 */
export function createSharedLimiter(now: () => number, windowMs = 60_000): SharedLimiter {
  const own = createLimiter(now, windowMs);
  /** What is here counts for the window of `own`. */
  let since = 0;
  let others = new Map<string, number>();
  let toldOf = new Map<string, number>();
  /** Names to tell of, in their order, with their limits. */
  let pending = new Map<string, number>();

  const turn = (): void => {
    const begun = Math.floor(now() / windowMs) * windowMs;
    if (begun === since) return;
    since = begun;
    others = new Map();
    toldOf = new Map();
    pending = new Map();
  };

  const withOthers = (name: string, limit: number, allowance: Allowance, least: number): Allowance => {
    const remaining = Math.max(0, allowance.remaining - (others.get(name) ?? 0));
    const used = own.of(name) + (others.get(name) ?? 0);
    return { ...allowance, remaining, exceeded: limit > 0 && used >= limit + least };
  };

  return {
    take(name, limit) {
      turn();
      const allowance = withOthers(name, limit, own.take(name, limit), 1);
      // Once all know that it is used up, nothing that follows is news.
      const known = (toldOf.get(name) ?? 0) + (others.get(name) ?? 0);
      if (limit > 0 && known <= limit && pending.size < maxPending) pending.set(name, limit);
      return allowance;
    },
    peek(name, limit) {
      turn();
      return withOthers(name, limit, own.peek(name, limit), 0);
    },
    news(most) {
      turn();
      const events: [string, number][] = [];
      for (const name of pending.keys()) {
        if (events.length >= most) break;
        events.push([name, own.of(name)]);
        pending.delete(name);
      }
      return { since, events };
    },
    hear(told, heard) {
      turn();
      if (told.since !== since) return;
      for (const [name, events] of told.events) {
        toldOf.set(name, events);
        const count = heard.get(name);
        if (count !== undefined) others.set(name, count);
      }
    },
  };
}

/** More names than this are told of later, when they come again. */
const maxPending = 100_000;

/** Of two counts of the same, each of which may lack something, what leaves less. */
export function stricter(one: Allowance, other: Allowance): Allowance {
  return {
    ...(one.remaining <= other.remaining ? one : other),
    exceeded: one.exceeded || other.exceeded,
  };
}
