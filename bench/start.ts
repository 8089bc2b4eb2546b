import { type Bench, firstTree, linkfoldOn, turned } from './bench.ts';
import { median, pairedRatio, ratio, spread, spreadOf } from './figures.ts';
import { ms, type Report, type Row, ratioGoal } from './report.ts';
import { baseline, type Program, startServer } from './servers.ts';

const wantedRatio = 1.5;

interface Starter {
  readonly program: Program;
  /** The version, when it is one that is held to the goal. */
  readonly tree: string | undefined;
  readonly times: number[];
}

/** From spawn to the first redirect, both cores allowed, everything in the page cache. */
export const measureStart = async (bench: Bench): Promise<readonly Report[]> => {
  const { options, cores, dir, trees } = bench;
  const codes = firstTree(bench).many.hotCodes;
  const starters: Starter[] = [];
  const add = (program: Program, tree?: string) => {
    starters.push({ program, tree, times: [] });
  };
  add(await baseline('bare Fastify', 'baseline-fastify.ts', { dir, codes }));
  const args = ['no-schema'];
  add(await baseline('bare Fastify without a schema', 'baseline-fastify.ts', { dir, codes, args }));
  add(await baseline('bare node:http', 'baseline-http.ts', { dir, codes }));
  for (const tree of trees) {
    const name = (links: number): string => `${tree.name}, ${links.toLocaleString('en')} links`;
    add(await linkfoldOn(bench, tree, { name: name(tree.many.links) }), tree.name);
    add(await linkfoldOn(bench, tree, { dataset: tree.few, name: name(tree.few.links) }));
  }
  const step = bench.steps('start', starters.length * (options.pace.starts + 1));
  for (let round = 0; round <= options.pace.starts; round += 1) {
    for (const { program, times } of turned(starters, round)) {
      step(`round ${round} of ${options.pace.starts}, ${program.name}`);
      const server = await startServer(program, cores.all);
      await server.stop();
      if (round > 0) times.push(server.startedInMs); // the first one fills caches
    }
  }
  const bare = starters[0]?.times ?? [];
  const rows = starters.map(({ program, tree, times }): Row => {
    const took = spreadOf(times);
    const ofBare = pairedRatio(times, bare).median;
    const measured = { ours: ms(took.median), beside: `bare Fastify ${ms(median(bare))}` };
    const what = `start with ${firstTree(bench).many.links.toLocaleString('en')} links`;
    return {
      name: program.name,
      cells: [spread(took), ratio(ofBare)],
      goals:
        tree === firstTree(bench).name ? [ratioGoal({ what, ...measured }, ofBare, ['≤', wantedRatio])] : [],
      figures: { ms: took, ofBare },
    };
  });
  const { links, clicks } = firstTree(bench).many;
  return [
    {
      topic: 'start',
      title: `Start: from spawn to the first redirect, medians of ${options.pace.starts}; ${links.toLocaleString('en')} links have ${clicks.toLocaleString('en')} clicks`,
      columns: ['ms', '÷ bare Fastify'],
      rows,
      compared: starters.flatMap(({ tree, times }) =>
        tree === undefined ? [] : [{ tree, what: 'start', better: 'less', rounds: times }],
      ),
    },
  ];
};
