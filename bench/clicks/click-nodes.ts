// What it takes to add clicks to PostgreSQL: `npm run bench:clicks`. Each node adds batches of 500 sums, one of them of a
// link that all nodes have, alone, and four at a time, and one of them folds. The database syncs each commit.
import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../src/model/storage.ts';
import { openStorage } from '../../src/storage/open.ts';
import { startPostgres } from '../../test/support/postgres/postgres.ts';

const seconds = Number(process.env['LINKFOLD_SECONDS'] ?? 5);
const sumsPerBatch = 500;
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
const hour = 500_000;

const server = await startPostgres({
  settings: { fsync: 'on', log_lock_waits: 'on' },
});
const nodes: Storage[] = [];
for (let n = 0; n < 4; n += 1) nodes.push(await openStorage(server.url()));

async function createLinks(storage: Storage): Promise<number[]> {
  const account = (await storage.createAccount('bench', 1))?.id ?? 0;
  const rest = { title: null, description: null, expiresAt: null, folderId: null, createdAt: 1 };
  const to = { destination: 'https://example.com/', location: 'https://example.com/' };
  const ids = Array.from({ length: sumsPerBatch }, (_, n) => n.toString(16).padStart(32, '0'));
  const dashed = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  await Promise.all(
    ids.map((id, n) =>
      storage.createLink(account, { id: dashed(id), codes: [`bench-${n}`], ...to, ...rest }),
    ),
  );
  return [...(await storage.rowsOf(ids)).values()].map(({ row }) => row).sort((a, b) => a - b);
}

const [first] = nodes;
if (first === undefined) throw new Error('There is no node.');
const rows = await createLinks(first);
const sums = new Float64Array(rows.flatMap((row) => [row, hour, 0, 1]));

async function measure(title: string, adders: readonly Storage[], pauseMs: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const tookMs: number[] = [];
  const add = async (storage: Storage): Promise<void> => {
    const journal = crypto.randomUUID();
    for (let at = 0; performance.now() < end; at += 1) {
      const began = performance.now();
      await storage.applyClicks({ journal, from: at, to: at + 1, sums });
      tookMs.push(performance.now() - began);
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  let folds = 0;
  const fold = async (storage: Storage): Promise<void> => {
    for (let after: number | undefined; performance.now() < end; folds += 1) {
      after = await storage.rollUpClicks(after ?? 0, 250);
      await pause(40);
    }
  };
  await Promise.all([...adders.map(add), ...adders.slice(0, 1).map(fold)]);
  tookMs.sort((a, b) => a - b);
  const at = (share: number): string => `${(tookMs[Math.floor(tookMs.length * share)] ?? 0).toFixed(1)} ms`;
  say(
    `${title}: ${tookMs.length} batches, median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.9999)}; ${folds} slices folded`,
  );
}

await measure('1 node, batch after batch', nodes.slice(0, 1), 0);
await measure('4 nodes, batch after batch', nodes, 0);
await measure('1 node, a batch every 0.2 s', nodes.slice(0, 1), 200);
await measure('4 nodes, a batch every 0.2 s', nodes, 200);
const log = server.log();
function times(what: RegExp): number {
  return log.match(what)?.length ?? 0;
}
say(`deadlocks ${times(/deadlock detected/g)}, waits for a lock over 1 s ${times(/still waiting/g)}`);
say(`transactions performed again ${nodes.reduce((sum, node) => sum + node.stats().retries, 0)}`);
for (const node of nodes) await node.close();
await server.end();
