import { flushCompileCache } from 'node:module';
import { announce } from './announce.ts';
import { createApp, type Given } from './app.ts';
import type { Config } from './config.ts';
import { createLog, type Logger } from './log.ts';
import { favourServing } from './threads.ts';

/**
 * The whole life of `linkfold serve`: start, say where, wait for a signal, stop. SIGINT and SIGTERM stop gracefully;
 * a second one exits at once, which loses nothing: every answered click is in its journal, every answered write on
 * disk.
 * @returns the exit code
 */
export const runServer = async (config: Config, given: Partial<Given> = {}): Promise<number> => {
  const log = await createLog(config.LOG_LEVEL);
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (asked) process.exit(1);
      asked = true;
      resolve(signal);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    process.on('SIGUSR2', () => log.warn('a single process cannot replace itself: set WORKERS, or restart'));
  });

  const app = await createApp(config, { log, ...given });
  // Left open, what was started would keep a process alive that serves nobody.
  const { url, firstKey } = await app.listen().catch(async (error) => {
    await app.close();
    throw error;
  });
  announce(firstKey, config, url, log);
  // Node writes it at exit only, which a killed process never reaches.
  flushCompileCache();
  favourServing();
  const signal = await stopped;
  log.info({ signal }, 'stopping: finishing accepted requests');
  giveUpAfter(config.SHUTDOWN_DELAY * 1_000, log);
  await app.close();
  log.info('stopped');
  endSoon();
  return 0;
};

const lingerMs = 200;

/** A package that still waits, above all for a trace collector that is gone, must not keep a stopped process alive. */
export const endSoon = (): void => void setTimeout(() => process.exit(0), lingerMs).unref();

const shutdownPatienceMs = 30_000;

/**
 * A client that never ends or a disk that never answers must not keep a supervisor waiting for ever.
 * @param delayMs how long the server goes on serving before it begins to stop
 */
export const giveUpAfter = (delayMs: number, log: Logger): void => {
  const ms = delayMs + shutdownPatienceMs;
  const giveUp = (): never => {
    log.error({ ms }, 'stopping took too long; what is not applied stays in the journal for the next start');
    process.exit(1);
  };
  setTimeout(giveUp, ms).unref();
};
