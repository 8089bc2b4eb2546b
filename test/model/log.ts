import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { document } from '../support/http/openapi.ts';
import { until } from '../support/until.ts';
import type { Key } from './basics.ts';
import type { World } from './world.ts';

type Fields = Record<string, unknown>;
interface Logged {
  readonly type: string;
  readonly data: Fields & {
    readonly id: string;
    readonly changes?: Record<string, { from?: unknown; to?: unknown }>;
  };
}

/** Fields changed by visits or by the clock. Events do not contain them. */
const apart = new Set([
  'changes',
  'clicks',
  'lastClickAt',
  'clicksLeft',
  'status',
  'destinationCheck',
  'excludedToday',
]);
/** The other fields that `include` accepts. Events contain all of them. */
const fields = document.components.parameters.include.schema.items.enum
  .filter((name: string) => name !== 'clicksByDay' && !apart.has(name))
  .join();

// biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
async function read(world: World, key: Key, path: string): Promise<any> {
  const answer = await world.ask({ method: 'GET', path: `/api/v1${path}`, key, headers: {} });
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text);
}

function without(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !apart.has(name)));
}

/** Replays an account's event log. The previous values in each event must match. */
async function replayed(world: World, key: Key): Promise<Record<string, Fields>> {
  const links = new Map<string, Fields>();
  for (let after = '', hasMore = true; hasMore; ) {
    const page = await read(
      world,
      key,
      `/events/log?limit=100${after && `&after=${encodeURIComponent(after)}`}`,
    );
    ({ nextCursor: after, hasMore } = page.pagination);
    for (const { type, data } of page.data as Logged[]) {
      if (type === 'folder.deleted')
        for (const link of links.values()) if (link['folderId'] === data.id) link['folderId'] = null;
      if (!type.startsWith('link.')) continue;
      const before = links.get(data.id);
      for (const [name, { from, to }] of Object.entries(data.changes ?? {})) {
        if (before !== undefined && name in before && type === 'link.updated')
          assert.deepEqual(before[name], from, `${type} ${data.id} ${name}`);
        if (name in data) assert.deepEqual(data[name], to, `${type} ${data.id} ${name}`);
      }
      if (type === 'link.deleted') links.delete(data.id);
      else links.set(data.id, without(data));
    }
  }
  return Object.fromEntries(links);
}

/** Asserts that replaying an account's event log produces exactly its current links. */
export async function checkLog(world: World, key: Key): Promise<void> {
  const { data } = await read(world, key, `/links?limit=100&include=${fields}`);
  const present = Object.fromEntries((data as Fields[]).map((link) => [link['id'], without(link)]));
  let found: Record<string, Fields> = {};
  // The event log does not yet include events after the oldest running transaction, which may belong to another test on
  // the same PostgreSQL.
  const isSame = async () => {
    found = await replayed(world, key);
    return isDeepStrictEqual(found, present);
  };
  await until('the log returns all events', isSame, { withinMs: 10_000, everyMs: 100 }).catch(() =>
    assert.deepEqual(found, present, 'the log returns all events'),
  );
}
