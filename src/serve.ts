import { chmodSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { createApp, type Given } from './app.ts';
import type { Config } from './config.ts';
import { createLog, type Logger } from './log.ts';

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
  const signal = await stopped;
  log.info({ signal }, 'stopping: finishing accepted requests');
  giveUpAfter(config.SHUTDOWN_DELAY * 1_000 + shutdownPatienceMs, log);
  await app.close();
  log.info('stopped');
  endSoon();
  return 0;
};

const lingerMs = 200;

/** A package that still waits, above all for a trace collector that is gone, must not keep a stopped process alive. */
const endSoon = (): void => void setTimeout(() => process.exit(0), lingerMs).unref();

const shutdownPatienceMs = 30_000;

/** A client that never ends or a disk that never answers must not keep a supervisor waiting for ever. */
const giveUpAfter = (ms: number, log: Logger): void => {
  const giveUp = (): never => {
    log.error({ ms }, 'stopping took too long; what is not applied stays in the journal for the next start');
    process.exit(1);
  };
  setTimeout(giveUp, ms).unref();
};

const announce = (firstKey: string | undefined, config: Config, url: string, log: Logger): void => {
  const watched = process.stdout.isTTY;
  if (firstKey !== undefined && !watched) keepFirstKey(firstKey, config, log);
  log.info({ url, data: config.DATA_DIR }, 'ready');
  if (firstKey !== undefined && watched) process.stdout.write(welcome(firstKey, url));
};

/** Nobody is watching: the key goes to a file only this user can read, never to a log. */
const keepFirstKey = (key: string, config: Config, log: Logger): void => {
  const path = join(config.DATA_DIR, 'first-key.txt');
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  log.info({ path }, 'the first API key is in this file; keep it elsewhere and delete the file');
};

const welcome = (key: string, url: string): string => `
  Linkfold is running on ${url}

  Your first API key, shown only this once (account "default"):

    ${key}

  Shorten your first link:

    curl -X POST ${url}/api/v1/shorten \\
      -H 'Authorization: Bearer ${key}' \\
      -H 'Content-Type: application/json' \\
      -d '{"url":"https://example.com/"}'

`;
