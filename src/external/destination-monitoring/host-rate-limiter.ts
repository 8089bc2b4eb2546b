/** Minimum interval between requests to a host, ms. */
export const everyMs = 5_000;
/** A turn more than this time ahead, ms, means that the clock was set back; the turn is then ignored. */
const farMs = 60_000;

export interface HostRateLimiter {
  /** Reserves the next turn for a host. @returns its time, ms since the epoch */
  reserveTurn(host: string, now: number): number;
  /**
   * Returns when a caller that cannot wait for a turn should try again, ms since the epoch: a different time for each
   * caller.
   */
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
 * Limits requests to one per host and five seconds, so that links to one site neither overload the site nor delay
 * checks of other sites.
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
    // Moves the host to the end, because the loop above removes hosts from the beginning.
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
