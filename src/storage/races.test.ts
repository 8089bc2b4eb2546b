// Two storage instances, like two nodes, change the same data at the same time. They don't know about each other, so
// the database must guarantee consistency.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { Failure, type FailureCode } from '../model/failures.ts';
import type { FolderFilter } from '../model/links/link-records.ts';
import type { Storage } from '../model/storage.ts';
import { checkDatabase } from './check/check.ts';
import { openStorage } from './open.ts';
import { hexOf, newKey, newLink, nextId, recordsOf } from './storage.fixtures.ts';

const t0 = Date.UTC(2027, 0, 1);
function newFolder() {
  return { id: nextId(), name: 'Folder', createdAt: t0 };
}
const all: FolderFilter = { kind: 'all' };

/** Returns each result, or undefined for a failure. All failures must have one of the given codes. */
async function outcomes<T>(
  work: Iterable<Promise<T>>,
  ...mayFail: FailureCode[]
): Promise<(T | undefined)[]> {
  return (await Promise.allSettled(work)).map((one) => {
    if (one.status === 'fulfilled') return one.value;
    assert.ok(one.reason instanceof Failure && mayFail.includes(one.reason.code), String(one.reason));
    return undefined;
  });
}

const count = 40;
function times<T>(work: (n: number) => T, most = count): T[] {
  return Array.from({ length: most }, (_, n) => work(n));
}

for (const engine of engines) {
  describe(`concurrent changes on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    /** Runs a test with two storage instances, and checks the database afterwards. */
    const using = async (
      work: (
        both: readonly [Storage, Storage],
        account: number,
        byTurns: (n: number) => Storage,
      ) => Promise<void>,
    ): Promise<void> => {
      const url = await engine.newDatabase();
      const both = [await openStorage(url), await openStorage(url)] as const;
      try {
        const account = await both[0].createAccount('mine', t0);
        const byTurns = (n: number) => both[n % 2 === 0 ? 0 : 1];
        // Opens the connections first, so that opening them does not affect the order of the writes.
        await Promise.all(times((n) => byTurns(n).revokeKey('unknown', t0)));
        await work(both, account?.id ?? 0, byTurns);
        assert.deepEqual(await checkDatabase(url), []);
      } finally {
        for (const one of both) await one.close();
        await engine.drop(url);
      }
    };

    test('creates no sign-in link for a member who has gained rights since it was allowed', () =>
      using(async ([storage], accountId) => {
        const record = {
          id: nextId(),
          digest: new Uint8Array(32).fill(1),
          accountId,
          createdAt: t0,
          expiresAt: t0 + 1,
        };
        const invitation = {
          role: 'owner',
          plan: 'pro',
          email: null,
          bounds: undefined,
          inviter: null,
        } as const;
        await storage.createInvitation({ ...record, ...invitation, provedAt: null });
        const member = {
          id: nextId(),
          keyId: 'key00001',
          digest: new Uint8Array(32).fill(2),
          name: '',
          createdAt: t0,
        };
        const begins = { start: 'own', provedAt: null } as const;
        const session = { ...begins, id: nextId(), digest: new Uint8Array(32).fill(3), accountId, agent: '' };
        await storage.acceptInvitation(record.digest, member, {
          ...session,
          keyId: member.keyId,
          createdAt: t0,
        });
        const link = {
          ...begins,
          digest: new Uint8Array(32).fill(4),
          keyId: member.keyId,
          expiresAt: t0 + 1,
        };
        await assert.rejects(storage.createLoginLink(link, 'admin'), { code: 'MEMBER_NOT_FOUND' });
        await storage.createLoginLink(link, 'owner');
      }));

    test('gives a code to one, even when its owner releases and takes it again', () =>
      using(async (both, mine) => {
        const theirs = (await both[1].createAccount('theirs', t0))?.id ?? 0;
        const made = await outcomes(
          times((n) => both[n % 2 === 0 ? 0 : 1].createLink(n % 2 === 0 ? mine : theirs, newLink('rush'))),
          'CUSTOM_CODE_TAKEN',
        );
        const [winner, ...others] = made.filter((link) => link !== undefined);
        assert.ok(winner);
        assert.deepEqual(others, []);
        const owner = (await both[0].link(mine, winner.id)) ? mine : theirs;
        await both[0].deleteLink(owner, winner.id, t0);
        const again = await outcomes(
          times((n) =>
            n % 4 === 0
              ? both[0].restoreLink(owner, winner.id, t0)
              : both[n % 2 === 0 ? 0 : 1].createLink(
                  n % 4 === 3 ? mine + theirs - owner : owner,
                  newLink('rush'),
                ),
          ),
          'CUSTOM_CODE_TAKEN',
        );
        const live = new Set(again.flatMap((link) => (link === undefined ? [] : [link.id])));
        assert.equal(live.size, 1);
      }));

    test('deletes a folder without its links', () =>
      using(async (both, mine, byTurns) => {
        const gone = await both[0].createLink(mine, newLink('gone'));
        for (let round = 0; round < 8; round += 1) {
          const folder = await both[0].createFolder(mine, newFolder());
          const loose = await Promise.all(
            times((n) => byTurns(n).createLink(mine, newLink(`l-${round}-${n}`)), 5),
          );
          await both[0].restoreLink(mine, gone.id, t0);
          await both[0].moveLink(mine, gone.id, folder.id, t0);
          await both[0].deleteLink(mine, gone.id, t0);
          const work = [
            ...times(
              (n) => byTurns(n).createLink(mine, newLink(`f-${round}-${n}`, { folderId: folder.id })),
              10,
            ),
            ...loose.map(({ id }, n) => byTurns(n).moveLink(mine, id, folder.id, t0)),
            both[1].restoreLink(mine, gone.id, t0),
            ...[both[0], both[1]].map((one) => one.deleteFolder(mine, folder.id, t0)),
            ...times(
              (n) => byTurns(n).createLink(mine, newLink(`g-${round}-${n}`, { folderId: folder.id })),
              10,
            ),
          ];
          const done = await outcomes<unknown>(work, 'FOLDER_NOT_FOUND');
          assert.equal(done.filter((one) => one === true).length, 1, 'one of them removed it');
          assert.equal((await both[0].links(mine, { kind: 'folder', id: folder.id }, 1, 0)).total, 0);
          await both[0].deleteLink(mine, gone.id, t0);
        }
      }));

    test('enforces a limit exactly, for new and restored links', () =>
      using(async (both, mine, byTurns) => {
        const deleted = await Promise.all(times((n) => byTurns(n).createLink(mine, newLink(`old-${n}`)), 20));
        await Promise.all(deleted.map(({ id }, n) => byTurns(n).deleteLink(mine, id, t0)));
        const quota = 13;
        const work = deleted.flatMap(({ id }, n) => [
          byTurns(n).createLink(mine, newLink(`new-${n}`, { quota })),
          byTurns(n + 1).restoreLink(mine, id, t0, quota),
        ]);
        const made = await outcomes(work, 'LIMIT_REACHED');
        assert.equal(made.filter((link) => link !== undefined).length, quota);
        assert.equal((await both[0].usage(mine)).links, quota);
      }));

    test('keeps counters exact after moves, deletes and restores, without deadlocks', () =>
      using(async (both, mine, byTurns) => {
        const folders = await Promise.all(times(() => both[0].createFolder(mine, newFolder()), 3));
        const links = await Promise.all(times((n) => byTurns(n).createLink(mine, newLink(`code-${n}`)), 12));
        const work = times((n) => {
          const { id } = links[n % links.length] ?? { id: '' };
          const folder = [null, ...folders][(n * 7) % 4]?.id ?? null;
          if (n % 5 === 3) return byTurns(n).deleteLink(mine, id, t0);
          if (n % 5 === 4) return byTurns(n).restoreLink(mine, id, t0);
          return byTurns(n).moveLink(mine, id, folder, t0);
        }, 600);
        await outcomes<unknown>(work, 'LINK_NOT_FOUND');
        assert.deepEqual(
          both.map((one) => one.stats().retries),
          [0, 0],
        );
      }));

    test('shows each of many processes the current state of a link', () =>
      using(async (both, mine, byTurns) => {
        const { id } = await both[0].createLink(mine, newLink('one'));
        const folder = await both[0].createFolder(mine, newFolder());
        for (let round = 0; round < 10; round += 1) {
          const deleted = await Promise.all(times((n) => byTurns(n).deleteLink(mine, id, t0), 8));
          assert.equal(deleted.filter(Boolean).length, 1);
          const back = await Promise.all(times((n) => byTurns(n).restoreLink(mine, id, t0), 8));
          assert.equal(back.length, 8);
          await outcomes<unknown>(
            [
              ...times((n) => byTurns(n).moveLink(mine, id, n % 4 < 2 ? folder.id : null, t0), 8),
              ...times((n) => byTurns(n).updateLink(mine, id, { title: `title ${n}` }, t0), 8),
              both[round % 2 === 0 ? 0 : 1].deleteLink(mine, id, t0),
            ],
            'LINK_NOT_FOUND',
          );
          await both[0].restoreLink(mine, id, t0);
        }
        assert.equal((await both[1].links(mine, all, 10, 0)).total, 1);
      }));

    test('gives a request that arrives at both one effect and one response', () =>
      using(async (both, mine, byTurns) => {
        for (let round = 0; round < 10; round += 1) {
          const token = { accountId: mine, key: `key-${round}`, fingerprint: 'f', at: t0 };
          const answers = await Promise.all(
            times(
              (n) => byTurns(n).idempotent(token, (writes) => writes.createLink(mine, newLink(nextId()))),
              10,
            ),
          );
          assert.equal(new Set(answers.map(({ value }) => value.id)).size, 1);
          assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
        }
        assert.equal((await both[0].usage(mine)).links, 10);
        // A write without effect does not claim the idempotency key, so the waiting requests run their own writes.
        const token = { accountId: mine, key: 'none', fingerprint: 'f', at: t0 };
        const nothing = await Promise.all(
          times((n) => byTurns(n).idempotent(token, (writes) => writes.deleteLink(mine, nextId(), t0)), 10),
        );
        assert.deepEqual(new Set(nothing.map(({ replayed }) => replayed)), new Set([false]));
      }));

    test('counts a batch of clicks once, from any process, without blocking other batches', () =>
      using(async (both, mine, byTurns) => {
        const links = await Promise.all(times((n) => byTurns(n).createLink(mine, newLink(`hot-${n}`)), 30));
        const found = await both[0].rowsOf(links.map(({ id }) => hexOf(id)));
        const rows = [...found.values()].map(({ row }) => row);
        const clicks = (order: number) => {
          const inTurn = order % 2 === 0 ? rows : rows.toReversed();
          const sums = new Float64Array(inTurn.flatMap((row) => [row, 1, 0, 1]));
          return { sums, records: recordsOf(mine, sums) };
        };
        const applied = await Promise.all(
          times((n) => byTurns(n).applyClicks({ journal: 'same', from: 0, to: 1, ...clicks(n) }), 10),
        );
        assert.equal(applied.filter(Boolean).length, 1);
        const rounds = 20;
        await Promise.all(
          times(async (one) => {
            for (let at = 0; at < rounds; at += 1) {
              const batch = { journal: `own-${one}`, from: at, to: at + 1, ...clicks(one + at) };
              assert.equal(await byTurns(one).applyClicks(batch), true);
            }
          }, 6),
        );
        const page = await both[1].links(mine, all, 100, 0);
        assert.deepEqual(new Set(page.links.map(({ clicks }) => clicks)), new Set([1 + 6 * rounds]));
        assert.deepEqual(
          both.map((one) => one.stats().retries),
          [0, 0],
        );
      }));

    test('records key uses in any order and keeps the latest', () =>
      using(async (both, _mine, byTurns) => {
        const names = times((n) => `key${String(n).padStart(5, '0')}`, 20);
        for (const name of names) await both[0].createKey(newKey(name));
        await Promise.all(
          times((n) => {
            const order = n % 2 === 0 ? names : names.toReversed();
            return byTurns(n).touchKeys(order.map((id) => ({ id, at: t0 + n })));
          }),
        );
        const used = (await both[1].keys()).map(({ lastUsedAt }) => lastUsedAt);
        assert.deepEqual(new Set(used), new Set([t0 + count - 1]));
        assert.deepEqual(
          both.map((one) => one.stats().retries),
          [0, 0],
        );
      }));

    test('creates one first key and one account', () =>
      using(async (both, _mine, byTurns) => {
        const made = await Promise.all(
          times(
            (n) =>
              byTurns(n).createFirstKey(
                newKey(`first${String(n).padStart(3, '0')}`, { account: `name-${n}` }),
              ),
            8,
          ),
        );
        assert.equal(made.filter((key) => key !== undefined).length, 1);
        assert.equal((await both[0].accounts()).length, 2);
      }));

    test('revokes a key once and gives it one successor, however many rotate it', () =>
      using(async (both, _mine, byTurns) => {
        await both[0].createKey(newKey('oldkey00'));
        const next = (n: number) => ({
          id: `next${String(n).padStart(4, '0')}`,
          digest: new Uint8Array(32).fill(n),
          createdAt: t0,
          oldExpiresAt: t0 + 1_000 - n,
        });
        const rotations = times((n) => byTurns(n).rotateKey('oldkey00', next(n)), 8);
        const made = (await outcomes(rotations, 'INVALID_API_KEY')).filter((key) => key !== undefined);
        assert.equal(made.length, 1);
        const old = await both[1].findKey('oldkey00');
        assert.equal(old?.expiresAt, t0 + 1_000 - Number(made[0]?.id.slice(4)));
        assert.equal((await both[1].keys()).length, 2);
        const revoked = await Promise.all(times((n) => byTurns(n).revokeKey('oldkey00', t0), 8));
        assert.equal(revoked.filter(Boolean).length, 1);
      }));
  });
}
