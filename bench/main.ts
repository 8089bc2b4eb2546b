// How fast Linkfold is, beside servers that do less, in one run on one machine: npm run bench -- --help
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Bench } from './bench.ts';
import { takeCores } from './cores.ts';
import { measureCreates } from './creates.ts';
import { cacheDir, datasetOf } from './database.ts';
import { median } from './figures.ts';
import { measureLists } from './lists.ts';
import { createLoad, type LoadUp } from './load.ts';
import { isInstalled, machineFacts, revisionOf } from './machine.ts';
import { measureMemory } from './memory.ts';
import { type Options, readOptions, type Topic, topics, usage } from './options.ts';
import { measureRedirects } from './redirects.ts';
import { type Report, say, sayReport } from './report.ts';
import { killServers, mainTree } from './servers.ts';
import { measureStart } from './start.ts';

const measureOf: Readonly<Record<Topic, (bench: Bench) => Promise<readonly Report[]>>> = {
  redirects: measureRedirects,
  creates: measureCreates,
  lists: measureLists,
  start: measureStart,
  memory: measureMemory,
};

const fewLinks = 1_000;

const run = async (options: Options): Promise<void> => {
  const began = performance.now();
  const cores = takeCores();
  const dir = workFolder();
  const stop = (): void => {
    killServers();
    rmSync(dir, { recursive: true, force: true });
  };
  process.once('exit', stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

  const many = await datasetOf(options.links);
  const few = await datasetOf(fewLinks);
  const tool = options.load ?? (isInstalled('wrk', '-v') ? 'wrk' : 'autocannon');
  const trees = [{ name: 'Linkfold', dir: mainTree }];
  if (options.against !== undefined) trees.push({ name: options.against, dir: resolve(options.against) });
  const facts = {
    revision: trees.map(({ name, dir: tree }) => `${name} ${revisionOf(tree)}`).join(', '),
    ...(await machineFacts(dir, tool)),
    cores:
      cores.server === undefined
        ? 'not pinned: server and load share all cores'
        : `server on core ${cores.server}, load on core ${cores.load}`,
  };
  for (const [name, value] of Object.entries(facts)) say(`${name.padEnd(9)} ${value}`);

  const loadUp = createLoad(tool, cores, dir);
  let others: number[] = [];
  const load: LoadUp = async (requests, pressure) => {
    const measured = await loadUp(requests, pressure);
    others.push(measured.others);
    return measured;
  };
  const bench: Bench = { options, cores, dir, many, few, trees, tell, load };
  const reports: Report[] = [];
  for (const topic of topics.filter((one) => options.only.has(one))) {
    const found = await measureOf[topic](bench);
    tell('');
    for (const report of found) sayReport(report);
    sayDisturbance(median(others));
    others = [];
    reports.push(...found);
  }
  say(
    `\nMedians of interleaved rounds, in brackets the least and the most. ${Math.round((performance.now() - began) / 1000)} s.`,
  );
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ facts, reports }, null, 2)}\n`);
};

const worthTelling = 0.1;

const sayDisturbance = (share: number): void => {
  if (share < worthTelling || Number.isNaN(share)) return;
  say(
    `  Other work took ${Math.round(100 * share)} % of the server's core: trust the ratios more than the rates, p99 least.`,
  );
};

/** A new folder for this run; what runs that were killed left behind goes. */
const workFolder = (): string => {
  mkdirSync(cacheDir, { recursive: true });
  for (const name of readdirSync(cacheDir)) {
    const pid = Number(/^run-(\d+)$/.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && !isAlive(pid)) rmSync(join(cacheDir, name), { recursive: true, force: true });
  }
  const dir = join(cacheDir, `run-${process.pid}`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  return dir;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** On a terminal, one line that is written over; elsewhere nothing, for the tables are all that is wanted. */
const tell = (step: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${step}`);
};

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) say(usage);
  else await run(options);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
