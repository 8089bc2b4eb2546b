// Compares Linkfold with simpler servers, in one run on one machine: npm run bench -- --help
import { writeFileSync } from 'node:fs';
import { takeCores } from './measuring/cores.ts';
import { datasetOf } from './measuring/database.ts';
import { median } from './measuring/figures.ts';
import { createLoad, type Load, type LoadUp } from './measuring/load.ts';
import { isInstalled, machineFacts } from './measuring/machine.ts';
import { clearSteps, showSteps } from './measuring/progress.ts';
import { type Report, say, sayGoals, sayReport } from './measuring/report.ts';
import { workFolder } from './measuring/work-folder.ts';
import { type Options, type Part, readOptions, redirectParts, usage } from './options.ts';
import type { Bench } from './server/bench.ts';
import { checkOut, sayComparison, thisCheckout } from './server/compare.ts';
import { measureConnections } from './server/connections.ts';
import { measureCreates } from './server/creates.ts';
import { measureMemory } from './server/memory.ts';
import { measureMixed } from './server/mixed.ts';
import { sayProfile } from './server/profile.ts';
import { measureRedirects } from './server/redirects.ts';
import { measureStart } from './server/start.ts';
import { measureSustained } from './server/sustained.ts';

const measures: readonly (readonly [readonly Part[], (bench: Bench) => Promise<readonly Report[]>])[] = [
  [redirectParts, measureRedirects],
  [['connections'], measureConnections],
  [['mixed'], measureMixed],
  [['creates'], measureCreates],
  [['start'], measureStart],
  [['memory'], measureMemory],
  [['sustained'], measureSustained],
];

const fewLinks = 1_000;

/** @returns false if anything is wrong, or slower than the version it is compared with */
async function run(options: Options): Promise<boolean> {
  const began = performance.now();
  const cores = takeCores();
  const dir = workFolder();

  const versions = [thisCheckout()];
  if (options.compare !== undefined) versions.push(checkOut(options.compare));
  const trees = [];
  for (const version of versions) {
    const [many, few] = [await datasetOf(version.dir, options.links), await datasetOf(version.dir, fewLinks)];
    trees.push({ ...version, many, few });
  }
  const tool = options.load ?? (isInstalled('wrk', '-v') ? 'wrk' : 'autocannon');
  const facts = {
    revision: versions.map(({ name, revision }) => `${name} ${revision}`).join(', '),
    ...(await machineFacts(dir, tool)),
    cores:
      cores.server === undefined
        ? 'not pinned: server and load share all cores'
        : `server on core ${cores.server}, load on core ${cores.load}`,
  };
  for (const [name, value] of Object.entries(facts)) say(`${name.padEnd(9)} ${value}`);

  const loadUp = createLoad(tool, cores, dir);
  const loads: Load[] = [];
  const load: LoadUp = async (requests, pressure) => {
    const measured = await loadUp(requests, pressure);
    loads.push(measured);
    return measured;
  };
  const bench: Bench = { options, cores, dir, trees, steps: showSteps, load };
  if (options.profile) {
    await sayProfile(bench);
    return true;
  }
  const reports: Report[] = [];
  for (const [names, measure] of measures) {
    if (!names.some((name) => options.only.has(name))) continue;
    const found = await measure(bench);
    clearSteps();
    for (const report of found) sayReport(report);
    sayDisturbance(loads.splice(0));
    reports.push(...found);
  }
  sayGoals(reports);
  say(
    `\nMedians of interleaved rounds, in brackets the least and the most; a ratio is the median of the rounds' own ratios. ${Math.round((performance.now() - began) / 1000)} s.`,
  );
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ facts, reports }, null, 2)}\n`);
  const slower = options.compare !== undefined && sayComparison(reports, versions);
  return !slower && reports.every(({ wrong = [] }) => wrong.length === 0);
}

const worthTelling = 0.1;

function sayDisturbance(loads: readonly Load[]): void {
  const others = median(loads.map((one) => one.others));
  const stolen = median(loads.map((one) => one.cores.stolen));
  // Without pinning, their share of that core is unknown.
  if (Number.isNaN(others) || others < 0) return;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const warning = others < worthTelling ? '' : ': trust the ratios more than the rates, p99 least';
  say(
    `  Other work took ${percent(others)} of the server's core, ${percent(stolen)} of it by the machine below${warning}.`,
  );
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) say(usage);
  else if (!(await run(options))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
