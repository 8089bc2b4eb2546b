import { flushCompileCache } from 'node:module';
import type { Config } from '../config.ts';
import type { End } from '../server/listener.ts';
import { createLog } from '../telemetry/log.ts';
import { announce, firstKeyWriter } from './announce.ts';
import { type App, createApp } from './app.ts';
import type { Options } from './dependencies.ts';
import { giveUpAfter } from './process/end.ts';
import { lowerHelperThreads } from './process/helper-threads.ts';
import { collectWhenIdle } from './process/memory.ts';
import { awaitStopSignal } from './process/signals.ts';
import { requireKnownNames } from './process/stray-variables.ts';
import { createServiceManager } from './process/systemd.ts';
import { forgetServer } from './server-file.ts';

/**
 * Runs `linkfold serve`: starts the service, logs its address, waits for a signal, and stops the service. SIGINT and
 * SIGTERM stop the service gracefully, even during startup. A second signal ends the process immediately without data
 * loss: every acknowledged click is in the journal, and every acknowledged write is on disk.
 * @returns the exit code
 * @throws the error that prevented startup
 */
export async function runServer(config: Config, options: Partial<Options> = {}): Promise<number> {
  const log = await createLog(config.LOG_LEVEL);
  const supervisor = createServiceManager(log);
  const stopped = awaitStopSignal(() => process.exit(1));
  requireKnownNames(process.env, (sentence) => log.warn(sentence));
  process.on('SIGUSR2', () => log.warn('zero-downtime reload requires WORKERS; restart the service instead'));

  await live(
    config,
    {
      log,
      onWait: supervisor.waiting,
      keepFirstKey: firstKeyWriter(config, log),
      wantsLogin: process.stdout.isTTY,
      ...options,
    },
    {
      onListening({ port, firstKey, login }) {
        announce({ firstKey, login }, config, port, log);
        supervisor.ready();
      },
      end: stopped.then((signal) => {
        log.info({ signal }, 'shutting down: finishing accepted requests');
        supervisor.stopping();
        return 'stop';
      }),
    },
  );
  forgetServer(config);
  log.info('stopped');
  return 0;
}

export interface Life {
  /** Called once, when the service is listening. */
  readonly onListening: (listening: Awaited<ReturnType<App['listen']>>) => void;
  /** Resolves when the service should stop. */
  readonly end: Promise<End>;
}

/**
 * Runs a service from start to stop, alone or together with other workers on its port. If `end` resolves during
 * startup, startup is aborted.
 * @throws the error that prevented the service from serving, after closing everything
 */
export async function live(
  config: Config,
  options: Partial<Options> & Pick<Options, 'log'>,
  { onListening, end }: Life,
): Promise<void> {
  const ending = new AbortController();
  let how: End = 'stop';
  const ended = end.then((asked) => {
    how = asked;
    giveUpAfter(how === 'stop' ? config.SHUTDOWN_DELAY * 1_000 : 0, options.log);
    ending.abort();
  });
  try {
    const app = await createApp(config, { ...options, signal: ending.signal });
    try {
      onListening(await app.listen());
      // By default, Node writes its compile cache only at exit, which a killed process never reaches.
      flushCompileCache();
      lowerHelperThreads();
      collectWhenIdle();
      await ended;
    } finally {
      await app.close(how);
    }
  } catch (error) {
    if (error !== ending.signal.reason) throw error;
  }
}
