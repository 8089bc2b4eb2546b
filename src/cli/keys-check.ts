import { timingSafeEqual } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { digestOf, idInToken } from '../domain/keys.ts';
import type { ApiKey, Storage } from '../domain/storage.ts';
import { addCommand, jsonOption } from './command.ts';
import { exits, Stop } from './exits.ts';
import { readConfig, withTools } from './local.ts';
import { type Column, note, plural, sayJson, sayTable } from './print.ts';

interface Found {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly id: string;
  /** Not for printing. */
  readonly token: string;
}

/** What a key can do now. */
export const stateOf = (key: ApiKey, now: number): 'live' | 'suspended' | 'expired' | 'revoked' => {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  return key.accountSuspended ? 'suspended' : 'live';
};

const columns: readonly Column<Omit<Found, 'token'> & { readonly state: string }>[] = [
  { title: 'WHERE', of: (one) => `${one.file}:${one.line}:${one.column}` },
  { title: 'KEY ID', of: (one) => one.id },
  { title: 'HERE', of: (one) => one.state },
];

export const addKeysCheck = (keys: Command): void => {
  addCommand(
    keys,
    'check',
    'Find Linkfold keys in files, to scan for leaks; prints where they are, never the keys',
    {
      examples: [
        ['git log -p --all | linkfold keys check', 'the whole history of a repository'],
        ['linkfold keys check .env config.yaml --json', 'files, for a program'],
      ],
      notes:
        'HERE says what the key can do in this installation: live, suspended, expired, revoked or unknown;\n"not checked" where there is no database.',
      refused: 'a key was found, whether or not it still works',
    },
  )
    .argument('[files...]', 'files to read; - is stdin', ['-'])
    .option(...jsonOption)
    .action(async (files: readonly string[], { json }: { json?: true }) => {
      const found: Found[] = [];
      for (const file of files) for await (const one of findKeys(file)) found.push(one);
      const rows = (await withStates(found)).map(({ token: _, ...row }) => row);
      if (json) sayJson(rows);
      else if (rows.length === 0) note('No Linkfold key found.');
      else sayTable(rows, columns);
      if (rows.length > 0) throw new Stop(exits.refused, json ? '' : `${plural(rows.length, 'key')} found.`);
    });
};

const looksLikeKey = /\blfk_[0-9A-Za-z]{44}\b/g;

async function* findKeys(file: string): AsyncGenerator<Found> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const failed = new Promise<never>((_, reject) => {
    input.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new Stop(exits.usage, `${file} cannot be read: ${code}.`)),
    );
  });
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (let line = 1; ; line += 1) {
    const { value: text, done } = await Promise.race([lines.next(), failed]);
    if (done) return;
    for (const { 0: token, index } of text.matchAll(looksLikeKey)) {
      const id = idInToken(token);
      if (id !== undefined) yield { file, line, column: index + 1, id, token };
    }
  }
}

const withStates = async (found: readonly Found[]): Promise<(Found & { state: string })[]> => {
  if (found.length === 0 || !hasDatabase()) return found.map((one) => ({ ...one, state: 'not checked' }));
  try {
    return await withTools(async ({ storage, now }) =>
      Promise.all(found.map(async (one) => ({ ...one, state: await stateHere(storage, one, now()) }))),
    );
  } catch (error) {
    note(`Whether they are live was not checked: ${(error as Error).message}`);
    return found.map((one) => ({ ...one, state: 'not checked' }));
  }
};

/** Looking must not make a database. */
const hasDatabase = (): boolean => {
  try {
    const path = /^sqlite:(.+)$/.exec(readConfig().DATABASE_URL)?.[1];
    return path === undefined || existsSync(path);
  } catch {
    return false;
  }
};

const stateHere = async (storage: Storage, { id, token }: Found, now: number): Promise<string> => {
  const key = await storage.findKey(id);
  const isOurs = key !== undefined && timingSafeEqual(digestOf(token), key.digest);
  return isOurs ? stateOf(key, now) : 'unknown';
};
