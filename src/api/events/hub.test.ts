import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { until } from '../../../test/support/until.ts';
import { createClickCollector } from '../../model/clicks/click-collector.ts';
import { unknownFacts } from '../../model/clicks/click-facts.ts';
import { eventTypes } from '../../model/clicks/events.ts';
import { openStorage } from '../../storage/open.ts';
import { newLink } from '../../storage/storage.fixtures.ts';
import { createEventHub } from './hub.ts';

test('limits memory for a client that does not read, delays no other client, and delivers all events when it reads', async () => {
  const storage = await openStorage(`sqlite:${temporaryFolder('hub')}/linkfold.db`);
  const hub = createEventHub({
    storage,
    now: Date.now,
    onError: (sentence) => assert.fail(sentence),
    randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
  });
  try {
    const accountId = (await storage.createAccount('mine', 1))?.id ?? 0;
    await storage.createLink(accountId, newLink('code'));
    const row = (await storage.findTarget('code'))?.row ?? 0;
    const asked = {
      accountId,
      keyId: 'k',
      types: new Set(eventTypes),
      restrictions: () => undefined,
      requireStill: async () => {},
    };
    const slow = hub.follow(asked);
    const quick = hub.follow(asked);
    let seen = '';
    quick.on('data', (piece) => {
      seen += String(piece);
    });
    await until('the streams have begun', () => seen.includes('ready') && slow.readableLength > 20);

    const clicks = 6_000;
    // The timeout is long, because each poll reads megabytes.
    const patience = { withinMs: 180_000, everyMs: 250 };
    const collector = createClickCollector();
    for (let n = 0; n < clicks; n += 1) collector.add(accountId, row, n, unknownFacts(0));
    const sums = Float64Array.from([row, 0, 0, clicks]);
    await storage.applyClicks({ journal: 'j', from: 0, to: 1, sums, records: collector.take() });
    const idsIn = (text: string) => [...text.matchAll(/^id: (.*)\nevent: click$/gm)].map(([, id]) => id);
    await until('the quick reader has all events', () => idsIn(seen).length === clicks, patience);
    // The buffer exceeds the limit by at most one page.
    assert.ok(slow.readableLength < 400_000, `${slow.readableLength}`);

    let late = '';
    slow.on('data', (piece) => {
      late += String(piece);
    });
    await until('the slow reader has all events', () => idsIn(late).length >= clicks, patience);
    assert.deepEqual(idsIn(late), idsIn(seen));
    assert.equal(new Set(idsIn(seen)).size, clicks);
    assert.equal(hub.clients(), 2);
  } finally {
    hub.close();
    assert.equal(hub.clients(), 0);
    await storage.close();
  }
});
