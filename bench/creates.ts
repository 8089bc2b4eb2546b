import { type Bench, linkfoldOn, type Tree, turned } from './bench.ts';
import { linksIn } from './database.ts';
import { median, number, ratio, spread, spreadOf } from './figures.ts';
import { browserHeaders, type Load, type Requests } from './load.ts';
import { atLeast, atMost, type Goal, type Report } from './report.ts';
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

interface Beside {
  readonly name: string;
  readonly creates: readonly Load[];
  readonly redirects: readonly Load[];
  readonly alone: readonly Load[];
  readonly goal: boolean;
}

/** Redirects alone, while 2,000 links a second are made, and while as many are made as go. */
const measureBeside = async (
  { options, many, load, tell }: Bench,
  tree: Tree,
  subject: Subject,
  create: (subject: Subject, connections: number, seconds: number, rate?: number) => Promise<Load>,
): Promise<readonly Beside[]> => {
  const visits: Requests = { headers: browserHeaders, paths: many.hotCodes.map((code) => `/${code}`) };
  const { server } = subject;
  const { seconds, warmUpSeconds, fewRounds } = options.pace;
  const redirect = (long: number): Promise<Load> =>
    load(visits, { server, connections: redirectConnections, seconds: long });
  const cases = [
    { name: 'nothing else', creates: [] as Load[], redirects: [] as Load[], rate: 0 },
    { name: '2,000 creates/s', creates: [] as Load[], redirects: [] as Load[], rate: wantedPerSecond },
    { name: 'creates without pause', creates: [] as Load[], redirects: [] as Load[], rate: undefined },
  ];
  await redirect(warmUpSeconds);
  for (let round = 0; round < fewRounds; round += 1) {
    for (const one of turned(cases, round)) {
      tell(`redirects beside ${one.name}: round ${round + 1}, ${tree.name}`);
      const creating = one.rate === 0 ? undefined : create(subject, 16, seconds, one.rate);
      one.redirects.push(await redirect(seconds));
      if (creating !== undefined) one.creates.push(await creating);
    }
  }
  const alone = cases[0]?.redirects ?? [];
  return cases.map(({ name, rate, creates, redirects }) => ({
    ...{ name: `${tree.name} beside ${name}`, creates, redirects, alone },
    goal: rate === wantedPerSecond,
  }));
};

const besideReport = (beside: readonly Beside[]): Report => ({
  topic: 'redirects during creates',
  title: `Redirects during creates: ${redirectConnections} connections ask for redirects without pause, 16 create`,
  columns: ['creates/s', 'redirects/s', 'p50 ms', 'p99 ms', 'p99 ÷ alone', 'failed'],
  rows: beside.map(({ name, creates, redirects, alone, goal }) => {
    const made = median(creates.map((one) => one.perSecond));
    const perSecond = spreadOf(redirects.map((one) => one.perSecond));
    const p50 = median(redirects.map((one) => one.p50));
    const p99 = spreadOf(redirects.map((one) => one.p99));
    const p99OfAlone = p99.median / median(alone.map((one) => one.p99));
    const failed = [...creates, ...redirects].reduce((sum, one) => sum + one.failed, 0);
    return {
      name,
      cells: [
        ...[number(made), spread(perSecond), number(p50), spread(p99), ratio(p99OfAlone), String(failed)],
      ],
      goal: goal ? p99Goal(p99OfAlone) : undefined,
      figures: { creates: made, perSecond, p50, p99, p99OfAlone, failed },
    };
  }),
});

const p99Goal = (p99OfAlone: number): Goal => atMost(wantedP99Ratio, p99OfAlone, '3× alone');
