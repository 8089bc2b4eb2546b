import type { Logger } from '../../telemetry/log.ts';

const lingerMs = 200;

/**
 * Ends the process soon, with the exit code that it has by then. Pending work must not keep a process alive that
 * serves no visitor: a trace collector that is gone, a database that does not answer.
 */
export function endSoon(): void {
  setTimeout(() => process.exit(), lingerMs).unref();
}

const shutdownPatienceMs = 30_000;

/**
 * Ends the process when its graceful end takes too long: a client that never finishes its request or a disk that never answers
 * must not keep a supervisor waiting permanently.
 * @param delayMs how long the server continues serving before it begins to stop
 */
export function giveUpAfter(delayMs: number, log: Logger): void {
  const ms = delayMs + shutdownPatienceMs;
  const giveUp = (): never => {
    log.error({ ms }, 'stopping took too long; what is not applied stays in the journal for the next start');
    process.exit(1);
  };
  setTimeout(giveUp, ms).unref();
}
