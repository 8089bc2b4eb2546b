// What redirects and creates wait for while a whole manifest is applied: npm run bench:manifests
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '../../src/client/client.ts';
import { maxManifestLinks } from '../../src/model/manifests/manifests.ts';
import { createVisitor } from '../measuring/one-visitor.ts';
import { sayTable } from '../measuring/report.ts';
import { linkfold, mainTree, startServer } from '../measuring/servers.ts';
import { workFolder } from '../measuring/work-folder.ts';

const quietMs = 5_000;
const dataDir = join(workFolder(), 'data');
const serving = await linkfold('this', { tree: mainTree, dataDir, code: '' });
const [program] = serving.command;
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/tmp', DATA_DIR: dataDir };
const run = async (...args: string[]) => (await promisify(execFile)(program, args, { env })).stdout.trim();
await run('db', 'migrate');
const key = await run('keys', 'create', '--account', 'bench');
const server = await startServer({ ...serving, path: '/readyz', status: 200 }, []);
const client = createClient({ baseUrl: server.url, apiKey: key, retries: 0 });
const visitor = createVisitor(server.url, key);
await visitor.prepare();

const table = [['', 'took, ms', 'redirects p50', 'p99', 'longest', 'longest create']];
const note = (name: string, ms: number, longestCreate: number): void => {
  const waits = visitor.took(0.5, 0.99, 1).map((wait) => wait.toFixed(1));
  table.push([name, ms.toFixed(0), ...waits, longestCreate.toFixed(1)]);
};

/** Makes links one by one until told to stop. @returns how long the slowest took, ms */
async function create(isOver: () => boolean): Promise<number> {
  let longest = 0;
  while (!isOver()) {
    const began = performance.now();
    await client.shorten({ url: 'https://example.com/beside' });
    longest = Math.max(longest, performance.now() - began);
  }
  return longest;
}

async function beside(name: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  let tookMs = 0;
  const done = work().finally(() => {
    tookMs = performance.now() - began;
  });
  const creating = create(() => tookMs > 0);
  while (tookMs === 0) await visitor.visit(20);
  await done;
  note(name, tookMs, await creating);
}

async function apply(title: string, count: number): Promise<void> {
  const links = Array.from({ length: count }, (_, n) => ({
    customCode: `kept-${n}`,
    url: `https://shop${n % 500}.example/spring/${n}`,
    title,
  }));
  const body = { links, absent: 'delete' } as const;
  const { seen } = await client.planManifest('bench', body);
  await client.applyManifest('bench', { ...body, seen, maxDeletes: maxManifestLinks });
}

await beside('nothing', () => new Promise((resolve) => setTimeout(resolve, quietMs)));
await beside(`${maxManifestLinks} links made`, () => apply('Spring', maxManifestLinks));
await beside('all changed', () => apply('Summer', maxManifestLinks));
await beside('all deleted', () => apply('Summer', 0));
await server.stop();
sayTable(table);
