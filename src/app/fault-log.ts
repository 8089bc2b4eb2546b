import { Failure } from '../model/failures.ts';
import type { Logger } from '../telemetry/log.ts';

const reportEveryMs = 10_000;

/**
 * Creates the log of failed requests. While storage is unavailable, it logs only the number of failed requests, every
 * ten seconds: a stack trace per request would fill a disk that may already be full.
 * @param clock returns the time of a monotonic clock, in ms
 */
export function createFaultLog(log: Pick<Logger, 'error'>, clock = () => performance.now()) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let requests = 0;
  return (error: unknown, requestId: string): void => {
    if (!(error instanceof Failure) || error.code !== 'STORAGE_UNAVAILABLE')
      return log.error({ err: error, requestId }, 'request failed');
    requests += 1;
    if (clock() - reportedAt < reportEveryMs) return;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    log.error({ reason, requests, requestId }, 'The database is unavailable; requests are rejected.');
    reportedAt = clock();
    requests = 0;
  };
}
