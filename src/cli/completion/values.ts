import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../../client/client.ts';
import { makeFolder } from '../../runtime/files/make-folder.ts';
import { replaceFile } from '../../runtime/files/replace-file.ts';
import { kinds } from '../terminal/kinds.ts';
import { clean } from '../terminal/print.ts';
import { readProfiles } from '../terminal/profiles.ts';
import { chooseServer } from '../terminal/servers.ts';

/** Maximum time to wait for the server, as the user's shell is blocked meanwhile. */
const patienceMs = 200;
const freshForMs = 30_000;

/** Kinds of records by the names of arguments and options. */
export const namedKinds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(kinds).map((kind) => [kind, kind])),
  link: 'link',
  links: 'link',
  profile: 'profile',
};

/**
 * Returns the values of a kind for shell completion: from a cache, else from the server; none if that takes too long.
 */
export async function valuesOf(kind: string): Promise<readonly string[]> {
  if (kind === 'profile') return Object.keys(readProfiles().profiles);
  const { server, key = '' } = chooseServer({});
  const name = createHash('sha256')
    .update(JSON.stringify([server, key, kind]))
    .digest('hex')
    .slice(0, 32);
  const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'linkfold');
  const path = join(folder, name);
  const cached = read(path);
  if (cached !== undefined && Date.now() - statSync(path).mtimeMs < freshForMs) return cached;
  const found = await ask({ baseUrl: server, apiKey: key, timeoutMs: patienceMs, retries: 0 }, kind).catch(
    () => undefined,
  );
  if (found === undefined) return cached ?? [];
  const values = found.map(clean);
  makeFolder(folder, 0o700);
  replaceFile(path, values.join('\n'));
  return values;
}

async function ask(connection: Connection, kind: string): Promise<readonly string[]> {
  const { createClient } = await import('../../client/client.ts');
  const client = createClient(connection);
  if (kind === 'link') return (await client.listLinks({ limit: 100 })).data.map(({ shortCode }) => shortCode);
  const { all, names } = kinds[kind as keyof typeof kinds];
  const rows = (await all(client)) as readonly never[];
  return rows.flatMap((row) => names(row)[0] ?? []);
}

function read(path: string): readonly string[] | undefined {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return undefined;
  }
}
