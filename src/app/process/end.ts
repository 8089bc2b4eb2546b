import type { Logger } from '../../telemetry/log.ts';

const lingerMs = 200;

/**
 * Ends the process soon, with the exit code set by then. Pending work, such as an unreachable trace collector or
 * database, must not keep a process alive that no longer serves visitors.
 */
export function endSoon(): void {
  setTimeout(() => process.exit(), lingerMs).unref();
}

const shutdownPatienceMs = 30_000;

/**
 * Ends the process if its graceful shutdown takes too long: a client that never completes its request, or a disk that
 * does not respond, must not block a supervisor permanently.
 * @param delayMs how long the server continues serving before it begins to stop
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
