// How many links a second `linkfold links import` brings into SQLite, and what it costs: npm run bench:import -- --help
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { median, number, pairedRatio, ratio } from '../measuring/figures.ts';
import { cpuMsOfEnded, memoryOf } from '../measuring/process.ts';
import { say, sayTable } from '../measuring/report.ts';
import { linkfold, startServer } from '../measuring/servers.ts';
import { workFolder } from '../measuring/work-folder.ts';
import { type Checkout, checkOut, thisCheckout } from '../server/compare.ts';

const usage = `npm run bench:import -- [options]

  --links N        rows of the file; default 200,000
  --rounds N       imports into an empty database; default 3
  --compare REV    measure another version too, in the same rounds: a commit, branch or tag, or a folder with a checkout
`;

const wanted = 20_000;
const run = promisify(execFile);

const newline = 10;

interface Figures {
  readonly perSecond: number;
  /** Processor time for a link, µs: of the server with its threads, and of the command. */
  readonly serverUs: number;
  readonly commandUs: number;
  /** The most that either held, MB: until half of the links were there, and until the end. */
  readonly halfMb: number;
  readonly peakMb: number;
}

/** Rows as people have them: an address, a code, a title in most, and one of some tags. */
async function writeRows(path: string, links: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('url,customCode,title,tags\n');
  for (let n = 0; n < links; n += 1) {
    const title = n % 10 < 6 ? `"Spring sale, part ${n}"` : '';
    const row = [
      `https://shop${n % 500}.example/spring/${n}?utm_source=billboard`,
      `Sale-${n}`,
      title,
      `tag ${n % 20}`,
    ];
    const more = file.write(`${row.join(',')}\n`);
    if (!more) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

async function importOnce(tree: Checkout, dir: string, file: string, links: number): Promise<Figures> {
  rmSync(dir, { recursive: true, force: true });
  const serving = await linkfold(tree.name, { tree: tree.dir, dataDir: dir, code: '' });
  const [program] = serving.command;
  const own = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/tmp', DATA_DIR: dir };
  await run(program, ['db', 'migrate'], { env: own });
  const key = await run(program, ['keys', 'create', '--account', 'bench'], { env: own });
  const server = await startServer({ ...serving, path: '/readyz', status: 200 }, []);
  const env = { ...own, LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key.stdout.trim() };
  const serverBefore = server.cpuMs();
  const endedBefore = cpuMsOfEnded(process.pid);
  const began = performance.now();
  const command = spawn(program, ['links', 'import', file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  command.stdout.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === newline) lines += 1;
  });
  let [halfMb, peakMb] = [0, 0];
  const watch = setInterval(() => {
    const held = [server.memory(), memoryOf(command.pid)].map(({ anonymous }) => anonymous || 0);
    peakMb = Math.max(peakMb, ...held);
    if (lines < links / 2) halfMb = peakMb;
  }, 50);
  const [status] = await once(command, 'close');
  clearInterval(watch);
  const tookMs = performance.now() - began;
  const serverMs = server.cpuMs() - serverBefore;
  const commandMs = cpuMsOfEnded(process.pid) - endedBefore;
  await server.stop();
  if (status !== 0 || lines !== links)
    throw new Error(`The import ended with ${status} after ${lines} of ${links} links.`);
  const usOf = (ms: number): number => (ms / links) * 1_000;
  const perSecond = links / (tookMs / 1_000);
  return { perSecond, serverUs: usOf(serverMs), commandUs: usOf(commandMs), halfMb, peakMb };
}

const { values } = parseArgs({
  options: {
    links: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    compare: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) say(usage);
else {
  const links = Number(values.links);
  const dir = workFolder();
  const file = join(dir, 'links.csv');
  await writeRows(file, links);
  const trees = [thisCheckout(), ...(values.compare === undefined ? [] : [checkOut(values.compare)])];
  const measured = trees.map((tree) => ({ tree, rounds: [] as Figures[] }));
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { tree, rounds } of round % 2 === 0 ? measured : measured.toReversed())
      rounds.push(await importOnce(tree, join(dir, 'data'), file, links));
  sayTable([
    ['', 'links/s', 'µs of the server', 'µs of the command', 'MB half-way', 'MB at most'],
    ...measured.map(({ tree, rounds }) => [
      tree.name,
      ...(['perSecond', 'serverUs', 'commandUs', 'halfMb', 'peakMb'] as const).map((name) =>
        number(median(rounds.map((figures) => figures[name]))),
      ),
    ]),
  ]);
  const [ours = [], theirs] = measured.map(({ rounds }) => rounds.map(({ perSecond }) => perSecond));
  if (theirs !== undefined) say(`Round by round: ${ratio(pairedRatio(ours, theirs).median)} of the other.`);
  say(`Wanted: ${number(wanted)} links/s, and the memory of half of the links for all.`);
}
