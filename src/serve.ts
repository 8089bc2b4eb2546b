import { flushCompileCache } from 'node:module';
import { announce } from './announce.ts';
import { type App, createApp, type Given } from './app.ts';
import type { Config } from './config.ts';
import { createLog, type Logger } from './log.ts';
import { tidyUpAfterStart } from './memory.ts';
import type { End } from './server.ts';
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

  await live(
    config,
    { log, ...given },
    {
      onListening: ({ url, firstKey }) => announce(firstKey, config, url, log),
      end: stopped.then((signal) => {
        log.info({ signal }, 'stopping: finishing accepted requests');
        return 'stop';
      }),
    },
  );
  log.info('stopped');
  endSoon();
  return 0;
};

export interface Life {
  /** Called once, when it serves. */
  readonly onListening: (listening: Awaited<ReturnType<App['listen']>>) => void;
  /** Resolves when it is to end. */
  readonly end: Promise<End>;
}

/**
 * From the start of a service to its end: of one that serves alone, or with others on its port.
 * @throws what keeps it from serving, having taken everything back
 */
export const live = async (
  config: Config,
  given: Partial<Given> & Pick<Given, 'log'>,
  { onListening, end }: Life,
): Promise<void> => {
  const app = await createApp(config, given);
  // Left open, what was started would keep a process alive that serves nobody.
  const listening = await app.listen().catch(async (error) => {
    await app.close();
    throw error;
  });
  onListening(listening);
  // Node writes it at exit only, which a killed process never reaches.
  flushCompileCache();
  favourServing();
  tidyUpAfterStart();
  const how = await end;
  giveUpAfter(how === 'stop' ? config.SHUTDOWN_DELAY * 1_000 : 0, given.log);
  await app.close(how);
};

const lingerMs = 200;

/** A package that still waits, above all for a trace collector that is gone, must not keep a stopped process alive. */
export const endSoon = (): void => void setTimeout(() => process.exit(0), lingerMs).unref();

const shutdownPatienceMs = 30_000;

/**
 * A client that never ends or a disk that never answers must not keep a supervisor waiting for ever.
 * @param delayMs how long the server goes on serving before it begins to stop
 */
const giveUpAfter = (delayMs: number, log: Logger): void => {
  const ms = delayMs + shutdownPatienceMs;
  const giveUp = (): never => {
    log.error({ ms }, 'stopping took too long; what is not applied stays in the journal for the next start');
    process.exit(1);
  };
  setTimeout(giveUp, ms).unref();
};
