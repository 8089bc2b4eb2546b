import { createHash, randomInt } from 'node:crypto';
import { type Allowance, createLimiter, type Limiter } from '../domain/limits.ts';
import {
  createSharedLimiter,
  type OwnCounts,
  type SharedLimiter,
  stricter,
} from '../domain/shared-limits.ts';
import type { Storage } from '../domain/storage.ts';
import { createLoop } from '../runtime/loop.ts';
import type { Report } from '../runtime/report.ts';
import type { WorkerPeers } from './peers.ts';

export interface LimitExchangeOptions {
  readonly storage: Pick<Storage, 'shareUses'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: Report;
  readonly onInfo: Report;
  /** From the end of an exchange to the next one, ms. */
  readonly intervalMs?: number;
  /** The same after one that failed, ms. */
  readonly pauseAfterFaultMs?: number;
}

/** Limits that hold for all nodes on a database (docs/decisions/0016). */
export interface LimitExchange {
  readonly requests: SharedLimiter;
  readonly failures: SharedLimiter;
  readonly codeMisses: SharedLimiter;
  start(): void;
  /** Waits for the exchange under way, if any. Never rejects. */
  close(): Promise<void>;
}

/** Of each kind in one exchange, so that it stays a few milliseconds whoever floods the nodes, and with what. */
const maxNames = 128;

/** What was counted in minutes that are over is of no use; whose clock is late by one still wants it. */
export const usesLifetimeMs = 120_000;

/**
 * Tells the other nodes what this one counted, and hears what they did: one transaction at every interval in which
 * somebody was counted who is not known to be beyond the limit. While the database is away each node counts for itself.
 */
export function createLimitExchange(options: LimitExchangeOptions): LimitExchange {
  const { storage, now, onError, onInfo, intervalMs = 200, pauseAfterFaultMs = 1_000 } = options;
  const node = randomInt(2 ** 47);
  const limiters = {
    requests: createSharedLimiter(now),
    failures: createSharedLimiter(now),
    codeMisses: createSharedLimiter(now),
  };
  let fails = false;

  const exchange = async (): Promise<void> => {
    const told: { readonly limiter: SharedLimiter; readonly counts: OwnCounts; readonly names: string[] }[] =
      [];
    let since = 0;
    for (const [kind, limiter] of Object.entries(limiters)) {
      const counts = limiter.news(maxNames);
      if (counts.events.length === 0) continue;
      since = counts.since;
      told.push({ limiter, counts, names: counts.events.map(([name]) => disguised(kind, name)) });
    }
    if (told.length === 0) return;
    const uses = told.flatMap(({ counts, names }) =>
      names.map((name, at) => ({ name, uses: counts.events[at]?.[1] ?? 0 })),
    );
    const heard = new Map((await storage.shareUses(node, since, uses)).map((one) => [one.name, one.uses]));
    for (const { limiter, counts, names } of told) {
      const others = new Map<string, number>();
      for (const [at, [name]] of counts.events.entries()) {
        const count = heard.get(names[at] ?? '');
        if (count !== undefined) others.set(name, count);
      }
      limiter.hear(counts, others);
    }
  };

  /** @returns after how many ms the next one may follow */
  const attempt = async (): Promise<number> => {
    try {
      await exchange();
      if (fails) onInfo('Limits hold for all nodes together again.', {});
      fails = false;
      return intervalMs;
    } catch (error) {
      // What was not told is told when the name comes again.
      if (!fails)
        onError('Limits hold for this process alone: the database does not say what others counted.', {
          error,
        });
      fails = true;
      return pauseAfterFaultMs;
    }
  };

  return { ...limiters, ...createLoop(intervalMs, attempt) };
}

/** Whose count it is is nobody's business: a name may be a visitor's address. */
function disguised(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('base64url').slice(0, 22);
}

/** The limits of a process: of all nodes, of the workers on its port, or its own. */
export function limitsOf(now: () => number, peers?: WorkerPeers, exchange?: LimitExchange): Limits {
  if (peers === undefined)
    return (
      exchange ?? {
        requests: createLimiter(now),
        failures: createLimiter(now),
        codeMisses: createLimiter(now),
      }
    );
  if (exchange === undefined) return peers;
  // What is nearer is known sooner, and neither says more than was counted.
  const both = (one: Limiter, other: Limiter): Limiter => ({
    take: (name, limit) => stricter(one.take(name, limit), other.take(name, limit)),
    peek: (name, limit) => stricter(one.peek(name, limit), other.peek(name, limit)),
  });
  return {
    requests: {
      take: async (name, limit) =>
        stricter(await peers.requests.take(name, limit), exchange.requests.take(name, limit)),
    },
    failures: both(peers.failures, exchange.failures),
    codeMisses: both(peers.codeMisses, exchange.codeMisses),
  };
}

export interface Limits {
  readonly requests: { take(name: string, limit: number): Allowance | Promise<Allowance> };
  readonly failures: Limiter;
  readonly codeMisses: Limiter;
}
