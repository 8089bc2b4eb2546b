import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';

/** Says, once, that the service is ready and where; and on a fresh installation what its first key is. */
export const announce = (firstKey: string | undefined, config: Config, url: string, log: Logger): void => {
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
