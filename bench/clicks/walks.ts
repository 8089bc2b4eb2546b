// What a client pays to read everything: single clicks and values of a breakdown, page by page and as a file:
// npm run bench:walks -- --help
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyDatabase, type Dataset, datasetOf, loaderOf } from '../measuring/database.ts';
import { median, number } from '../measuring/figures.ts';
import { say, sayTable } from '../measuring/report.ts';
import { linkfold, type Server, startServer } from '../measuring/servers.ts';
import { workFolder } from '../measuring/work-folder.ts';
import { type Checkout, checkOut, thisCheckout } from '../server/compare.ts';

const usage = `npm run bench:walks -- [options]

  --clicks N       of one day; default 200,000
  --links N        that share them, each with one at least; default 70,000
  --seconds N      within which they came; default 40
  --compare REV    measure another version too: a commit, branch or tag, or a folder with a checkout
`;

const clicksOfBatch = 20_000;
const repeats = 9;

/** Brings clicks to a version's storage, as an applier does, and lets it fold them. */
async function addClicks(tree: Checkout, path: string, links: number, clicks: number, seconds: number) {
  const load = loaderOf(tree.dir);
  const { openStorage } = await load<typeof import('../../src/storage/open.ts')>('storage/open.ts');
  const { createClickCollector } = await load<typeof import('../../src/model/clicks/click-collector.ts')>(
    'model/clicks/click-collector.ts',
    'domain/clicks/click-collector.ts',
  );
  const { unknownFacts } = await load<typeof import('../../src/model/clicks/click-facts.ts')>(
    'model/clicks/click-facts.ts',
    'domain/clicks/click-facts.ts',
  );
  const storage = await openStorage(`sqlite:${path}`);
  const now = Date.now();
  const collector = createClickCollector();
  const facts = { ...unknownFacts(0) };
  for (let from = 0, position = 0; from < clicks; from += clicksOfBatch, position += 1) {
    const end = Math.min(clicks, from + clicksOfBatch);
    for (let click = from; click < end; click += 1) {
      const mixed = Math.imul(click, 0x9e3779b1) >>> 0;
      Object.assign(facts, { visitor: mixed, country: mixed % 40, os: mixed % 5, browser: mixed % 7 });
      Object.assign(facts, {
        utmCampaign: `campaign-${mixed % 300}`,
        referrer: `site-${mixed % 900}.example`,
      });
      const row = 1 + (click < links ? click : Math.floor(links * (mixed / 2 ** 32) ** 4));
      collector.add(1, row, now - 2_000 - Math.floor(((clicks - click) / clicks) * seconds) * 1_000, facts);
    }
    const sums = Float64Array.of(1, Math.floor(now / 3_600_000), 0, end - from);
    const batch = { journal: 'bench', from: position, to: position + 1, sums };
    await storage.applyClicks({ ...batch, records: collector.take() });
    while (await storage.foldClicks(now));
  }
  await storage.close();
}

/** @returns the body, and how long it took, ms */
async function get(server: Server, { key }: Dataset, agent: Agent, path: string) {
  const began = performance.now();
  const asked = request(`${server.url}/api/v1${path}`, {
    agent,
    headers: { authorization: `Bearer ${key}` },
  });
  asked.end();
  const [answer] = await once(asked, 'response');
  let text = '';
  let lines = 0;
  for await (const chunk of answer.setEncoding('utf8')) {
    if (path.includes('/export')) lines += chunk.split('\n').length - 1;
    else text += chunk;
  }
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
  return { json: text === '' ? undefined : JSON.parse(text), lines, ms: performance.now() - began };
}

interface Page {
  readonly data: readonly unknown[] & {
    readonly breakdown?: { readonly values: readonly unknown[]; readonly nextCursor?: string | null };
  };
  readonly pagination?: { readonly nextCursor: string | null };
}

async function walk(ask: (path: string) => ReturnType<typeof get>, path: string): Promise<readonly string[]> {
  const began = performance.now();
  const pages: number[] = [];
  let rows = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json, ms } = await ask(`${path}&cursor=${cursor}`);
    const { data, pagination } = json as Page;
    pages.push(ms);
    rows += data.breakdown?.values.length ?? data.length;
    cursor = pagination?.nextCursor ?? data.breakdown?.nextCursor ?? null;
  }
  return [number(rows), number(median(pages)), number(Math.max(...pages)), number(performance.now() - began)];
}

async function measure(tree: Checkout, links: number, clicks: number, seconds: number): Promise<void> {
  const dataset = await datasetOf(tree.dir, links);
  const program = await linkfold(tree.name, {
    tree: tree.dir,
    dataDir: join(workFolder(), `data-${Date.now()}`),
    code: dataset.hotCodes[0] ?? '',
    env: { LOG_LEVEL: 'warn' },
  });
  const database = join(dirname(program.log), 'linkfold.db');
  copyDatabase(dataset, database);
  await addClicks(tree, database, links, clicks, seconds);
  const server = await startServer(program, [undefined]);
  const agent = new Agent({ keepAlive: true });
  const ask = (path: string) => get(server, dataset, agent, path);
  const several = async (path: string): Promise<string[]> => {
    const times: number[] = [];
    for (let round = 0; round < repeats; round += 1) times.push((await ask(path)).ms);
    return ['', number(median(times)), number(Math.max(...times)), ''];
  };
  const whole = async (path: string): Promise<string[]> => {
    const { lines, ms } = await ask(path);
    return [number(lines), '', '', number(ms)];
  };
  const rows = [
    ['clicks, limit=1', ...(await several('/clicks?limit=1'))],
    ['clicks, limit=1000', ...(await several('/clicks?limit=1000'))],
    ['clicks of a country, limit=1000', ...(await several('/clicks?limit=1000&filter=country:is:DE'))],
    ['walk of clicks by 1,000', ...(await walk(ask, '/clicks?limit=1000'))],
    ['export of clicks', ...(await whole('/clicks/export?format=ndjson'))],
    ['by link, limit=1000', ...(await several('/stats?groupBy=link&limit=1000'))],
    ['walk of links by 1,000', ...(await walk(ask, '/stats?groupBy=link&limit=1000'))],
    ['export of links', ...(await whole('/stats/export?format=ndjson&groupBy=link'))],
  ];
  const { resident } = server.memory();
  agent.destroy();
  await server.stop();
  say(
    `\n${tree.name} ${tree.revision}: ${number(clicks)} clicks within ${number(seconds)} s, on ${number(links)} links`,
  );
  sayTable([['', 'rows', 'median ms', 'max ms', 'all ms'], ...rows]);
  say(`  ${number(resident)} MB in memory after all of it`);
}

const { values } = parseArgs({
  options: {
    clicks: { type: 'string', default: '200000' },
    links: { type: 'string', default: '70000' },
    seconds: { type: 'string', default: '40' },
    compare: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) say(usage);
else {
  const trees = [...(values.compare === undefined ? [] : [checkOut(values.compare)]), thisCheckout()];
  for (const tree of trees)
    await measure(tree, Number(values.links), Number(values.clicks), Number(values.seconds));
}
