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

/** A limiter that can be told of what others counted, and tell others. */
export interface Tally extends Limiter {
  /** Adds what was counted elsewhere, as long as its window lasts. */
  add(counts: Counts): void;
  /** All that was counted in the current window. */
  counts(): Counts;
  /** What was counted of one name. */
  of(name: string): number;
}

/** Events by name in the window that began at `since`, ms since the epoch. */
export interface Counts {
  readonly since: number;
  readonly events: readonly (readonly [name: string, events: number])[];
}

const maxNames = 100_000;

/**
 * A limiter in memory. Bounded: beyond 100,000 names in one window the oldest name is forgotten, so that a flood of
 * strangers costs memory to nobody.
 * @param windowMs length of a window in ms
 */
export function createLimiter(now: () => number, windowMs = 60_000): Tally {
  let windowStart = 0;
  let counts = new Map<string, number>();

  const current = (): Map<string, number> => {
    const start = Math.floor(now() / windowMs) * windowMs;
    if (start !== windowStart) {
      windowStart = start;
      counts = new Map();
    }
    return counts;
  };

  const allowance = (used: number, limit: number): Allowance => ({
    limit,
    remaining: Math.max(0, limit - used),
    resetsAt: windowStart + windowMs,
    exceeded: limit > 0 && used > limit,
  });

  const count = (name: string, events: number): number => {
    const window = current();
    const before = window.get(name);
    if (before === undefined && window.size >= maxNames) {
      for (const oldest of window.keys()) {
        window.delete(oldest);
        break;
      }
    }
    const used = (before ?? 0) + events;
    window.set(name, used);
    return used;
  };

  return {
    take: (name, limit) => allowance(count(name, 1), limit),
    peek(name, limit) {
      const used = current().get(name) ?? 0;
      return { ...allowance(used, limit), exceeded: limit > 0 && used >= limit };
    },
    add({ since, events }) {
      current();
      if (since !== windowStart) return;
      for (const [name, number] of events) count(name, number);
    },
    of: (name) => current().get(name) ?? 0,
    counts() {
      const events = [...current()];
      return { since: windowStart, events };
    },
  };
}
