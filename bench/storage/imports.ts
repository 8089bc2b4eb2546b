// Measures the rate and the CPU time of `linkfold import apply`: npm run bench:imports -- --help
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { number } from '../measuring/figures.ts';
import { createVisitor } from '../measuring/one-visitor.ts';
import { cpuMsOfEnded, memoryOf } from '../measuring/process.ts';
import { say, sayTable } from '../measuring/report.ts';
import { linkfold, mainTree, startServer } from '../measuring/servers.ts';
import { workFolder } from '../measuring/work-folder.ts';

const usage = `npm run bench:imports -- [options]

  --links N        links of the file; default 20,000
  --visits N       their visits, spread over a year; default 100,000
  --database URL   an empty PostgreSQL database; default: SQLite
`;
const wanted = { links: 10_000, visits: 40_000 };
const run = promisify(execFile);
const head = {
  type: 'import',
  version: 1,
  source: 'shlink',
  instance: null,
  readAt: '2026-01-01T00:00:00.000Z',
};
const yearMs = 365 * 86_400_000;
const quietMs = 5_000;
const tellEveryMs = 5_000;

async function writeFile(path: string, links: number, visits: number): Promise<void> {
  const file = createWriteStream(path);
  const write = async (line: object): Promise<void> => {
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  };
  await write(head);
  for (let n = 0; n < links; n += 1) {
    const url = `https://shop${n % 500}.example/spring/${n}?utm_source=billboard`;
    await write({
      type: 'link',
      key: `k${n}`,
      domain: null,
      code: `sale-${n}`,
      url,
      title: `Spring sale, part ${n}`,
    });
  }
  const agents = [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'curl/8.5.0',
  ];
  for (let n = 0; n < visits; n += 1) {
    const at = new Date(Date.UTC(2025, 0, 1) + Math.floor((n / visits) * yearMs)).toISOString();
    const link = (n * 7_919) % Math.max(1, links);
    await write({
      type: 'visit',
      key: `k${link}`,
      at,
      country: 'DE',
      referrer: 'news.example',
      userAgent: agents[n % 2],
    });
  }
  await write({ type: 'end', links, visits, buckets: 0, counters: 0, problems: 0 });
  file.end();
  await once(file, 'finish');
}

const { values } = parseArgs({
  options: {
    links: { type: 'string', default: '20000' },
    visits: { type: 'string', default: '100000' },
    database: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) say(usage);
else {
  const [links, visits] = [Number(values.links), Number(values.visits)];
  const dir = workFolder();
  const path = join(dir, 'links.ndjson');
  await writeFile(path, links, visits);
  const dataDir = join(dir, 'data');
  const database = values.database === undefined ? undefined : { DATABASE_URL: values.database };
  const serving = await linkfold('this', {
    tree: mainTree,
    dataDir,
    code: '',
    ...(database && { env: database }),
  });
  const [program] = serving.command;
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '/tmp',
    DATA_DIR: dataDir,
    ...database,
  };
  await run(program, ['db', 'migrate'], { env: own });
  const key = (await run(program, ['keys', 'create', '--account', 'bench'], { env: own })).stdout.trim();
  const server = await startServer({ ...serving, path: '/readyz', status: 200 }, []);
  const env = { ...own, LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key };
  const visitor = createVisitor(server.url, key);
  await visitor.prepare();
  say('Redirects without an import …');
  await visitor.visit(quietMs);
  const quiet = visitor.p99();
  const endedBefore = cpuMsOfEnded(process.pid);
  const began = { ms: performance.now(), cpuMs: server.cpuMs() };
  const command = spawn(program, ['import', 'apply', path], { env, stdio: 'ignore' });
  const ended = once(command, 'close');
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  let [linksMs, linksCpuMs, takenMs, peakMb, toldMs] = [0, 0, 0, 0, 0];
  while (!isOver) {
    await visitor.visit(50);
    peakMb = Math.max(
      peakMb,
      ...[server.memory(), memoryOf(command.pid)].map(({ anonymous }) => anonymous || 0),
    );
    const answer = await fetch(`${server.url}/api/v1/imports`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await answer.json()) as { data: readonly { position: number; state: string }[] };
    const ms = performance.now() - began.ms;
    if (ms - toldMs > tellEveryMs) {
      toldMs = ms;
      const { position = 0, state = 'open' } = data[0] ?? {};
      say(`${number(ms / 1_000)} s: ${number(position)} of ${number(links + visits)} lines, ${state}`);
    }
    if (linksMs === 0 && (data[0]?.position ?? 0) >= links) {
      linksMs = ms;
      linksCpuMs = server.cpuMs() - began.cpuMs;
    }
    if (takenMs === 0 && data[0] !== undefined && data[0].state !== 'open') takenMs = ms;
  }
  const [status] = await ended;
  const allMs = performance.now() - began.ms;
  const serverMs = server.cpuMs() - began.cpuMs;
  // The server's time is included once it has ended.
  const commandMs = cpuMsOfEnded(process.pid) - endedBefore;
  await server.stop();
  if (status !== 0) throw new Error(`The import ended with ${status}.`);
  const perSecond = (count: number, ms: number): string => number(count / (ms / 1_000));
  sayTable([
    ['', 'a second', 'µs of the server each'],
    ['links', perSecond(links, linksMs), number((linksCpuMs / links) * 1_000)],
    ['visits, taken', perSecond(visits, takenMs - linksMs), ''],
    [
      'visits, in statistics',
      perSecond(visits, allMs - linksMs),
      number(((serverMs - linksCpuMs) / visits) * 1_000),
    ],
  ]);
  say(`The command took ${number(commandMs)} ms of a processor; memory at most ${number(peakMb)} MB.`);
  const busy = visitor.p99();
  say(
    `Redirects: p99 ${quiet.toFixed(1)} ms without an import, ${busy.toFixed(1)} ms during it: ${(busy / quiet).toFixed(1)} times as long.`,
  );
  say(
    `Goals: at most twice as long; ${number(wanted.links)} links and ${number(wanted.visits)} visits a second.`,
  );
}
