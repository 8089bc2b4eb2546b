// Caches on PostgreSQL reflect changes by other nodes within one second, and changes by this process immediately.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startProxy, type TcpProxy } from '../../../test/support/http/tcp-proxy.ts';
import {
  dropPostgresDatabase,
  newPostgresDatabase,
  noPostgres,
} from '../../../test/support/postgres/databases.ts';
import type { Target } from '../../model/links/link-records.ts';
import type { Storage } from '../../model/storage.ts';
import { readsFrom } from '../statements/reads.ts';
import { newKeyIn, newLink } from '../storage.fixtures.ts';
import { type Connection, connect } from './connections/connection.ts';
import { postgresAddressIn } from './connections/url.ts';
import { openPostgres, type PostgresOptions } from './engine.ts';
import { createFreshReads, type FreshReads } from './fresh-reads.ts';

const missing = await noPostgres();

function to(address: string) {
  return { destination: address, location: address };
}

interface Options {
  readonly url: string;
  /** Two storage instances, like two machines, that share only the database. */
  readonly here: Storage;
  readonly there: Storage;
  /** Proxy between `there` and the database. */
  readonly network: TcpProxy;
  readonly client: Connection;
  readonly account: number;
  readonly told: string[];
}

async function using(work: (given: Options) => Promise<void>, options: PostgresOptions = {}): Promise<void> {
  const url = await newPostgresDatabase();
  const network = await startProxy(Number(new URL(url).port));
  const far = new URL(url);
  far.port = String(network.port);
  const told: string[] = [];
  const report = (sentence: string): void => void told.push(sentence);
  const here = await openPostgres(url);
  const there = await openPostgres(far.href, { onError: report, onInfo: report, ...options });
  const client = await connect(postgresAddressIn(url), { statementMs: 0 });
  try {
    const account = (await here.createAccount('mine', 1))?.id ?? 0;
    await work({ url, here, there, network, client, account, told });
  } finally {
    await Promise.all([here.close(), there.close(), client.end()]);
    await network.close();
    await dropPostgresDatabase(url);
  }
}

async function locationOf(storage: Pick<Storage, 'findTarget'>, code: string): Promise<string | undefined> {
  return (await storage.findTarget(code))?.location;
}

/**
 * Waits until a condition holds. Fails after the guaranteed maximum of one second plus some time for a busy machine.
 * @returns the waiting time in ms
 */
async function within(isSo: () => Promise<boolean>, what: string): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > 5_000) assert.fail(`Still not true after five seconds: ${what}.`);
    await pause(5);
  }
  return performance.now() - began;
}

/** Returns the target synchronously, because a redirect must be sent in the same tick as its request. */
function atOnce(storage: Pick<Storage, 'findTarget'>, code: string): Target | undefined {
  const found = storage.findTarget(code);
  assert.ok(!(found instanceof Promise), 'from memory, at once');
  return found;
}

function noteBeside(code: string, location: string): string {
  return `
  UPDATE links SET location = '${location}' WHERE code = '${code}';
  INSERT INTO change_log (kind, name) VALUES ('target', '${code}')`;
}

describe('the cache of one of several nodes', { skip: missing ?? false }, () => {
  test("shows another node's change within a second; meanwhile answers lookups at once", () =>
    using(async ({ here, there, account }) => {
      const { id } = await here.createLink(account, newLink('launch'));
      assert.equal(await locationOf(there, 'launch'), 'https://example.com/');
      assert.equal(atOnce(there, 'launch')?.location, 'https://example.com/');
      const steps: [string, () => Promise<unknown>, (target: Target | undefined) => boolean][] = [
        [
          'moved',
          () => here.updateLink(account, id, to('https://example.org/'), 2),
          (t) => t?.location === 'https://example.org/',
        ],
        [
          'excluding a network',
          () => here.setAccount(account, { excludedNetworks: ['203.0.113.0/24'] }, 2),
          (t) => t?.isExcluded?.('203.0.113.9') === true,
        ],
        [
          'excluding none',
          () => here.setAccount(account, { excludedNetworks: [] }, 2),
          (t) => t !== undefined && t.isExcluded === undefined,
        ],
        [
          'allowing a scheme',
          async () => {
            await here.updateLink(account, id, { rules: '[]' }, 2);
            await here.setAccount(account, { appSchemes: ['acme'] }, 2);
          },
          (t) => t?.special?.appSchemes === 'acme',
        ],
        [
          'allowing none',
          () => here.setAccount(account, { appSchemes: [] }, 2),
          (t) => t?.special !== undefined && t.special.appSchemes === undefined,
        ],
        ['expiring', () => here.updateLink(account, id, { expiresAt: 99 }, 3), (t) => t?.expiresAt === 99],
        ['deleted', () => here.deleteLink(account, id, 4), (t) => t === undefined],
        ['restored', () => here.restoreLink(account, id, 5), (t) => t !== undefined],
      ];
      for (const [what, change, isSo] of steps) {
        await change();
        assert.ok(isSo(await here.findTarget('launch')), `${what}: at once on the node that changed it`);
        await within(async () => isSo(await there.findTarget('launch')), what);
      }
      const { hits, misses } = there.stats().caches.targets;
      assert.ok(hits > misses, `${hits} hits, ${misses} misses`);
    }));

  test('rejects a key revoked, rotated or suspended on another node within a second', () =>
    using(async ({ here, there }) => {
      const [revoked, rotated] = [await newKeyIn(here), await newKeyIn(here)];
      for (const id of [revoked, rotated]) assert.equal((await there.findKey(id))?.revokedAt, null);
      const next = { id: 'abcdefgh', digest: new Uint8Array(32), createdAt: 8, oldExpiresAt: 9 };
      await Promise.all([here.revokeKey(revoked, 7), here.rotateKey(rotated, next)]);
      assert.equal((await here.findKey(revoked))?.revokedAt, 7);
      await within(async () => (await there.findKey(revoked))?.revokedAt === 7, 'revoked');
      await within(async () => (await there.findKey(rotated))?.expiresAt === 9, 'rotated');
      await here.suspendAccount('mine', 10);
      assert.equal((await here.findKey(rotated))?.accountSuspended, true);
      await within(async () => (await there.findKey(rotated))?.accountSuspended === true, 'suspended');
    }));

  test('misses no change whose transaction stayed open while later ones were read', () =>
    using(async ({ url, here, there, client, account }) => {
      const later = await here.createLink(account, newLink('later'));
      for (const code of ['held', 'gone']) await here.createLink(account, newLink(code));
      // Adds an early log entry. Otherwise, `there` would clear its cache, because entries may have been trimmed.
      await here.updateLink(account, later.id, to('https://example.com/0'), 2);
      for (const code of ['held', 'later']) await locationOf(there, code);
      await client.command(`BEGIN; ${noteBeside('gone', 'https://gone.example/')}; ROLLBACK`);
      await client.command(`BEGIN; ${noteBeside('held', 'https://held.example/')}`);
      // A node that starts now reads higher log numbers before the lower number is committed.
      let newNode: Storage | undefined;
      for (const round of [1, 2]) {
        const address = `https://example.com/${round}`;
        await here.updateLink(account, later.id, to(address), 2);
        await within(async () => (await locationOf(there, 'later')) === address, 'the later change');
        // A follower that looked back only a fixed time would miss the open transaction after this pause.
        await pause(900);
        newNode ??= await openPostgres(url);
        assert.equal(await locationOf(newNode, 'held'), 'https://example.com/');
      }
      assert.equal(atOnce(there, 'held')?.location, 'https://example.com/');
      await client.command('COMMIT');
      for (const node of [there, newNode as Storage])
        await within(
          async () => (await locationOf(node, 'held')) === 'https://held.example/',
          'the held change',
        );
      await (newNode as Storage).close();
    }));

  test('has nothing stale after an absence longer than the log, or with a replaced log', () =>
    using(async ({ url, here, there, network, client, account }) => {
      const { id } = await here.createLink(account, newLink('lost'));
      const { id: other } = await here.createLink(account, newLink('other'));
      await here.updateLink(account, other, to('https://other.example/1'), 2);
      await pause(400);
      await locationOf(there, 'lost');
      // The log number of the delayed transaction (`straggler`) is lower than the trimmed numbers. Its transaction
      // commits after the trimming, so its entry becomes the log's first row.
      const straggler = await connect(postgresAddressIn(url), { statementMs: 0 });
      await straggler.command(`BEGIN; ${noteBeside('straggler', 'https://example.com/')}`);
      await here.updateLink(account, other, to('https://other.example/2'), 2);
      await pause(400);
      network.stall();
      await here.updateLink(account, id, to('https://trimmed.example/'), 2);
      await client.command(`INSERT INTO change_log (kind, name) SELECT 'target', 'n' || n FROM generate_series(1, 11500) n;
        DELETE FROM change_log WHERE seq <= (SELECT MAX(seq) FROM change_log) - 10000`);
      await straggler.command('COMMIT');
      await straggler.end();
      assert.equal(atOnce(there, 'lost')?.location, 'https://example.com/');
      network.flow();
      await within(
        async () => (await locationOf(there, 'lost')) === 'https://trimmed.example/',
        'what was trimmed',
      );

      await client.command('TRUNCATE change_log RESTART IDENTITY');
      await client.command(noteBeside('lost', 'https://replaced.example/'));
      await within(
        async () => (await locationOf(there, 'lost')) === 'https://replaced.example/',
        'the other log',
      );
      await client.command(noteBeside('lost', 'https://followed.example/'));
      await within(
        async () => (await locationOf(there, 'lost')) === 'https://followed.example/',
        'what follows',
      );
    }));

  test('queries before answering from the cache after being stopped', () =>
    using(async ({ here, client, account }) => {
      await here.createLink(account, newLink('slept'));
      await locationOf(here, 'slept');
      const changed = client.command(`SELECT pg_sleep(0.2); ${noteBeside('slept', 'https://example.org/')}`);
      await pause(20);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
      assert.equal(await locationOf(here, 'slept'), 'https://example.org/');
      await changed;
    }));

  test('queries unknown codes once in half a second, but finds a link created here at once', () =>
    using(async ({ here, there, account }) => {
      assert.equal(await there.findTarget('soon'), undefined);
      const asked = there.stats().caches.targets.misses;
      for (let n = 0; n < 100; n += 1) assert.equal(atOnce(there, 'soon'), undefined);
      assert.equal(there.stats().caches.targets.misses, asked);
      await there.createLink(account, newLink('Soon'));
      assert.ok(await there.findTarget('soon'));

      assert.equal(await there.findTarget('far'), undefined);
      await here.createLink(account, newLink('far'));
      await within(async () => (await there.findTarget('far')) !== undefined, 'made elsewhere');
    }));

  test('redirects links while the database is silent, rejects keys after a second, and recovers', () =>
    using(
      async ({ here, there, network, account, told }) => {
        const { id } = await here.createLink(account, newLink('known'));
        await here.createLink(account, newLink('unknown'));
        const key = await newKeyIn(here);
        assert.ok((await locationOf(there, 'known')) && (await there.findKey(key)));
        network.stall();
        await here.updateLink(account, id, to('https://example.org/'), 2);
        await here.revokeKey(key, 3);
        const revokedAt = performance.now();
        while (performance.now() - revokedAt < 1_900) {
          await pause(20);
          assert.equal(atOnce(there, 'known')?.location, 'https://example.com/');
          const askedAfterMs = performance.now() - revokedAt;
          const found = there.findKey(key);
          if (!(found instanceof Promise))
            assert.ok(askedAfterMs < 1_000, 'a key was accepted from memory alone');
          else found.catch(() => {}); // the read is still waiting for the database
        }
        await assert.rejects(async () => there.findTarget('unknown'), { code: 'STORAGE_UNAVAILABLE' });
        assert.ok((there.stats().changeLogLagSeconds ?? 0) > 1.5);
        // When the lag exceeds `staleMs`, cached links are also too old to be used.
        while ((there.stats().changeLogLagSeconds ?? 0) <= 2.5) await pause(20);
        await assert.rejects(async () => there.findTarget('known'), { code: 'STORAGE_UNAVAILABLE' });
        assert.deepEqual(told, [
          'Could not read the change log. Cached links still redirect. Linkfold will retry.',
        ]);
        network.flow();
        await within(
          async () => (await locationOf(there, 'known').catch(() => '')) === 'https://example.org/',
          'the link',
        );
        assert.equal((await there.findKey(key))?.revokedAt, 3);
        await within(async () => (there.stats().changeLogLagSeconds ?? 9) < 0.5, 'the log is read');
        assert.match(told.join(), /can read the change log again/);
      },
      { staleMs: 2_500, patienceMs: 800 },
    ));

  test('looks up a revoked key and rejects it when only the log is unreadable', () =>
    withReads(async ({ reads, fails, storage }) => {
      const key = await newKeyIn(storage);
      assert.equal((await reads.findKey(key))?.revokedAt, null);
      fails.log = true;
      await storage.revokeKey(key, 7);
      await pause(1_000);
      assert.equal((await reads.findKey(key))?.revokedAt, 7);
    }));

  test('does not cache a value that changed while it was read', () =>
    withReads(async ({ reads, hold, storage, account }) => {
      const { id } = await storage.createLink(account, newLink('raced'));
      // The first read starts polling the change log.
      await locationOf(reads, 'raced');
      for (const whose of ['another’s', 'own'] as const) {
        const before = to(`https://example.com/${whose === 'own' ? 1 : 0}`);
        const after = to(`https://example.org/${whose === 'own' ? 1 : 0}`);
        await storage.updateLink(account, id, before, 2);
        await logIsRead(reads);
        const { release, asked } = hold();
        const slow = reads.findTarget('raced');
        await asked;
        await storage.updateLink(account, id, after, 3);
        if (whose === 'own') reads.invalidate('target', 'raced');
        else await logIsRead(reads);
        release();
        assert.equal((await slow)?.location, before.location, 'the read started before the change');
        assert.equal(await locationOf(reads, 'raced'), after.location);
        assert.equal((await storage.findTarget('raced'))?.location, after.location);
      }
    }));

  test('does not find a link again after it was not found', () =>
    withReads(
      async ({ reads, holdLog, storage, account }) => {
        const { id } = await storage.createLink(account, newLink('deleted'));
        await locationOf(reads, 'deleted');
        await logIsRead(reads);
        const { release, asked } = holdLog();
        await asked;
        await storage.deleteLink(account, id, 2);
        await within(async () => (reads.stats().changeLogLagSeconds ?? 0) > 0.9, 'the cache is too old');
        assert.equal(await reads.findTarget('deleted'), undefined);
        release();
        while ((reads.stats().changeLogLagSeconds ?? 9) > 0.9) await new Promise(setImmediate);
        assert.equal(await reads.findTarget('deleted'), undefined);
      },
      { staleMs: 500 },
    ));

  test('reads once for five thousand simultaneous requests for one code', () =>
    withReads(async ({ reads, counts, storage, account }) => {
      await storage.createLink(account, newLink('wanted'));
      const found = await Promise.all(Array.from({ length: 5_000 }, () => reads.findTarget('wanted')));
      assert.equal(new Set(found.map((target) => target?.location)).size, 1);
      assert.equal(counts.targets, 1);
    }));
});

/**
 * Waits until the cache reflects all commits so far. On a busy machine, this may take longer than the guaranteed
 * second.
 */
async function logIsRead(reads: Pick<FreshReads, 'stats'>): Promise<void> {
  const since = performance.now();
  await within(
    async () => (reads.stats().changeLogLagSeconds ?? Infinity) * 1_000 < performance.now() - since,
    'the log is read',
  );
}

type Gate = ReturnType<typeof createGate>;

/** Creates a gate that lets results pass immediately until a test blocks them. */
function createGate() {
  let gate = Promise.resolve();
  let reportAsked = (): void => {};
  return {
    async pass<R>(result: R): Promise<R> {
      reportAsked();
      await gate;
      return result;
    },
    hold() {
      const held = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      gate = held.promise;
      reportAsked = asked.resolve;
      return { release: held.resolve, asked: asked.promise };
    },
  };
}

/** Tests the cached reads alone, on separate connections that the test can block. */
async function withReads(
  work: (given: {
    reads: FreshReads;
    storage: Storage;
    account: number;
    counts: { targets: number };
    fails: { log: boolean };
    /** Blocks results of link reads until `release`. `asked` resolves when the database has returned a result. */
    hold: Gate['hold'];
    /** Like `hold`, but blocks results of change log reads. */
    holdLog: Gate['hold'];
  }) => Promise<void>,
  { staleMs = 60_000 }: { staleMs?: number } = {},
): Promise<void> {
  const url = await newPostgresDatabase();
  const storage = await openPostgres(url);
  const connection = await connect(postgresAddressIn(url), { statementMs: 0 });
  const log = await connect(postgresAddressIn(url), { statementMs: 0 });
  const from = readsFrom(connection);
  const counts = { targets: 0 };
  const fails = { log: false };
  const targetGate = createGate();
  const logGate = createGate();
  const reads = createFreshReads({
    log: {
      ...log,
      all: async <R>(...args: Parameters<Connection['all']>) => {
        if (fails.log) throw new Error('the log cannot be read');
        return logGate.pass(await log.all<R>(...args));
      },
    },
    readHost: async () => undefined,
    onKeyChange: () => {},
    readTarget: async (code) => {
      counts.targets += 1;
      return targetGate.pass(await from.findTarget(code));
    },
    readKey: async (id) => from.findKey(id),
    staleMs,
    maxTargets: 100,
  });
  try {
    const account = (await storage.createAccount('mine', 1))?.id ?? 0;
    await work({ reads, storage, account, counts, fails, hold: targetGate.hold, holdLog: logGate.hold });
  } finally {
    reads.close();
    await pause(50); // in case a poll is running
    await Promise.all([storage.close(), connection.end(), log.end()]);
    await dropPostgresDatabase(url);
  }
}
