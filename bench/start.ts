import { type Bench, linkfoldOn, turned } from './bench.ts';
import { median, ratio, spread, spreadOf } from './figures.ts';
import { atMost, type Report } from './report.ts';
import { baseline, startServer } from './servers.ts';

const wantedRatio = 2;

/** From spawn to the first redirect, both cores allowed, everything in the page cache. */
export const measureStart = async (bench: Bench): Promise<readonly Report[]> => {
  const { options, many, few, cores, dir, trees, tell } = bench;
  const codes = many.hotCodes;
  const bare = await baseline('bare Fastify', 'baseline-fastify.ts', { dir, codes });
  const programs = [bare, await baseline('bare node:http', 'baseline-http.ts', { dir, codes })];
  const ruled = new Set<unknown>();
  for (const tree of trees) {
    const large = await linkfoldOn(
      bench,
      tree,
      many,
      {},
      `${tree.name}, ${many.links.toLocaleString('en')} links`,
    );
    ruled.add(large);
    const small = await linkfoldOn(
      bench,
      tree,
      few,
      {},
      `${tree.name}, ${few.links.toLocaleString('en')} links`,
    );
    programs.push(large, small);
  }
  const times = new Map(programs.map((program) => [program, [] as number[]]));
  for (let round = 0; round <= options.pace.starts; round += 1) {
    tell(`start: round ${round} of ${options.pace.starts}`);
    for (const program of turned(programs, round)) {
      const server = await startServer(program, cores.all);
      await server.stop();
      if (round > 0) times.get(program)?.push(server.startedInMs); // the first one fills caches
    }
  }
  const floor = median(times.get(bare) ?? []);
  const rows = programs.map((program) => {
    const ms = spreadOf(times.get(program) ?? []);
    const ofBare = ms.median / floor;
    return {
      name: program.name,
      cells: [spread(ms), ratio(ofBare)],
      goal: ruled.has(program) ? atMost(wantedRatio, ofBare, '2.00 × bare Fastify') : undefined,
      figures: { ms, ofBare },
    };
  });
  return [
    {
      topic: 'start',
      title: `Start: from spawn to the first redirect, medians of ${options.pace.starts}`,
      columns: ['ms', '÷ bare Fastify'],
      rows,
    },
  ];
};
