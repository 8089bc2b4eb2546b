import { timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { digestOf, keyLength, keysIn } from '../../model/accounts/keys.ts';
import type { Storage } from '../../model/storage.ts';
import { isSystemError } from '../../runtime/files/file-faults.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop, unreadable } from '../terminal/exits.ts';
import { hasDatabase, withTools } from '../terminal/local.ts';
import { type Column, note, plural, printJson, printList } from '../terminal/print.ts';

interface LeakedKey {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly id: string;
  /** Complete key, which must never be printed. */
  readonly token: string;
}

/** Returns a key's state. */
export function stateOf(key: ApiKey, now: number): 'live' | 'suspended' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  return key.accountSuspended ? 'suspended' : 'live';
}

const columns: readonly Column<Omit<LeakedKey, 'token'> & { readonly state: string }>[] = [
  { title: 'WHERE', of: (one) => `${one.file}:${one.line}:${one.column}` },
  { title: 'KEY ID', of: (one) => one.id },
  { title: 'HERE', of: (one) => one.state },
];

export function addKeysCheck(keys: Command): void {
  addCommand(keys, 'check', 'Find leaked Linkfold keys in files; prints where they are, never the keys', {
    examples: [
      ['git log -p --all | linkfold keys check', 'the whole history of a repository'],
      ['linkfold keys check .env config.yaml --json', 'files, for scripts'],
    ],
    notes:
      'HERE is the state of the key in the local installation: live, suspended, expired, revoked or unknown; "not checked" without a database.',
    refused: 'a key was found, whether or not it still works',
  })
    .argument('[files...]', 'files to read; - is stdin', ['-'])
    .option(...jsonOption)
    .action(async (files: readonly string[], { json }: { json?: true }) => {
      const found: LeakedKey[] = [];
      for (const file of files) for await (const one of findKeys(file)) found.push(one);
      const rows = (await withStates(found, json)).map(({ token: _, ...row }) => row);
      if (json) printJson(rows);
      else printList(rows, columns, 'No Linkfold key found.');
      if (rows.length > 0) throw new Stop(exits.refused, json ? '' : `${plural(rows.length, 'key')} found.`);
    });
}

/**
 * Finds the keys in a file. It reads the file in chunks, so lines may have any length. It searches the end of each
 * chunk again together with the next chunk, because a key may start there. It treats bytes as characters and skips
 * NULs, so that keys in UTF-16 are found too.
 * @throws Stop if the file cannot be read
 */
async function* findKeys(file: string): AsyncGenerator<LeakedKey> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let text = '';
  let place = { line: 1, column: 1 };
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      text += chunk.toString('latin1').replaceAll('\0', '');
      const found = [...keysIn(text)];
      let at = 0;
      for (const { index, id, token } of found) {
        place = advance(place, text.slice(at, index));
        at = index;
        yield { file, ...place, id, token };
      }
      const end = (found.at(-1)?.index ?? -keyLength) + keyLength;
      const kept = Math.max(at, end, text.length - keyLength + 1);
      place = advance(place, text.slice(at, kept));
      text = text.slice(kept);
    }
  } catch (error) {
    throw isSystemError(error) ? unreadable(file, error) : error;
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns the position after a string, given the position at which the string starts. */
function advance({ line, column }: Place, text: string): Place {
  const last = text.lastIndexOf('\n');
  if (last === -1) return { line, column: column + text.length };
  return { line: line + text.split('\n').length - 1, column: text.length - last };
}

async function withStates(
  found: readonly LeakedKey[],
  json: true | undefined,
): Promise<(LeakedKey & { state: string })[]> {
  const unchecked = found.map((one) => ({ ...one, state: 'not checked' }));
  try {
    if (found.length === 0 || !hasDatabase()) return unchecked;
    return await withTools({ json }, async ({ storage, now }) =>
      Promise.all(found.map(async (one) => ({ ...one, state: await localKeyState(storage, one, now()) }))),
    );
  } catch (error) {
    if (!json) note(`Could not check the state of the keys: ${(error as Error).message}`);
    return unchecked;
  }
}

async function localKeyState(storage: Storage, { id, token }: LeakedKey, now: number): Promise<string> {
  const key = await storage.findKey(id);
  const isOurs = key !== undefined && timingSafeEqual(digestOf(token), key.digest);
  return isOurs ? stateOf(key, now) : 'unknown';
}
