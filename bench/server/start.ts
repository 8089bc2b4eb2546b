import { median, pairedRatio, ratio, type Spread, spread, spreadOf } from '../measuring/figures.ts';
import { ms, type Report, type Row, ratioGoal } from '../measuring/report.ts';
import { baseline, type Program, startServer } from '../measuring/servers.ts';
import { type Bench, firstTree, linkfoldOn, turned } from './bench.ts';

const wantedRatio = 1.5;

interface Starter {
  readonly program: Program;
  /** The version, if the goal applies to it. */
  readonly tree: string | undefined;
  readonly times: number[];
  /** Time until the API answers, which loads later. */
  readonly apiTimes: number[];
}

/**
 * Measures the time from spawn to the first redirect and the first API response, with both cores and a warm page cache.
 */
export async function measureStart(bench: Bench): Promise<readonly Report[]> {
  const { options, cores, dir, trees } = bench;
  const codes = firstTree(bench).many.hotCodes;
  const starters: Starter[] = [];
  const add = (program: Program, tree?: string) => {
    starters.push({ program, tree, times: [], apiTimes: [] });
  };
  add(await baseline('bare Fastify', 'fastify.ts', { dir, codes }));
  const args = ['no-schema'];
  add(await baseline('bare Fastify without a schema', 'fastify.ts', { dir, codes, args }));
  add(await baseline('bare node:http', 'http.ts', { dir, codes }));
  for (const tree of trees) {
    const name = (links: number): string => `${tree.name}, ${links.toLocaleString('en')} links`;
    add(await linkfoldOn(bench, tree, { name: name(tree.many.links) }), tree.name);
    add(await linkfoldOn(bench, tree, { dataset: tree.few, name: name(tree.few.links) }));
  }
  const step = bench.steps('start', starters.length * (options.pace.starts + 1));
  for (let round = 0; round <= options.pace.starts; round += 1) {
    for (const { program, tree, times, apiTimes } of turned(starters, round)) {
      step(`round ${round} of ${options.pace.starts}, ${program.name}`);
      const server = await startServer(program, cores.all);
      if (tree !== undefined) await (await fetch(`${server.url}/api/v1/me`)).text();
      const withApiInMs = server.age();
      await server.stop();
      if (round === 0) continue; // The first start fills caches.
      times.push(server.startedInMs);
      apiTimes.push(withApiInMs);
    }
  }
  const bare = starters[0]?.times ?? [];
  const reference = `bare Fastify ${ms(median(bare))}`;
  const goal = (until: string, took: Spread, ofBare: number) => {
    const what = `start to ${until} with ${firstTree(bench).many.links.toLocaleString('en')} links`;
    return ratioGoal({ what, ours: ms(took.median), reference }, ofBare, ['≤', wantedRatio]);
  };
  const rows = starters.map(({ program, tree, times, apiTimes }): Row => {
    const [took, apiTook] = [spreadOf(times), spreadOf(apiTimes)];
    const [ofBare, apiOfBare] = [pairedRatio(times, bare).median, pairedRatio(apiTimes, bare).median];
    const isHeld = tree === firstTree(bench).name;
    return {
      name: program.name,
      cells: [
        spread(took),
        ratio(ofBare),
        ...(tree === undefined ? ['', ''] : [spread(apiTook), ratio(apiOfBare)]),
      ],
      goals: isHeld ? [goal('the first redirect', took, ofBare), goal('the API', apiTook, apiOfBare)] : [],
      figures: { ms: took, ofBare, ...(tree !== undefined && { apiMs: apiTook, apiOfBare }) },
    };
  });
  const { links, clicks } = firstTree(bench).many;
  return [
    {
      topic: 'start',
      title: `Start: from spawn to the first redirect and to the API, medians of ${options.pace.starts}; ${links.toLocaleString('en')} links have ${clicks.toLocaleString('en')} clicks`,
      columns: ['ms', '÷ bare Fastify', 'API, ms', '÷ bare Fastify'],
      rows,
      compared: starters.flatMap(({ tree, times, apiTimes }) =>
        tree === undefined
          ? []
          : [
              { tree, what: 'start to the first redirect', better: 'less', rounds: times },
              { tree, what: 'start to the API', better: 'less', rounds: apiTimes },
            ],
      ),
    },
  ];
}
