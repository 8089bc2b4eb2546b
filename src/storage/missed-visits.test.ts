import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { dayOf, startOfDay } from '../model/clicks/click-days.ts';
import { createMissedVisits } from '../model/clicks/missed-visits.ts';
import { openStorage } from './open.ts';
import { newLink } from './storage.fixtures.ts';

const t0 = Date.UTC(2027, 0, 1);
const today = dayOf(t0);

test('keeps a frequent name among any number of others', () => {
  const missed = createMissedVisits(10);
  for (let n = 0; n < 1_000; n += 1) {
    missed.unknown(`guess-${n}`);
    if (n % 4 === 0) missed.unknown('poster');
  }
  const { codes, links } = missed.take();
  assert.deepEqual([links, missed.isEmpty], [[], true]);
  assert.ok(codes.length <= 10);
  const visits = codes.find(({ code }) => code === 'poster')?.visits ?? 0;
  assert.ok(visits <= 250 && visits >= 250 - 1_250 / 11, `${visits}`);
});

for (const engine of engines) {
  describe(`not-found visits on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    test('are summed by day, for links and unknown codes, and expire', async () => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url);
      try {
        const mine = (await storage.createAccount('mine', t0))?.id ?? 0;
        const foreign = (await storage.createAccount('theirs', t0))?.id ?? 0;
        const old = await storage.createLink(mine, newLink('Old', { expiresAt: 5 }));
        const gone = await storage.createLink(mine, newLink('Gone'));
        await storage.createLink(foreign, newLink('live'));
        const [oldRow, goneRow] = await Promise.all(
          ['old', 'gone'].map(async (code) => (await storage.findTarget(code))?.row ?? 0),
        );
        assert.ok(oldRow && goneRow);
        await storage.deleteLink(mine, gone.id, t0);

        const missed = createMissedVisits();
        for (const code of ['gone', 'gone', 'live', 'typo', 'typo', 'typo', 'other']) missed.unknown(code);
        for (let n = 0; n < 5; n += 1) missed.link(oldRow, 'expired');
        missed.link(goneRow, 'disabled');
        const counted = missed.take();
        for (const day of [today - 1, today, today]) await storage.addMissedVisits(day, counted, today - 29);

        const ofOld = { linkId: old.id, code: 'Old', host: null, reason: 'expired', lastDay: today };
        const ofGone = { linkId: gone.id, code: 'Gone', host: null, lastDay: today };
        assert.deepEqual(await storage.missedVisits(mine, today - 29, 10), [
          { ...ofOld, visits: 15 },
          { ...ofGone, reason: 'deleted', visits: 6 },
          { ...ofGone, reason: 'disabled', visits: 3 },
        ]);
        assert.deepEqual(await storage.missedVisits(mine, today, 1), [{ ...ofOld, visits: 10 }]);
        assert.deepEqual(await storage.missedVisits(foreign, today - 29, 10), []);
        assert.deepEqual(await storage.unknownCodes(today - 29, 10), [
          { code: 'typo', visits: 9, lastDay: today },
          { code: 'other', visits: 3, lastDay: today },
        ]);

        const excluded = createMissedVisits();
        for (let n = 0; n < 4; n += 1) excluded.link(oldRow, 'excluded');
        const some = excluded.take();
        for (const day of [today, today, today - 1]) await storage.addMissedVisits(day, some, today - 29);
        const ids = [old.id, gone.id];
        assert.deepEqual([...(await storage.excludedVisits(mine, today, ids))], [[old.id, 8]]);
        assert.deepEqual([...(await storage.excludedVisits(mine, today - 1, ids))], [[old.id, 4]]);
        assert.equal((await storage.excludedVisits(foreign, today, ids)).size, 0, 'another account');
        const reasons = (await storage.missedVisits(mine, today - 29, 10)).map(({ reason }) => reason);
        assert.deepEqual(reasons, ['expired', 'deleted', 'disabled'], 'they were redirected');

        const before = startOfDay(today + 1);
        assert.equal(await storage.hasWork('deleteOldMissedVisits', startOfDay(today - 1)), false);
        assert.equal(await storage.hasWork('deleteOldMissedVisits', before), true);
        await storage.addMissedVisits(today + 30, { links: [], codes: [] }, today + 1);
        assert.equal(await storage.hasWork('deleteOldMissedVisits', before), false);
        assert.deepEqual(await storage.unknownCodes(0, 10), []);
        assert.deepEqual(await storage.missedVisits(mine, 0, 10), []);
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    });

    test('stores a branding per account until it is removed', async () => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url);
      try {
        const [mine = 0, theirs = 0] = [
          (await storage.createAccount('mine', 1))?.id,
          (await storage.createAccount('theirs', 1))?.id,
        ];
        const given = { name: 'Äcme', accent: '#1f4d41', logo: 'x'.repeat(43_000), message: 'a\nb' };
        const first = { ...given, contact: null, expiredUrl: 'https://example.com/', updatedAt: 5 };
        assert.equal(await storage.branding(mine), undefined);
        await storage.putBranding(mine, first);
        assert.deepEqual({ ...(await storage.branding(mine)) }, first);
        assert.equal(await storage.branding(theirs), undefined);
        const second = { ...first, name: null, logo: null, contact: 'mailto:a@b', updatedAt: 6 };
        await storage.putBranding(mine, second);
        await storage.deleteBranding(theirs);
        assert.deepEqual({ ...(await storage.branding(mine)) }, second);
        await storage.deleteBranding(mine);
        assert.equal(await storage.branding(mine), undefined);
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    });

    test('keeps the codes with the most visits in a day', async () => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url);
      try {
        const codes = Array.from({ length: 10_050 }, (_, n) => ({ code: `c${n}`, visits: n + 1 }));
        await storage.addMissedVisits(today, { links: [], codes }, today);
        const retained = await storage.unknownCodes(today, 20_000);
        assert.deepEqual(
          [retained.length, retained[0]?.code, retained.at(-1)?.code],
          [10_000, 'c10049', 'c50'],
        );
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    });
  });
}
