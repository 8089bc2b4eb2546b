import type { Logger } from '../../telemetry/log.ts';

const lingerMs = 200;

/**
 * Ends the process soon, with the exit code that is set by then. A process that no longer serves visitors must not be
 * kept alive by pending operations, such as requests to an unreachable trace collector or database.
 */
export function endSoon(): void {
  setTimeout(() => process.exit(), lingerMs).unref();
}

const shutdownPatienceMs = 30_000;

/**
 * Ends the process if its graceful shutdown takes too long: a client that never completes its request, or a disk that
 * does not respond, must not block a supervisor indefinitely.
 * @param delayMs milliseconds for which the server continues to serve before it begins to stop
 */
export function giveUpAfter(delayMs: number, log: Logger): void {
  const ms = delayMs + shutdownPatienceMs;
  const giveUp = (): never => {
    log.error(
      { ms },
      'shutdown took too long; unapplied clicks remain in the journal and are applied at the next start',
    );
    process.exit(1);
  };
  setTimeout(giveUp, ms).unref();
}
