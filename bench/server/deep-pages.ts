// What visitors wait for while one client asks for pages deep inside a large account, or for a long list of folders:
// npm run bench:pages -- --help
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { type Cores, pinnedTo, takeCores } from '../measuring/cores.ts';
import { copyDatabase, type Dataset, datasetOf } from '../measuring/database.ts';
import { number, quantile } from '../measuring/figures.ts';
import { say, sayTable } from '../measuring/report.ts';
import { monotonicMs, type Sample, type Span, samplesIn, within } from '../measuring/samples.ts';
import { linkfold, type Server, sleep, startServer } from '../measuring/servers.ts';
import type { SteadyTask } from '../measuring/steady.ts';
import { workFolder } from '../measuring/work-folder.ts';
import { checkOut, thisCheckout } from './compare.ts';

const usage = `npm run bench:pages -- [options]

  --links N        size of the account; default 1,000,000 (made once, kept in bench/.cache)
  --compare REV    measure another version too: a commit, branch or tag, or a folder with a checkout
  --seconds N      how long each client asks; default 4
  --one-core       the server and its threads on one core, the load on the other
`;

const redirectsPerSecond = 1_000;
const folders = 20_000;
const settleMs = 500;

interface Caller {
  readonly name: string;
  /** The path that is asked for next; undefined when nothing is. */
  readonly next?: (round: number) => string;
  /** Whether links are created meanwhile, one after the other. */
  readonly creates?: true;
}

function callersFor({ links, folderId }: Dataset): readonly Caller[] {
  const pages = Math.floor(links / 100);
  const page = (n: number, more = ''): string => `/api/v1/links?limit=100&page=${n}${more}`;
  const scattered = (round: number): number => 1 + ((round * 7_919) % pages);
  return [
    { name: 'nothing' },
    { name: 'page 1', next: () => page(1) },
    { name: 'page in the middle', next: () => page(pages / 2) },
    { name: 'last page', next: () => page(pages) },
    { name: 'page 1,000,000,000', next: () => page(1_000_000_000) },
    { name: 'pages at random', next: (round) => page(scattered(round)) },
    { name: '… while links are created', next: (round) => page(scattered(round)), creates: true },
    { name: 'one folder, its middle', next: () => page(pages / 20, `&folderId=${folderId}`) },
    { name: 'in no folder, its middle', next: () => page(pages / 4, '&folderId=none') },
    { name: `${number(folders)} folders`, next: () => '/api/v1/folders' },
    { name: 'usage of the account', next: () => '/api/v1/me' },
  ];
}

/** The list of folders of an account grows with their number, not with what they hold. */
function addFolders(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    INSERT INTO folders (id, account_id, name, created_at, updated_at)
    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${folders})
    SELECT unhex(printf('0190000000007000%016x', n)), (SELECT MIN(id) FROM accounts), printf('Campaign %d', n), 1, 1 FROM n`);
  database.close();
}

interface Measured {
  readonly answers: readonly number[];
  readonly span: Span;
}

/** Asks one thing after the other, on a connection of its own. */
async function ask({ url }: Server, { key }: Dataset, caller: Caller, seconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const end = monotonicMs() + 1_000 * seconds;
  const one = async (method: string, path: string, wanted: number): Promise<void> => {
    const asked = request(url + path, { method, agent, headers });
    asked.end(method === 'POST' ? '{"url":"https://example.com/"}' : undefined);
    const [answer] = await once(asked, 'response');
    answer.resume();
    await once(answer, 'end');
    if (answer.statusCode !== wanted) throw new Error(`${method} ${path} was answered ${answer.statusCode}.`);
  };
  const creating = async (): Promise<void> => {
    while (caller.creates && monotonicMs() < end) await one('POST', '/api/v1/shorten', 201);
  };
  const reading = async (): Promise<Measured> => {
    const answers: number[] = [];
    const from = monotonicMs();
    for (let round = 0; caller.next !== undefined && monotonicMs() < end; round += 1) {
      const began = monotonicMs();
      await one('GET', caller.next(round), 200);
      answers.push(monotonicMs() - began);
    }
    await sleep(Math.max(0, end - monotonicMs()));
    return { answers, span: { from, to: monotonicMs() } };
  };
  const [measured] = await Promise.all([reading(), creating()]);
  agent.destroy();
  return measured;
}

/** A stream of redirects at a constant rate, beside other load. @returns a function that ends it */
function startStream(cores: Cores, dir: string, port: number, dataset: Dataset, seconds: number) {
  const samples = join(dir, `samples-${port}`);
  const task: SteadyTask = {
    ...{ port, connections: 16, rate: redirectsPerSecond, seconds, samples },
    headers: { Host: 'go.example.com' },
    paths: dataset.hotCodes.map((code) => `/${code}`),
  };
  const file = join(dir, `stream-${port}.json`);
  writeFileSync(file, JSON.stringify(task));
  const script = join(import.meta.dirname, '..', 'measuring', 'steady.ts');
  const child = spawn(...pinnedTo([cores.load], process.execPath, [script, file]), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return async (): Promise<readonly Sample[]> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    return samplesIn(samples);
  };
}

function rowOf(name: string, samples: readonly Sample[], { answers, span }: Measured): string[] {
  const redirects = within(samples, span).map(({ ms }) => ms);
  const at = (values: readonly number[], share: number): string => number(quantile(values, share));
  return [
    ...[name, at(redirects, 0.5), at(redirects, 0.99), at(redirects, 1)],
    ...[at(answers, 0.5), at(answers, 1), number(answers.length), ''],
  ];
}

async function measure(tree: { name: string; dir: string }, links: number, seconds: number, cores: Cores) {
  const dataset = await datasetOf(tree.dir, links);
  const dir = workFolder();
  const program = await linkfold(tree.name, {
    ...{ tree: tree.dir, dataDir: join(dir, `data-${Date.now()}`), code: dataset.hotCodes[0] ?? '' },
    env: { LOG_LEVEL: 'warn' },
  });
  const database = join(dirname(program.log), 'linkfold.db');
  copyDatabase(dataset, database);
  addFolders(database);
  const server = await startServer(program, [cores.server]);
  const callers = callersFor(dataset);
  const stop = startStream(cores, dir, program.port, dataset, callers.length * (seconds + 2) + 10);
  const measured: Measured[] = [];
  for (const caller of callers) {
    await sleep(settleMs);
    measured.push(await ask(server, dataset, caller, seconds));
  }
  const samples = await stop();
  await server.stop();
  say(
    `\n${tree.name}: redirects at ${number(redirectsPerSecond)}/s while one client asks again and again for`,
  );
  const head = ['', 'redirect p50', 'p99', 'max ms', 'answer p50', 'max ms', 'answers', ''];
  sayTable([head, ...callers.map(({ name }, at) => rowOf(name, samples, measured[at] as Measured))]);
}

const { values } = parseArgs({
  options: {
    links: { type: 'string', default: '1000000' },
    compare: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    'one-core': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) say(usage);
else {
  const cores = values['one-core'] ? takeCores() : { server: undefined, load: undefined, all: [] };
  const trees = [thisCheckout(), ...(values.compare === undefined ? [] : [checkOut(values.compare)])];
  for (const tree of trees) await measure(tree, Number(values.links), Number(values.seconds), cores);
}
