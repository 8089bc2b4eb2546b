// Cached data is at most one millisecond stale. After that, all changes by other processes are visible.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { breakCalls } from '../../../test/support/faults/injection.ts';
import { whyNoTrace } from '../../../test/support/faults/trace.ts';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import type { Link, Target } from '../../model/links/link-records.ts';
import type { Storage } from '../../model/storage.ts';
import { storageUnavailable } from '../db/failure.ts';
import { newKeyIn, newLink } from '../storage.fixtures.ts';
import { openConnection } from './connection.ts';
import { openSqlite } from './engine.ts';
import { createFreshReads, type FreshReads } from './fresh-reads.ts';

const folder = temporaryFolder('fresh');
/** Waits until the cache checks for changes by other processes again. */
const tick = (): Promise<void> => pause(2);

/** Opens one file twice. The two storage instances share only the file, like two processes. */
async function withTwo(work: (here: Storage, there: Storage, account: number) => Promise<void>) {
  const path = join(folder, `${crypto.randomUUID()}.db`);
  const [here, there] = [await openSqlite(path), await openSqlite(path)];
  try {
    const account = await here.createAccount('mine', 1);
    await work(here, there, account?.id ?? 0);
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
}

async function locationOf(storage: Storage, code: string): Promise<string | undefined> {
  return (await storage.findTarget(code))?.location;
}

test('sees a target changed elsewhere: destination, expiry, delete, restore, new owner', () =>
  withTwo(async (here, there, account) => {
    const { id } = await here.createLink(account, newLink('launch'));
    assert.equal(await locationOf(here, 'launch'), 'https://example.com/');
    assert.equal(await locationOf(there, 'launch'), 'https://example.com/');

    const moved = { destination: 'https://example.org/', location: 'https://example.org/' };
    await there.updateLink(account, id, moved, 2);
    await tick();
    assert.equal(await locationOf(here, 'launch'), 'https://example.org/');

    await there.updateLink(account, id, { expiresAt: 99 }, 3);
    await tick();
    assert.equal((await here.findTarget('launch'))?.expiresAt, 99);

    await there.deleteLink(account, id, 4);
    await tick();
    assert.equal(await here.findTarget('launch'), undefined);

    await there.restoreLink(account, id, 5);
    await tick();
    assert.equal(await locationOf(here, 'launch'), 'https://example.org/');

    await there.deleteLink(account, id, 6);
    await there.createLink(account, newLink('Launch', { location: 'https://example.net/' }));
    await tick();
    assert.equal(await locationOf(here, 'launch'), 'https://example.net/');
  }));

test("sees networks excluded elsewhere in all of the account's links, and only there", () =>
  withTwo(async (here, there, account) => {
    const other = (await here.createAccount('other', 1))?.id ?? 0;
    await here.createLink(account, newLink('launch'));
    await here.createLink(other, newLink('other'));
    const kept = here.findTarget('other');
    const isExcluded = () => (here.findTarget('launch') as Target).isExcluded?.('203.0.113.9');
    assert.equal(isExcluded(), undefined);
    await there.setAccount(account, { excludedNetworks: ['203.0.113.0/24'] }, 2);
    await tick();
    assert.equal(isExcluded(), true);
    assert.equal(here.findTarget('other'), kept, 'still cached');
    await there.setAccount(account, { excludedNetworks: [] }, 3);
    await tick();
    assert.equal(isExcluded(), undefined);
    await here.setAccount(account, { excludedNetworks: ['::/0', '203.0.113.9'] }, 4);
    assert.equal(isExcluded(), true, 'own write');
  }));

test("sees app schemes changed elsewhere in the account's links and keys", () =>
  withTwo(async (here, there, account) => {
    await here.createLink(account, { ...newLink('opens'), rules: '[]' });
    const key = await newKeyIn(here);
    const schemes = async () => [
      (await here.findTarget('opens'))?.special?.appSchemes,
      [...((await here.findKey(key))?.appSchemes ?? [])].join(' '),
    ];
    assert.deepEqual(await schemes(), [undefined, '']);
    await there.setAccount(account, { appSchemes: ['acme', 'shop'] }, 2);
    await tick();
    assert.deepEqual(await schemes(), ['acme shop', 'acme shop']);
    await there.setAccount(account, { appSchemes: [] }, 3);
    await tick();
    assert.deepEqual(await schemes(), [undefined, '']);
  }));

test('sees its own write in the tick of its acknowledgement', () =>
  withTwo(async (here, _there, account) => {
    const { id } = await here.createLink(account, newLink('own'));
    assert.ok(await here.findTarget('own'));
    await here.deleteLink(account, id, 2);
    assert.equal(here.findTarget('own'), undefined);
  }));

test('sees a key revoked, rotated or suspended elsewhere', () =>
  withTwo(async (here, there) => {
    const newKey = async () => {
      const id = await newKeyIn(here);
      assert.equal((await here.findKey(id))?.revokedAt, null);
      return id;
    };
    const [revoked, rotated] = [await newKey(), await newKey()];
    await there.revokeKey(revoked, 7);
    await there.rotateKey(rotated, {
      id: 'abcdefgh',
      digest: new Uint8Array(32),
      createdAt: 8,
      oldExpiresAt: 9,
    });
    await tick();
    assert.equal((await here.findKey(revoked))?.revokedAt, 7);
    assert.equal((await here.findKey(rotated))?.expiresAt, 9);
    for (const at of [10, null]) {
      await there.suspendAccount('mine', at);
      await tick();
      assert.equal((await here.findKey(rotated))?.accountSuspended, at !== null);
    }
  }));

test('misses no change when there are more than one read, or the log, holds', () =>
  withTwo(async (here, there, account) => {
    const first = (await here.createLink(account, newLink('first'))).id;
    const last = (await here.createLink(account, newLink('last'))).id;
    const noise = (await here.createLink(account, newLink('noise'))).id;
    const point = (id: string, to: string) =>
      there.updateLink(account, id, { destination: to, location: to }, 2);
    for (const changes of [1_500, 11_500]) {
      for (const code of ['first', 'last', 'noise']) await locationOf(here, code);
      const to = `https://example.com/${changes}`;
      await point(first, to);
      for (let done = 0; done < changes; done += 500) {
        await Promise.all(Array.from({ length: 500 }, (_, n) => point(noise, `${to}/${done + n}`)));
      }
      await point(last, to);
      await tick();
      assert.deepEqual([await locationOf(here, 'first'), await locationOf(here, 'last')], [to, to]);
    }
  }));

/** Runs a test with cached reads of a real file. The connection fails on demand, like a disk with errors. */
async function withFailing(
  work: (given: {
    fresh: FreshReads;
    disk: { fails: boolean };
    storage: Storage;
    account: number;
    told: string[];
  }) => Promise<void>,
) {
  const path = join(folder, `${crypto.randomUUID()}.db`);
  const storage = await openSqlite(path);
  const connection = openConnection(path, { readsOnly: true });
  const disk = { fails: false };
  const reading =
    <A extends unknown[], R>(read: (...args: A) => R) =>
    (...args: A): R => {
      if (disk.fails) throw storageUnavailable('disk I/O error');
      return read(...args);
    };
  const told: string[] = [];
  const report = (sentence: string): void => void told.push(sentence);
  const broken = { ...connection, get: reading(connection.get), all: reading(connection.all) };
  const fresh = createFreshReads(broken as typeof connection, { onError: report, onInfo: report });
  try {
    const account = await storage.createAccount('mine', 1);
    await work({ fresh, disk, storage, account: account?.id ?? 0, told });
  } finally {
    connection.close();
    await storage.close();
  }
}

test('redirects cached links and rejects keys while storage is unreadable, and recovers at once', () =>
  withFailing(async ({ fresh, disk, storage, account, told }) => {
    const { id } = await storage.createLink(account, newLink('known', { expiresAt: 7 }));
    await storage.createLink(account, newLink('unknown'));
    const key = await newKeyIn(storage);
    assert.ok(fresh.findTarget('known') && fresh.findKey(key));

    disk.fails = true;
    await storage.revokeKey(key, 3);
    await storage.updateLink(account, id, { destination: 'https://example.org/', location: 'x' }, 3);
    for (let turns = 0; turns < 3; turns += 1) {
      await tick();
      // Reads twice, because the second call must not succeed just because the first call has checked for changes.
      for (let asked = 0; asked < 2; asked += 1) {
        assert.throws(() => fresh.findKey(key), { code: 'STORAGE_UNAVAILABLE' });
        assert.equal(fresh.findTarget('known')?.location, 'https://example.com/');
        assert.equal(fresh.findTarget('known')?.expiresAt, 7, 'the redirect compares it with its own clock');
        assert.throws(() => fresh.findTarget('unknown'), { code: 'STORAGE_UNAVAILABLE' });
      }
    }
    assert.equal(told.length, 1, 'reported once, not at every check');

    disk.fails = false;
    await tick();
    assert.equal(fresh.findKey(key)?.revokedAt, 3);
    assert.equal(fresh.findTarget('known')?.location, 'x');
    assert.ok(fresh.findTarget('unknown'));
    assert.match(told.join(), /Could not read the database.*can read the database again/);
  }));

test('never contradicts an acknowledged change from the cache, even while disk reads fail', {
  skip: whyNoTrace() ?? false,
}, async (t) => {
  const storage = await openSqlite(join(folder, `${crypto.randomUUID()}.db`));
  t.after(storage.close);
  const account = (await storage.createAccount('mine', 1))?.id ?? 0;
  const make = (code: string) => storage.createLink(account, newLink(code, { externalId: code }));
  const to = { destination: 'https://example.org/', location: 'https://example.org/' };
  const beyond = { remaining: 0, nextCursor: null };
  const ways = {
    updated: ({ id }) => storage.updateLink(account, id, to, 2),
    expiring: ({ id }) => storage.updateLink(account, id, { expiresAt: 2 }, 2),
    deleted: ({ id }) => storage.deleteLink(account, id, 2),
    bulk: ({ id }) => storage.bulkLinks(account, [['deleteLink', id, 2]], 'atomic', beyond),
    upserted: ({ code }) =>
      storage.upsertLink(
        account,
        { ...newLink('other', to), externalId: code },
        { keepsExpiry: true, now: 2 },
      ),
    unaliased: ({ code }) => storage.removeAlias(account, `${code}-too`, 2),
  } satisfies Record<string, (link: Link) => Promise<unknown>>;
  const links = await Promise.all(Object.keys(ways).map(make));
  for (const { id, code } of links) await storage.addAlias(account, id, `${code}-too`, 1);
  await make('other-link');
  const codes = [...Object.keys(ways).map((code) => `${code}-too`), 'other-link'];
  for (const code of codes) assert.ok(storage.findTarget(code));
  const mend = await breakCalls(process.pid, 'pread64', 'EIO', 'main');
  try {
    for (const [at, [name, change]] of Object.entries(ways).entries()) {
      await change(links[at] as Link);
      // Reads immediately and in a later tick.
      for (let ticks = 0; ticks < 2; ticks += 1) {
        assert.throws(() => storage.findTarget(`${name}-too`), { code: 'STORAGE_UNAVAILABLE' }, name);
        await tick();
      }
    }
    assert.ok(storage.findTarget('other-link'), 'unchanged links still redirect');
  } finally {
    await mend();
  }
  const location = (code: string) => storage.findTarget(code) as Target | undefined;
  for (const name of ['updated', 'upserted'])
    assert.equal(location(`${name}-too`)?.location, to.location, name);
  for (const name of ['deleted', 'bulk', 'unaliased']) assert.equal(location(`${name}-too`), undefined, name);
});

test('reads once, and checks for changes once, for five thousand simultaneous requests for one code', async () => {
  const path = join(folder, `${crypto.randomUUID()}.db`);
  const storage = await openSqlite(path);
  const connection = openConnection(path, { readsOnly: true });
  const account = await storage.createAccount('mine', 1);
  await storage.createLink(account?.id ?? 0, newLink('wanted'));
  let reads = 0;
  const counting = {
    ...connection,
    get: ((...args: Parameters<typeof connection.get>) => {
      reads += 1;
      return connection.get(...args);
    }) as typeof connection.get,
  };
  const fresh = createFreshReads(counting, { onError: () => {}, onInfo: () => {}, clock: () => 0 });
  const opened = reads;
  for (let count = 0; count < 5_000; count += 1) assert.ok(fresh.findTarget('wanted'));
  assert.equal(reads - opened, 2);
  connection.close();
  await storage.close();
});
