import { join } from 'node:path';
import { type Bench, measureInRounds } from '../harness/bench.ts';
import type { Table } from '../harness/report.ts';
import { linkfold, runCommand, startServer } from '../harness/server.ts';
import { writeImportFile } from './import-file.ts';

/** Files to import. `goal` is the minimum number of lines per second. */
const files = {
  links: { links: 20_000, visits: 0, goal: 10_000 },
  visits: { links: 200, visits: 100_000, goal: 40_000 },
} as const;

/**
 * Measures `linkfold import apply` with a file of links, and with a file of visits. An import of visits ends when the
 * statistics include them.
 */
export async function measureImporting(bench: Bench): Promise<readonly Table[]> {
  const subjects = [];
  for (const tree of bench.trees) {
    const server = await startServer(bench, await linkfold(bench, tree));
    for (const [name, { goal, ...file }] of Object.entries(files)) {
      const series = { contender: tree.name, case: name, goals: { 'lines/s': { value: goal } }, values: {} };
      subjects.push({ ...series, tree, server, file });
    }
  }
  const path = join(bench.dir, 'import.ndjson');
  const rounds = Math.ceil(bench.options.pace.rounds / 3);
  let imports = 0;
  await measureInRounds(
    bench,
    'importing',
    subjects,
    async ({ tree, server, file: { links, visits } }) => {
      imports += 1;
      writeImportFile(path, `import-${imports}`, links, visits);
      const [began, before] = [performance.now(), server.cpuMs()];
      await runCommand(bench, { tree, server, core: 'load' }, ['import', 'apply', path]);
      const [ms, cpuMs, lines] = [performance.now() - began, server.cpuMs() - before, links + visits];
      const values = { 'lines/s': (1_000 * lines) / ms, 'CPU µs': (1_000 * cpuMs) / lines };
      return { ...values, 'MB after': server.memoryMb() };
    },
    rounds,
  );
  const title = 'Imports of 20,000 links, and of 100,000 visits until they are in the statistics';
  return [{ part: 'importing', title, series: subjects }];
}
