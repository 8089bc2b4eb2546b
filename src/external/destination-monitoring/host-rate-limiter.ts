/** Minimum interval between requests to a host, ms. */
export const everyMs = 5_000;
/** Nobody waits this long for a turn, ms: the clock was set back since the last one. */
const farMs = 60_000;

export interface HostRateLimiter {
  /** Reserves the next turn for a host. @returns its time, ms since the epoch */
  reserveTurn(host: string, now: number): number;
  /** Returns when a caller that cannot wait should return: a different time for each. */
  reserveReturn(host: string, now: number): number;
  /** Returns the number of hosts whose next request must still wait. */
  size(): number;
}

interface Turns {
  /** Time of the host's last reserved slot, and the last time given to postponed callers. */
  asked: number;
  given: number;
}

/**
 * Limits requests to one per host and five seconds: a site with a million links is not overloaded, and does not block
 * the others.
 */
export function createHostRateLimiter(): HostRateLimiter {
  const hosts = new Map<string, Turns>();
  const turnsOf = (host: string, now: number): Turns => {
    for (const [name, { asked, given }] of hosts) {
      if (Math.max(asked + everyMs, given) > now) break;
      hosts.delete(name);
    }
    const known = hosts.get(host);
    const turns =
      known !== undefined && known.asked <= now + farMs
        ? known
        : { asked: Number.NEGATIVE_INFINITY, given: 0 };
    // Moved to the end: hosts at the beginning are forgotten first.
    hosts.delete(host);
    hosts.set(host, turns);
    return turns;
  };
  return {
    reserveTurn(host, now) {
      const turns = turnsOf(host, now);
      turns.asked = Math.max(now, turns.asked + everyMs);
      return turns.asked;
    },
    reserveReturn(host, now) {
      const turns = turnsOf(host, now);
      turns.given = Math.max(now, turns.asked, turns.given) + everyMs;
      return turns.given;
    },
    size: () => hosts.size,
  };
}
