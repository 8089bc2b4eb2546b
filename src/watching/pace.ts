/** From one request to a host to the next, ms. */
export const everyMs = 5_000;
/** Nobody waits so long for a turn, ms: the clock was set back since the last one. */
const farMs = 60_000;

export interface Pace {
  /** Takes the next turn at a host. @returns when that is, ms since the epoch */
  turnAt(host: string, now: number): number;
  /** When somebody who cannot wait so long is to come again: each at another time. */
  laterAt(host: string, now: number): number;
  /** How many hosts are remembered: those with a turn in the future. */
  size(): number;
}

interface Turns {
  /** When the host is asked last, and up to when turns are given to those who come again. */
  asked: number;
  given: number;
}

/** Lets each host be asked once in five seconds: one with a million links is not troubled, and holds no other up. */
export function createPace(): Pace {
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
    // At the end again: those at the beginning are forgotten first.
    hosts.delete(host);
    hosts.set(host, turns);
    return turns;
  };
  return {
    turnAt(host, now) {
      const turns = turnsOf(host, now);
      turns.asked = Math.max(now, turns.asked + everyMs);
      return turns.asked;
    },
    laterAt(host, now) {
      const turns = turnsOf(host, now);
      turns.given = Math.max(now, turns.asked, turns.given) + everyMs;
      return turns.given;
    },
    size: () => hosts.size,
  };
}
