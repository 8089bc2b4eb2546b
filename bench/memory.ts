import { type Bench, linkfoldOn } from './bench.ts';
import { number, ratio } from './figures.ts';
import { browserHeaders } from './load.ts';
import { atMost, type Report, type Row } from './report.ts';
import { baseline, type Program, sleep, startServer } from './servers.ts';

const wantedIdleMb = 150;
const idleMs = 2_000;

/** Resident memory: idle after the start, and after a burst of redirects. */
export const measureMemory = async (bench: Bench): Promise<readonly Report[]> => {
  const { options, many, cores, dir, trees, load, tell } = bench;
  const codes = many.hotCodes;
  const programs: Program[] = [];
  for (const tree of trees) programs.push(await linkfoldOn(bench, tree, many));
  const ours = programs.length;
  programs.push(await baseline('bare Fastify', 'baseline-fastify.ts', { dir, codes }));
  const visits = { headers: browserHeaders, paths: codes.map((code) => `/${code}`) };

  const measured: { name: string; idle: number; loaded: number; ours: boolean }[] = [];
  for (const [index, program] of programs.entries()) {
    tell(`memory: ${program.name}`);
    const server = await startServer(program, [cores.server]);
    await sleep(idleMs);
    const idle = server.rss() ?? Number.NaN;
    await load(visits, { server, connections: 64, seconds: 2 * options.pace.seconds });
    await sleep(idleMs);
    const loaded = server.rss() ?? Number.NaN;
    await server.stop();
    measured.push({ name: program.name, idle, loaded, ours: index < ours });
  }
  const floor = measured.at(-1)?.idle ?? Number.NaN;
  const rows = measured.map(
    ({ name, idle, loaded, ours }): Row => ({
      name,
      cells: [number(idle), number(loaded), ratio(idle / floor)],
      goal: ours ? atMost(wantedIdleMb, idle, '150 MB idle') : undefined,
      figures: { idle, loaded, ofBare: idle / floor },
    }),
  );
  return [
    {
      topic: 'memory',
      title: `Memory: resident, with ${many.links.toLocaleString('en')} links`,
      columns: ['idle MB', 'after redirects MB', 'idle ÷ bare Fastify'],
      rows,
    },
  ];
};
