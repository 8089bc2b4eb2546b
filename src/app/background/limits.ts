import { createHash, randomInt } from 'node:crypto';
import { createLimiter, type ExchangeUses, type SharedLimiter } from '../../model/accounts/limits.ts';
import type { Storage } from '../../model/storage.ts';
import { createLoop, type Loop } from '../../runtime/loop.ts';
import type { Report } from '../../runtime/report.ts';

/** Rate limits, per minute unless stated otherwise. */
export interface Limits {
  /** Requests per key id. */
  readonly requests: SharedLimiter;
  /** Failed authentications per IP address. */
  readonly failures: SharedLimiter;
  /** Requests for unknown codes per IP address. */
  readonly codeMisses: SharedLimiter;
  /** Requests for public QR codes per IP address. */
  readonly qrCodes: SharedLimiter;
  /**
   * Wrong passwords per link and network within ten minutes. `wrongByLink` counts the wrong passwords per link within
   * an hour, across all addresses.
   */
  readonly wrongByAddress: SharedLimiter;
  readonly wrongByLink: SharedLimiter;
}

/** Creates the rate limiters. @param now returns milliseconds since the epoch */
export function createLimits(now: () => number): Limits {
  return {
    requests: createLimiter(now),
    failures: createLimiter(now),
    codeMisses: createLimiter(now),
    qrCodes: createLimiter(now),
    wrongByAddress: createLimiter(now, 600_000),
    wrongByLink: createLimiter(now, 3_600_000),
  };
}

export interface LimitExchangeOptions {
  readonly limits: Limits;
  /** Exchanges counts with other nodes through the database, or with other workers through the primary process. */
  readonly exchange: ExchangeUses;
  readonly onError: Report;
  readonly onInfo: Report;
  /** Milliseconds between two exchanges. */
  readonly intervalMs?: number;
  /** Milliseconds to wait after a failed exchange. */
  readonly pauseAfterFaultMs?: number;
}

/**
 * Maximum number of names sent per limit in each exchange, so that an exchange takes only a few milliseconds even in a
 * flood of names.
 */
const maxNames = 128;

/**
 * Milliseconds for which counts are kept. Older counts matter only to a process whose clock is more than a minute
 * behind.
 */
export const usesLifetimeMs = 120_000;

/**
 * Creates the loop that exchanges counts with other processes. An exchange takes place once per interval, but only if
 * at least one counted name is still below its limit. While other processes are unreachable, each process counts on its
 * own.
 */
export function createLimitExchange(options: LimitExchangeOptions): Loop {
  const { limits, onError, onInfo, intervalMs = 200, pauseAfterFaultMs = 1_000 } = options;
  let fails = false;

  const exchange = async (): Promise<void> => {
    const all = Object.entries(limits).map(([kind, limiter]: [string, SharedLimiter]) => {
      return { kind, limiter, report: limiter.unreported(maxNames) };
    });
    // Counts are exchanged per start time, because windows of different lengths usually start at different times.
    for (const [since, reports] of Map.groupBy(all, ({ report }) => report.since)) {
      const uses = reports.flatMap(({ kind, report }) =>
        report.uses.map((use) => ({ name: digestOf(kind, use.name), uses: use.uses })),
      );
      if (uses.length === 0) continue;
      const others = new Map((await options.exchange(since, uses)).map((use) => [use.name, use.uses]));
      for (const { kind, limiter, report } of reports)
        limiter.applyResponse(report, (name) => others.get(digestOf(kind, name)));
    }
  };

  /**
   * Performs one exchange.
   * @returns milliseconds until the next exchange
   */
  const attempt = async (): Promise<number> => {
    try {
      await exchange();
      if (fails) onInfo('Resumed exchanging rate-limit counts with other processes.', {});
      fails = false;
      return intervalMs;
    } catch (error) {
      // The counts are not lost: they are sent together with the next count for the same name.
      if (!fails) {
        onError(
          'Could not exchange rate-limit counts. Until an exchange succeeds, this process does not count requests to other processes.',
          { error },
        );
      }
      fails = true;
      return pauseAfterFaultMs;
    }
  };

  return createLoop(intervalMs, attempt);
}

/** Returns a function that exchanges counts with the other nodes through the shared database. */
export function exchangeThrough(storage: Pick<Storage, 'shareUses'>): ExchangeUses {
  const node = randomInt(2 ** 47);
  return (since, uses) => storage.shareUses(node, since, uses);
}

/** Returns the digest that replaces a name outside this process, because a name may contain a visitor's IP address. */
function digestOf(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('base64url').slice(0, 22);
}
