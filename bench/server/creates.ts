import { join } from 'node:path';
import { linksIn } from '../measuring/database.ts';
import { median, number, pairedRatio, ratio, spread, spreadOf } from '../measuring/figures.ts';
import type { Load, Requests } from '../measuring/load.ts';
import {
  type Compared,
  perSecond,
  plainGoal,
  type Report,
  type Row,
  ratioGoal,
} from '../measuring/report.ts';
import { baseline, type Program, type Server, startServer } from '../measuring/servers.ts';
import { type Bench, linkfoldOn, turned } from './bench.ts';

const connections = 64;
const wantedOfBare = 0.5;
const wantedPerSecond = 8_000;

/** Creates links, each with its own destination. */
export function createsBy(key: string): Requests {
  return {
    headers: {
      Host: 'go.example.com',
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
    },
    paths: [],
    create: true,
  };
}

interface Subject {
  readonly name: string;
  readonly server: Server;
  readonly requests: Requests;
  readonly loads: Load[];
  /** The database of the links, and their number before; undefined for a contender that stores nothing. */
  readonly stored: { readonly database: string; readonly before: number } | undefined;
  answered: number;
  rounds: number;
}

/** Measures links created a second, each on disk before its response. */
export async function measureCreates(bench: Bench): Promise<readonly Report[]> {
  const { options, load } = bench;
  const { rounds, seconds, warmUpSeconds } = options.pace;
  const subjects = await startSubjects(bench);
  const step = bench.steps('creates', subjects.length * (rounds + 1));
  const create = async (subject: Subject, long: number): Promise<Load> => {
    const { server, requests } = subject;
    const measured = await load(requests, { server, connections, seconds: long });
    subject.answered += measured.answered;
    subject.rounds += 1;
    return measured;
  };

  for (const subject of subjects) {
    step(`warming up ${subject.name}`);
    await create(subject, warmUpSeconds);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of turned(subjects, round)) {
      step(`round ${round + 1} of ${rounds}, ${subject.name}`);
      subject.loads.push(await create(subject, seconds));
    }
  }
  for (const { server } of subjects) await server.stop();
  return [reportOf(bench, subjects)];
}

async function startSubjects(bench: Bench): Promise<readonly Subject[]> {
  const { trees, cores, dir } = bench;
  const subjects: Subject[] = [];
  const begin = async (program: Program, key: string, stored: Subject['stored']): Promise<void> => {
    const server = await startServer(program, [cores.server]);
    const given = { name: program.name, server, requests: createsBy(key), stored };
    subjects.push({ ...given, loads: [], answered: 0, rounds: 0 });
  };
  for (const tree of trees) {
    const program = await linkfoldOn(bench, tree);
    await begin(program, tree.many.key, { database: program.database, before: tree.many.links });
  }
  const codes = trees[0]?.many.hotCodes ?? [];
  const bare = {
    'stores nothing': [],
    'a bare table of SQLite': [join(dir, 'bare-table.db'), String(trees[0]?.many.links ?? 0)],
  };
  for (const [what, args] of Object.entries(bare))
    await begin(await baseline(`bare Fastify, ${what}`, 'create.ts', { dir, codes, args }), '', undefined);
  return subjects;
}

function ratesOf({ loads }: Subject): readonly number[] {
  return loads.map((one) => one.perSecond);
}

function reportOf(bench: Bench, subjects: readonly Subject[]): Report {
  // The first contender that is not Linkfold: it stores nothing.
  const bare = subjects.find(({ stored }) => stored === undefined) as Subject;
  const rows = subjects.map((subject, index): Row => {
    const { name, loads } = subject;
    const rate = spreadOf(ratesOf(subject));
    const p50 = median(loads.map((one) => one.p50));
    const p99 = spreadOf(loads.map((one) => one.p99));
    const ofBare = pairedRatio(ratesOf(subject), ratesOf(bare)).median;
    const cpuUs = median(loads.map((one) => one.cpuUs));
    const failed = loads.reduce((sum, one) => sum + one.failed, 0);
    const measured = { what: 'creates, each durable', ours: perSecond(rate.median) };
    const reference = `bare Fastify ${perSecond(median(ratesOf(bare)))}`;
    return {
      name,
      cells: [spread(rate), number(p50), spread(p99), number(cpuUs), ratio(ofBare), String(failed)],
      goals:
        index > 0
          ? []
          : [
              ratioGoal({ ...measured, reference }, ofBare, ['≥', wantedOfBare]),
              plainGoal(measured, rate.median, ['≥', wantedPerSecond], '/s'),
            ],
      figures: { perSecond: rate, p50, p99, ofBare, cpuUs, failed },
    };
  });
  const checked = subjects.map(countedSentence).filter((one) => one !== undefined);
  return {
    topic: 'creates',
    title: `Creates: each on the disk before its answer (synchronous=FULL), ${connections} connections, into ${bench.trees[0]?.many.links.toLocaleString('en')} links`,
    columns: ['per second', 'p50 ms', 'p99 ms', 'CPU µs', '÷ bare Fastify', 'failed'],
    rows,
    notes: checked.filter(({ whole }) => whole).map(({ sentence }) => sentence),
    wrong: checked.filter(({ whole }) => !whole).map(({ sentence }) => sentence),
    compared: subjects.flatMap(comparedOf),
  };
}

/** Compares stored links with answered creates; those in flight when a load ends are stored but not counted. */
function countedSentence({ name, stored, answered, rounds }: Subject) {
  if (stored === undefined) return undefined;
  const found = linksIn(stored.database);
  const made = found.stored - stored.before;
  const whole = found.counted === found.stored && made >= answered && made <= answered + rounds * connections;
  const sentence = `${name}: ${made.toLocaleString('en')} links stored of ${answered.toLocaleString('en')} answered creates, the rest in flight when loads ended; ${found.counted.toLocaleString('en')} counted of ${found.stored.toLocaleString('en')}.`;
  return { whole, sentence };
}

function comparedOf({ name, loads, stored }: Subject): readonly Compared[] {
  return stored === undefined
    ? []
    : [
        {
          tree: name,
          what: 'creates: per second',
          better: 'more',
          rounds: loads.map((one) => one.perSecond),
        },
        { tree: name, what: 'creates: CPU µs', better: 'less', rounds: loads.map((one) => one.cpuUs) },
      ];
}
