import { type Bench, linkfoldOn, type Tree, turned } from './bench.ts';
import { linksIn } from './database.ts';
import { median, number, ratio, spread, spreadOf } from './figures.ts';
import { browserHeaders, type Load, type Requests } from './load.ts';
import { atLeast, type Goal, type Report } from './report.ts';
import { baseline, type Program, type Server, startServer } from './servers.ts';

const wantedPerSecond = 2_000;
const wantedP99Ratio = 3;
const redirectConnections = 64;

const createsBy = (key: string): Requests => ({
  headers: {
    Host: 'go.example.com',
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Accept: 'application/json',
  },
  paths: [],
  create: true,
});

interface Subject {
  readonly name: string;
  readonly server: Server;
  readonly database: string | undefined;
  readonly loads: Map<number, Load[]>;
  answered: number;
  /** Creates that may have been in flight when a load ended. */
  inFlight: number;
}

/** Durable creates a second, beside a Fastify that stores nothing; and what they do to redirects. */
export const measureCreates = async (bench: Bench): Promise<readonly Report[]> => {
  const { options, many, load, tell, trees, cores, dir } = bench;
  const requests = createsBy(many.key);
  const subjects: Subject[] = [];
  const begin = async (program: Program & { database?: string }): Promise<Subject> => ({
    name: program.name,
    server: await startServer(program, [cores.server]),
    database: program.database,
    loads: new Map([
      [16, []],
      [64, []],
    ]),
    answered: 0,
    inFlight: 0,
  });
  const create = async (
    subject: Subject,
    connections: number,
    seconds: number,
    rate?: number,
  ): Promise<Load> => {
    const { server } = subject;
    const measured = await load(requests, {
      ...{ server, connections, seconds },
      ...(rate !== undefined && { rate }),
    });
    subject.answered += measured.answered;
    subject.inFlight += connections;
    return measured;
  };

  for (const tree of trees) subjects.push(await begin(await linkfoldOn(bench, tree, many)));
  const bare = await begin(
    await baseline('bare Fastify, stores nothing', 'baseline-fastify.ts', { dir, codes: many.hotCodes }),
  );
  for (const subject of [...subjects, bare]) {
    tell(`creates: warming up ${subject.name}`);
    await create(subject, 16, options.pace.warmUpSeconds);
  }
  for (let round = 0; round < options.pace.fewRounds; round += 1) {
    for (const connections of [16, 64]) {
      for (const subject of turned([...subjects, bare], round)) {
        tell(`creates: round ${round + 1}, ${connections} connections, ${subject.name}`);
        subject.loads.get(connections)?.push(await create(subject, connections, options.pace.seconds));
      }
    }
  }
  const beside: Beside[] = [];
  for (const [index, subject] of subjects.entries()) {
    beside.push(...(await measureBeside(bench, trees[index] as Tree, subject, create)));
  }
  for (const { server } of [...subjects, bare]) await server.stop();
  return [createsReport(bench, subjects, bare), besideReport(beside)];
};

const createsReport = (bench: Bench, subjects: readonly Subject[], bare: Subject): Report => {
  const rate = (subject: Subject, connections: number): number =>
    median((subject.loads.get(connections) ?? []).map((one) => one.perSecond));
  const rows = [16, 64].flatMap((connections) =>
    [...subjects, bare].map((subject) => {
      const loads = subject.loads.get(connections) ?? [];
      const perSecond = spreadOf(loads.map((one) => one.perSecond));
      const p50 = median(loads.map((one) => one.p50));
      const p99 = spreadOf(loads.map((one) => one.p99));
      const failed = loads.reduce((sum, one) => sum + one.failed, 0);
      const ofBare = perSecond.median / rate(bare, connections);
      const cpuUs = median(loads.map((one) => one.cpuUs));
      const rules = subject !== bare && connections === 16;
      return {
        name: `${subject.name}, ${connections} connections`,
        cells: [spread(perSecond), number(p50), spread(p99), ratio(ofBare), number(cpuUs), String(failed)],
        goal: rules ? atLeast(wantedPerSecond, perSecond.median, '2,000/s') : undefined,
        figures: { perSecond, p50, p99, ofBare, cpuUs, failed },
      };
    }),
  );
  return {
    topic: 'creates',
    title: `Creates: each on the disk before its answer (synchronous=FULL), into ${bench.many.links.toLocaleString('en')} links`,
    columns: ['per second', 'p50 ms', 'p99 ms', '÷ bare Fastify', 'CPU µs', 'failed'],
    rows,
    notes: subjects.map((subject) => storedSentence(subject, bench.many.links)),
  };
};

const storedSentence = ({ name, database, answered, inFlight }: Subject, before: number): string => {
  const { counted, stored } = linksIn(database ?? '');
  const extra = stored - before - answered;
  const whole = counted === stored && extra >= 0 && extra <= inFlight;
  const verdict = whole
    ? `every one, and ${extra} in flight when loads ended`
    : `WRONG: ${extra} more than answered, ${counted} counted of ${stored} stored`;
  return `${name}: ${(stored - before).toLocaleString('en')} links stored of ${answered.toLocaleString('en')} answered creates: ${verdict}.`;
};

/** Redirects with, and without, creates beside them. */
interface Beside {
  readonly tree: string;
  readonly name: string;
  /** The same redirects without creates. */
  readonly alone: readonly Load[];
  readonly redirects: Load[];
  readonly creates: Load[];
  readonly redirectRate: number | undefined;
  /** Creates a second; 0 for none, undefined for as many as go. */
  readonly createRate: number | undefined;
}

const steadyRedirects = 10_000;

const besideCases = (tree: string): readonly Beside[] => {
  const paced: Load[] = [];
  const full: Load[] = [];
  const steady = { tree, creates: [], redirectRate: steadyRedirects, alone: paced };
  const saturating = { tree, creates: [], redirectRate: undefined, alone: full };
  return [
    { ...steady, name: '10,000 redirects/s alone', redirects: paced, createRate: 0 },
    { ...steady, name: '… beside 2,000 creates/s', creates: [], redirects: [], createRate: wantedPerSecond },
    { ...saturating, name: 'redirects without pause alone', redirects: full, createRate: 0 },
    { ...saturating, name: '… and creates too', creates: [], redirects: [], createRate: undefined },
  ];
};

/** At a steady rate that leaves room for both, where latency shows who waits for whom; and with both without pause. */
const measureBeside = async (
  { options, many, load, tell }: Bench,
  tree: Tree,
  subject: Subject,
  create: (subject: Subject, connections: number, seconds: number, rate?: number) => Promise<Load>,
): Promise<readonly Beside[]> => {
  const visits: Requests = { headers: browserHeaders, paths: many.hotCodes.map((code) => `/${code}`) };
  const { server } = subject;
  const { seconds, warmUpSeconds, fewRounds } = options.pace;
  const redirect = (long: number, rate?: number): Promise<Load> =>
    load(visits, {
      ...{ server, connections: redirectConnections, seconds: long },
      ...(rate !== undefined && { rate }),
    });
  const cases = besideCases(tree.name);
  await redirect(warmUpSeconds);
  for (let round = 0; round < fewRounds; round += 1) {
    for (const one of turned(cases, round)) {
      tell(`${one.name}: round ${round + 1}, ${tree.name}`);
      const creating = one.createRate === 0 ? undefined : create(subject, 16, seconds, one.createRate);
      one.redirects.push(await redirect(seconds, one.redirectRate));
      if (creating !== undefined) one.creates.push(await creating);
    }
  }
  return cases;
};

const besideReport = (beside: readonly Beside[]): Report => ({
  topic: 'redirects during creates',
  title: `Redirects during creates: ${redirectConnections} connections redirect, 16 create`,
  columns: ['creates/s', 'redirects/s', 'p50 ms', 'p99 ms', 'p99 ÷ alone', 'failed'],
  rows: beside.map(({ tree, name, creates, redirects, alone, redirectRate, createRate }) => {
    const made = median(creates.map((one) => one.perSecond));
    const perSecond = spreadOf(redirects.map((one) => one.perSecond));
    const p50 = median(redirects.map((one) => one.p50));
    const p99 = spreadOf(redirects.map((one) => one.p99));
    const p99OfAlone = p99.median / median(alone.map((one) => one.p99));
    const failed = [...creates, ...redirects].reduce((sum, one) => sum + one.failed, 0);
    const rules = redirectRate !== undefined && createRate === wantedPerSecond;
    return {
      name: `${tree}: ${name}`,
      cells: [number(made), spread(perSecond), number(p50), spread(p99), ratio(p99OfAlone), String(failed)],
      goal: rules ? p99Goal(p99OfAlone, made) : undefined,
      figures: { creates: made, perSecond, p50, p99, p99OfAlone, failed },
    };
  }),
});

/** Holds only where the creates were really made: a server that starves them has an easy p99. */
const p99Goal = (p99OfAlone: number, made: number): Goal => ({
  wanted: '≤ 3× alone, at 2,000 creates/s',
  met: p99OfAlone <= wantedP99Ratio && made >= 0.95 * wantedPerSecond,
});
