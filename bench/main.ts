// Compares Linkfold with simpler servers, in one run on one machine: npm run bench -- --help
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { type Bench, createRunFolder } from './harness/bench.ts';
import { datasetOf } from './harness/database.ts';
import { selectCores } from './harness/process.ts';
import { print, printTable, type Table } from './harness/report.ts';
import { endServers } from './harness/server.ts';
import { checkOut, printComparison, thisCheckout } from './harness/versions.ts';
import { requireProgram } from './harness/wrk.ts';
import { type Options, type Part, parts, readOptions, usage } from './options.ts';
import { measureConnections } from './parts/connections.ts';
import { measureCreates } from './parts/creates.ts';
import { measureImporting } from './parts/importing.ts';
import { measureMixed } from './parts/mixed.ts';
import { printProfile } from './parts/profile.ts';
import { measureRedirects } from './parts/redirects.ts';
import { measureSizes } from './parts/sizes.ts';
import { measureMemory, measureStart } from './parts/start.ts';
import { measureStatistics } from './parts/statistics.ts';
import { measureSustained } from './parts/sustained.ts';
import { measureWebhooks } from './parts/webhooks.ts';

const measures: Readonly<Record<Part, (bench: Bench) => Promise<readonly Table[]>>> = {
  browser: measureRedirects,
  strict: measureRedirects,
  connections: measureConnections,
  mixed: measureMixed,
  creates: measureCreates,
  start: measureStart,
  memory: measureMemory,
  sustained: measureSustained,
  importing: measureImporting,
  webhooks: measureWebhooks,
  statistics: measureStatistics,
  sizes: measureSizes,
};
const fewLinks = 1_000;

/**
 * Runs the benchmark.
 * @returns false if there are errors, or if this version is slower than the version it is compared with
 */
async function run(options: Options): Promise<boolean> {
  const began = performance.now();
  for (const program of ['wrk', 'nginx'] as const) requireProgram(program);
  const cores = selectCores();
  const dir = createRunFolder();
  const trees = [];
  const { compare } = options;
  for (const version of [thisCheckout(), ...(compare === undefined ? [] : [checkOut(compare)])]) {
    const [many, few] = [await datasetOf(version.dir, options.links), await datasetOf(version.dir, fewLinks)];
    trees.push({ ...version, many, few });
  }
  const facts = {
    versions: trees.map(({ name, revision }) => `${name} ${revision}`).join(', '),
    machine: `${os.cpus()[0]?.model}, ${os.cpus().length} cores, ${os.type()} ${os.release()}`,
    software: `Node ${process.version}, SQLite ${process.versions['sqlite']}`,
    cores:
      cores.server === undefined
        ? 'not pinned: server and load share all cores'
        : `server on core ${cores.server}, load on core ${cores.load}`,
    others: `load average ${os.loadavg()[0]?.toFixed(1)} before the run`,
  };
  for (const [name, value] of Object.entries(facts)) print(`${name.padEnd(9)} ${value}`);

  const bench: Bench = { options, cores, dir, trees };
  if (options.profile) {
    await printProfile(bench);
    return true;
  }
  const tables: Table[] = [];
  const wanted = parts.filter((part) => options.only.has(part)).map((part) => measures[part]);
  for (const measure of new Set(wanted)) {
    for (const table of await measure(bench)) {
      printTable(table);
      tables.push(table);
    }
    await endServers('SIGTERM');
  }
  print('\nMedians of interleaved rounds; ÷ is the median ratio per round to the baseline server or case.');
  print(`${Math.round((performance.now() - began) / 1_000)} s`);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ facts, tables }, null, 2)}\n`);
  const isWorse = compare !== undefined && printComparison(tables, compare);
  return !isWorse && tables.every(({ errors = [] }) => errors.length === 0);
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) print(usage);
  else if (!(await run(options))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
