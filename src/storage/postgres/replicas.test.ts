// Look-ups that go to a streaming replica: whatever it does, it says nothing that is not true any more, and nobody
// waits for it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startProxy, type TcpProxy } from '../../../test/support/http/tcp-proxy.ts';
import { type Postgres, postgresMissing, startPostgres } from '../../../test/support/postgres/postgres.ts';
import { administer, startReplica } from '../../../test/support/postgres/replica.ts';
import { withDatabase } from '../../../test/support/postgres/with-database.ts';
import { until } from '../../../test/support/until.ts';
import type { Storage } from '../../domain/storage.ts';
import type { ReplicaStats } from '../../domain/storage-stats.ts';
import { one } from '../db/db.ts';
import { newLink } from '../storage.fixtures.ts';
import { openPostgres, type PostgresOptions } from './engine.ts';

const skip = (await postgresMissing()) ?? false;
/** What is promised. */
const staleForMs = 1_000;
const unchecked = { durability: 'unchecked' };

function to(address: string) {
  return { destination: address, location: address };
}

const soon = { withinMs: 5_000 };

let codes = 0;
function newCode(): string {
  codes += 1;
  return `code-${codes}`;
}

async function locationOf(storage: Storage, code: string): Promise<string | undefined> {
  return (await storage.findTarget(code))?.location;
}

function replicasOf(storage: Storage): ReplicaStats {
  return storage.stats().replicas ?? assert.fail('none are used');
}
function isCurrent(storage: Storage) {
  return (): boolean => replicasOf(storage).states.current === 1;
}
function isAside(storage: Storage) {
  return (): boolean => replicasOf(storage).states.aside === 1;
}

describe('look-ups at a streaming replica', { skip }, () => {
  let primary: Postgres;
  let replica: Postgres;
  /** Before the replica. */
  let network: TcpProxy;
  /** A machine without replicas, and one with one. */
  let here: Storage;
  let there: Storage;
  let account: number;
  /** What one storage tells its operator; those of other tests have their own news. */
  const listen = () => {
    const told: string[] = [];
    const tell = (sentence: string, { replica: which, reason }: Record<string, unknown> = {}): void => {
      told.push([sentence, which, reason].filter(Boolean).join(' | '));
    };
    return { told, onError: tell, onInfo: tell };
  };
  const { told: toldThere, ...earsThere } = listen();
  const open: Storage[] = [];
  const openWith = async (url: string, options: PostgresOptions = {}): Promise<Storage> => {
    const storage = await openPostgres(url, { staleMs: 60_000, ...options });
    open.push(storage);
    return storage;
  };
  /** Of a server or a proxy, as somebody who may do no more than use a database of his own. */
  const urlAt = (port: number, database = 'links', parameters: Record<string, string> = {}): string =>
    `postgres://plain:secret@127.0.0.1:${port}/${database}?${new URLSearchParams({ ...unchecked, ...parameters })}`;
  const onReplica = (sql: string) => administer(replica, (client) => client.query(sql));
  const position = 'SELECT pg_current_wal_flush_lsn() AS lsn';
  /** Waits until the replica has everything that is in the primary. */
  const caughtUp = async (): Promise<void> => {
    const { rows } = await administer(primary, (client) => client.query<{ lsn: string }>(position));
    const isThere = `SELECT pg_last_wal_replay_lsn() >= '${rows[0]?.lsn}' AS is_there`;
    await until('the replica has everything', async () => (await onReplica(isThere)).rows[0].is_there, soon);
  };
  const makeLink = async (expiresAt: number | null = null) => {
    const code = newCode();
    const { id } = await here.createLink(account, newLink(code, { expiresAt }));
    return { code, id };
  };
  const makeLinks = (count: number) => Promise.all(Array.from({ length: count }, () => makeLink()));

  before(async () => {
    primary = await startPostgres();
    await administer(primary, async (client) => {
      await client.query("CREATE ROLE plain LOGIN PASSWORD 'secret'");
      for (const database of ['links', 'others'])
        await client.query(`CREATE DATABASE ${database} OWNER plain`);
    });
    replica = await startReplica(primary);
    network = await startProxy(replica.port);
    here = await openWith(urlAt(primary.port));
    there = await openWith(urlAt(primary.port), { replicas: [urlAt(network.port)], ...earsThere });
    account = (await here.createAccount('mine', 1))?.id ?? 0;
    await until('the replica is used', isCurrent(there), soon);
  });
  after(async () => {
    await Promise.all(open.map((storage) => storage.close()));
    await network?.close();
    await Promise.all([replica?.end(), primary?.end()]);
  });

  test('what memory lacks is answered by the replica, also through a pooler', async () => {
    const pooled = await openWith(urlAt(primary.port), {
      replicas: [urlAt(network.port, 'links', { pooler: 'transaction' })],
    });
    const links = await makeLinks(50);
    await caughtUp();
    await until('the replica is used', isCurrent(pooled), soon);
    for (const storage of [there, pooled]) {
      const { answered } = replicasOf(storage).reads;
      for (const { code } of links) assert.equal(await locationOf(storage, code), 'https://example.com/');
      assert.equal(replicasOf(storage).reads.answered - answered, links.length);
    }
    assert.equal(await locationOf(there, 'nowhere'), undefined);
    assert.equal(replicasOf(there).reads.not_found, 1);
    assert.equal(replicasOf(here).lagSeconds, undefined);
  });

  test('of a replica that is five seconds behind nothing is taken that has changed; what has not, is', async (t) => {
    const [moved, deleted, own, shortened] = (await makeLinks(4)) as [Link, Link, Link, Link];
    const expiresAt = Date.now() + 500;
    const prolonged = await Promise.all(Array.from({ length: 10 }, () => makeLink(expiresAt)));
    const untouched = await makeLinks(20);
    await caughtUp();
    await until('the replica is used', isCurrent(there), soon);
    t.after(() => onReplica('SELECT pg_wal_replay_resume()'));
    await onReplica('SELECT pg_wal_replay_pause()');
    const pausedAt = performance.now();

    await here.updateLink(account, moved.id, to('https://example.org/'), 2);
    await here.deleteLink(account, deleted.id, 2);
    await here.updateLink(account, shortened.id, { expiresAt: 5 }, 2);
    // What a process has changed itself is so at once, also where it never asked.
    await there.updateLink(account, own.id, to('https://example.net/'), 2);
    assert.equal(await locationOf(there, own.code), 'https://example.net/');
    while (Date.now() <= expiresAt) await pause(10);
    await Promise.all(prolonged.map(({ id }) => here.updateLink(account, id, { expiresAt: null }, 2)));
    const prolongedElsewhere = await Promise.all(prolonged.map(async ({ code }) => there.findTarget(code)));
    assert.ok(
      prolongedElsewhere.every((target) => target?.expiresAt === null),
      'at once',
    );
    const made = await makeLink();
    assert.equal(await locationOf(there, made.code), 'https://example.com/', 'made elsewhere, at once');

    await pause(staleForMs);
    const asIs = async (): Promise<void> => {
      assert.equal(await locationOf(there, moved.code), 'https://example.org/');
      assert.equal(await locationOf(there, deleted.code), undefined);
      assert.equal((await there.findTarget(shortened.code))?.expiresAt, 5);
    };
    await asIs();
    const { answered, behind } = replicasOf(there).reads;
    for (const { code } of untouched) assert.ok(await locationOf(there, code));
    assert.equal(replicasOf(there).reads.answered - answered, untouched.length, 'what has not changed');
    assert.ok(behind > 0);

    while (performance.now() - pausedAt < 5_000) await pause(50);
    const young = await makeLink();
    assert.ok((replicasOf(there).lagSeconds ?? 0) > 4, `${replicasOf(there).lagSeconds} s`);
    assert.equal(await locationOf(there, young.code), 'https://example.com/');
    await asIs();
    // A process that begins now knows of no change, and asks nobody who is behind its beginning.
    const begun = await openWith(urlAt(primary.port), { replicas: [urlAt(network.port)] });
    assert.equal(await locationOf(begun, moved.code), 'https://example.org/');
    assert.equal(await locationOf(begun, deleted.code), undefined);
    assert.equal(replicasOf(begun).reads.answered, 0);
    await onReplica('SELECT pg_wal_replay_resume()');
    await until('the replica is used again', isCurrent(begun), soon);
    await asIs();
  });

  test('a replica that is silent costs no look-up more than a moment, and is asked again when it answers', async () => {
    const links = await makeLinks(60);
    await caughtUp();
    await until('the replica is used', isCurrent(there), soon);
    toldThere.length = 0;
    network.stall();
    for (const { code } of links) assert.ok(await locationOf(there, code));
    const { late } = replicasOf(there).reads;
    assert.ok(late >= 1 && late <= 3, `${late} of 60 waited for the replica in vain`);
    await until('the operator is told', () => toldThere.length > 0, soon);
    assert.match(toldThere.join(), /^A replica is not used; .* \| 127\.0\.0\.1:\d+ \| it does not answer$/);
    // The connections that there are stay lost.
    network.forget();
    network.flow();
    await until('the replica is used again', isCurrent(there), soon);
    assert.equal(toldThere.at(-1)?.replace(/\d+$/, ''), 'A replica is used again. | 127.0.0.1:');
    const { answered } = replicasOf(there).reads;
    const { code } = await makeLink();
    await caughtUp();
    assert.ok(await locationOf(there, code));
    assert.equal(replicasOf(there).reads.answered, answered + 1);
  });

  test('a server that is no replica of the database is not asked, and the operator told why', async () => {
    await openWith(urlAt(primary.port, 'others'));
    // As a copy that was made of the database by a template or a dump.
    const value = "SELECT value FROM meta WHERE key = 'history'";
    const name = await withDatabase(urlAt(primary.port), (db) => one<{ value: string }>(db, value, []));
    await withDatabase(urlAt(primary.port, 'others'), async (db) =>
      db.run("INSERT INTO meta (key, value) VALUES ('history', ?)", [name.value]),
    );
    await caughtUp();
    const wrong: [string, RegExp][] = [
      [urlAt(primary.port), /it is no standby, but takes writes itself/],
      [urlAt(replica.port, 'others'), /it is a replica of another server or database/],
      [urlAt(replica.port, 'postgres'), /it does not answer/],
      [urlAt(1), /it does not answer/],
    ];
    const { code } = await makeLink();
    for (const [url, reason] of wrong) {
      const { told, ...ears } = listen();
      const storage = await openWith(urlAt(primary.port), { replicas: [url], ...ears });
      assert.ok(await locationOf(storage, code));
      await until(String(reason), () => told.length > 0, soon);
      assert.match(told.join(), reason);
      assert.doesNotMatch(told.join(), /secret/);
      assert.ok(isAside(storage)());
      assert.equal(replicasOf(storage).reads.answered, 0);
    }
  });

  test('while the primary is silent the replica answers, as last known, for as long as memory does', async (t) => {
    const front = await startProxy(primary.port);
    t.after(() => front.close());
    const limits = { staleMs: 2_500, patienceMs: 500 };
    const storage = await openWith(urlAt(front.port), { ...limits, replicas: [urlAt(network.port)] });
    const [known, unknown, late, untold] = (await makeLinks(4)) as [Link, Link, Link, Link];
    await caughtUp();
    await until('the replica is used', isCurrent(storage), soon);
    const stalledAt = performance.now();
    front.stall();
    await pause(1_000);
    assert.equal(await locationOf(storage, known.code), 'https://example.com/');
    assert.equal(await locationOf(storage, unknown.code), 'https://example.com/');
    const refused = { code: 'STORAGE_UNAVAILABLE' };
    await assert.rejects(
      locationOf(storage, 'nowhere'),
      refused,
      'whether it leads anywhere the primary knows',
    );
    while (performance.now() - stalledAt < limits.staleMs + 300) await pause(20);
    for (const { code } of [known, late]) await assert.rejects(locationOf(storage, code), refused);

    // What changed meanwhile is named no more when the log can be read again, and the replica has not heard of it.
    t.after(() => onReplica('SELECT pg_wal_replay_resume()'));
    await onReplica('SELECT pg_wal_replay_pause()');
    await here.updateLink(account, untold.id, to('https://example.org/'), 2);
    await withDatabase(urlAt(primary.port), async (db) => {
      await db.run(
        "INSERT INTO change_log (kind, name) SELECT 'target', 'n' || n FROM generate_series(1, 11500) n",
        [],
      );
      await db.run('DELETE FROM change_log WHERE seq <= (SELECT MAX(seq) FROM change_log) - 10000', []);
    });
    front.flow();
    await until('the log is read', () => (storage.stats().changeLogLagSeconds ?? 9) < 0.5, soon);
    assert.equal(await locationOf(storage, untold.code), 'https://example.org/');
    const isBack = async () => (await locationOf(storage, late.code).catch(() => undefined)) !== undefined;
    await until('the primary answers', isBack, soon);
  });

  test('after a promotion nothing is taken from a replica of the old primary, or from the new one', async (t) => {
    const [lost] = (await makeLinks(1)) as [Link];
    const wire = await startProxy(primary.port);
    t.after(() => wire.close());
    const heir = await startReplica(primary, { name: 'heir', port: wire.port });
    t.after(() => heir.end());
    const front = await startProxy(primary.port);
    t.after(() => front.close());
    const storage = await openWith(urlAt(front.port), { replicas: [urlAt(network.port)] });
    const beside = await openWith(urlAt(front.port), { replicas: [urlAt(heir.port)] });
    for (const one of [storage, beside]) await until('the replica is used', isCurrent(one), soon);
    const { rows } = await administer(heir, (client) =>
      client.query<{ is_there: boolean }>(`SELECT count(*) = 1 AS is_there FROM pg_stat_wal_receiver`),
    );
    assert.ok(rows[0]?.is_there);
    wire.refuse();
    // The heir never hears of it; the replica does, and so goes further than where the heir takes over.
    await here.updateLink(account, lost.id, to('https://lost.example/'), 2);
    await makeLinks(200);
    await caughtUp();
    await primary.stop('immediate');
    front.refuse();
    await heir.promote();
    front.lead(heir.port);
    front.flow();
    let isOver = false;
    t.after(() => {
      isOver = true;
    });
    const asking = (async () => {
      // Whatever is taken from the wrong one, at any moment, is kept: nobody says any more that it changed.
      for (; !isOver; await pause(2)) await locationOf(storage, lost.code).catch(() => undefined);
    })();
    await until(
      'the new primary takes writes',
      async () => {
        const link = newLink(newCode());
        return (await storage.createLink(account, link).catch(() => undefined)) !== undefined;
      },
      soon,
    );
    await pause(staleForMs);
    isOver = true;
    await asking;
    assert.equal(await locationOf(storage, lost.code), 'https://example.com/', 'as the new primary has it');
    assert.equal(await locationOf(beside, lost.code), 'https://example.com/');
    await until('the new primary is no replica', isAside(beside), soon);
    assert.equal(replicasOf(storage).states.current, 0);
  });
});

type Link = { readonly code: string; readonly id: string };
