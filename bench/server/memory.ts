import { median, number, ratio } from '../measuring/figures.ts';
import { browserHeaders } from '../measuring/load.ts';
import type { Memory } from '../measuring/process.ts';
import { type Goal, plainGoal, type Report, type Row } from '../measuring/report.ts';
import { baseline, type Program, sleep, startServer } from '../measuring/servers.ts';
import { type Bench, firstTree, linkfoldOn, turned } from './bench.ts';
import { createsBy } from './creates.ts';

const wantedIdleMb = 100;
const wantedLoadedMb = 180;
const idleMs = 2_000;
const connections = 64;

interface Subject {
  readonly program: Program;
  readonly tree: string | undefined;
  readonly key: string;
  /** By round. */
  readonly idle: Memory[];
  readonly loaded: Memory[];
}

/** Measures memory when idle after startup, and after bursts of redirects and creates. */
export async function measureMemory(bench: Bench): Promise<readonly Report[]> {
  const { options, cores, dir, trees, load } = bench;
  const codes = firstTree(bench).many.hotCodes;
  const visits = { headers: browserHeaders, paths: codes.map((code) => `/${code}`) };
  const seconds = 2 * options.pace.seconds;
  const subjects: Subject[] = [];
  const add = (program: Program, tree: string | undefined, key: string): void => {
    subjects.push({ program, tree, key, idle: [], loaded: [] });
  };
  add(await baseline('bare Fastify', 'fastify.ts', { dir, codes }), undefined, '');
  for (const tree of trees) add(await linkfoldOn(bench, tree), tree.name, tree.many.key);

  const rounds = Math.ceil(options.pace.fewRounds / 2);
  const step = bench.steps('memory', rounds * subjects.length);
  for (let round = 0; round < rounds; round += 1) {
    for (const { program, key, idle, loaded } of turned(subjects, round)) {
      step(`round ${round + 1} of ${rounds}, ${program.name}`);
      const server = await startServer(program, [cores.server]);
      await sleep(idleMs);
      idle.push(server.memory());
      await load(visits, { server, connections, seconds });
      await load(createsBy(key), { server, connections, seconds });
      await sleep(idleMs);
      loaded.push(server.memory());
      await server.stop();
    }
  }
  const { name, many } = firstTree(bench);
  const resident = (all: readonly Memory[]): number[] => all.map((one) => one.resident);
  return [
    {
      topic: 'memory',
      title: `Memory with ${many.links.toLocaleString('en')} links: idle, and after ${seconds} s of redirects and ${seconds} s of creates`,
      columns: ['idle MB', 'loaded MB', 'idle ÷ bare Fastify', 'idle anonymous MB', 'loaded anonymous MB'],
      rows: subjects.map((subject) => rowOf(subject, subjects[0] as Subject, subject.tree === name)),
      notes: ['MB is resident memory, mapped files included; anonymous is the part that is in no file.'],
      compared: subjects.flatMap(({ tree, idle, loaded }) =>
        tree === undefined
          ? []
          : [
              { tree, what: 'memory, idle', better: 'less', rounds: resident(idle) },
              { tree, what: 'memory, after load', better: 'less', rounds: resident(loaded) },
            ],
      ),
    },
  ];
}

function middle(all: readonly Memory[]): Memory {
  return {
    resident: median(all.map((one) => one.resident)),
    anonymous: median(all.map((one) => one.anonymous)),
  };
}

function rowOf(subject: Subject, bare: Subject, ruled: boolean): Row {
  const [idle, loaded] = [middle(subject.idle), middle(subject.loaded)];
  const ofBare = idle.resident / middle(bare.idle).resident;
  const mb = (memory: Memory): string => `${number(memory.resident)} MB`;
  const goalFor = (what: string, of: 'idle' | 'loaded', memory: Memory, bound: number): Goal => {
    const measured = { what, ours: mb(memory), reference: `bare Fastify ${mb(middle(bare[of]))}` };
    return plainGoal(measured, memory.resident, ['≤', bound], 'MB');
  };
  return {
    name: subject.program.name,
    cells: [
      number(idle.resident),
      number(loaded.resident),
      ratio(ofBare),
      number(idle.anonymous),
      number(loaded.anonymous),
    ],
    goals: ruled
      ? [
          goalFor('memory, idle', 'idle', idle, wantedIdleMb),
          goalFor('memory, after load', 'loaded', loaded, wantedLoadedMb),
        ]
      : [],
    figures: { idle, loaded, ofBare },
  };
}
