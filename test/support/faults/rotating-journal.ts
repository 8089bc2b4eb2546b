// For the power-loss test: storage, journal and applier as in the service, but with segments of four clicks and an
// applier that runs often. Otherwise, the test would need a million clicks. Ends on SIGTERM.
import { join } from 'node:path';
import { createApplier } from '../../../src/clicks/applier.ts';
import { openJournal } from '../../../src/clicks/journal/journal.ts';
import { drainOrphans } from '../../../src/clicks/recovery.ts';
import { unknownFacts } from '../../../src/model/clicks/click-facts.ts';
import { openStorage } from '../../../src/storage/open.ts';

const segmentBytes = 200;
const intervalMs = 70;
const links = 3;
const pauseMs = 1;

const dataDir = process.env['DATA_DIR'] ?? '';
function complain(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
const dir = join(dataDir, 'clicks');
const journal = openJournal({ dir, durability: 'default', onError: complain, segmentBytes });
const storage = await openStorage(`sqlite:${join(dataDir, 'linkfold.db')}`, { journal: journal.id });
const applier = createApplier({ storage, journal, onError: complain, intervalMs });
await drainOrphans({ dir, storage, onError: complain });

const createdAt = Date.now();
const key = {
  id: 'k',
  account: 'a',
  plan: 'pro',
  scopes: [],
  name: 'k',
  createdAt,
  expiresAt: null,
} as const;
const { accountId } = await storage.createKey({ ...key, digest: new Uint8Array(32) });
const codes = Array.from({ length: links }, (_, index) => `code-${index}`);
for (const code of codes) {
  const url = `https://example.com/${code}`;
  const texts = { title: null, description: null, expiresAt: null, folderId: null };
  const id = crypto.randomUUID();
  await storage.createLink(accountId, {
    id,
    codes: [code],
    destination: url,
    location: url,
    ...texts,
    createdAt,
  });
}
applier.start();

let stopped = false;
process.once('SIGTERM', () => {
  stopped = true;
});
process.stdout.write(`${JSON.stringify({ msg: 'ready', url: 'http://127.0.0.1:1' })}\n`);
for (let clicks = 0; !stopped; clicks += 1) {
  const target = await storage.findTarget(codes[clicks % links] ?? '');
  if (target !== undefined) journal.append(target, Date.now(), unknownFacts(0), () => {});
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
await applier.close();
await storage.close();
