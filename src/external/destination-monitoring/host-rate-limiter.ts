/** Minimum interval in ms between requests to a host. */
export const everyMs = 5_000;
/** A turn that is more than this many milliseconds in the future is ignored: it means that the clock was set back. */
const farMs = 60_000;

export interface HostRateLimiter {
  /** Reserves the next turn for a host. @returns the time of the turn in ms since the epoch */
  reserveTurn(host: string, now: number): number;
  /**
   * Returns the time, in ms since the epoch, at which a caller that cannot wait for a turn should try again. Each
   * caller gets a different time.
   */
  reserveReturn(host: string, now: number): number;
  /** Returns the number of hosts that must not be requested yet. */
  size(): number;
}

interface Turns {
  /** Time of the last reserved turn. `given` is the last time returned to a caller that cannot wait. */
  asked: number;
  given: number;
}

/**
 * Creates a limiter that allows one request per host every five seconds, so that links to one site neither overload the
 * site nor delay checks of other sites.
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
    // The host is moved to the end, because the loop above removes hosts from the beginning.
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
