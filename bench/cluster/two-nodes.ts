import { median, number, pairedRatio, ratio } from '../measuring/figures.ts';
import { browserHeaders, type Load } from '../measuring/load.ts';
import { perSecond, type Report } from '../measuring/report.ts';
import {
  columns,
  connections,
  forget,
  newSeries,
  type Run,
  ratesOf,
  rowOf,
  type Series,
  seconds,
  startNode,
  warmUpSeconds,
  watched,
} from './node.ts';

/** Two nodes on one PostgreSQL against one of them; the generators share the second core with everything but the first. */
export async function measureTwoNodes(run: Run): Promise<Report> {
  const { dataset, cores, load, rounds } = run;
  const first = await startNode(run, 'PostgreSQL');
  const second = await startNode(run, 'PostgreSQL', { core: cores.load });
  const requests = { headers: browserHeaders, paths: dataset.hotCodes.map((code) => `/${code}`) };
  const [one, two] = [newSeries(), newSeries()];
  const onOne = (long: number): Promise<Load> =>
    watched(run, one, () => load(requests, { server: first.server, connections, seconds: long }));
  const onBoth = (long: number): Promise<Load> =>
    watched(run, two, async () => {
      const half = { connections: connections / 2, seconds: long };
      return sumOf(
        await Promise.all([first, second].map(({ server }) => load(requests, { server, ...half }))),
      );
    });
  for (const warmUp of [onOne, onBoth]) await warmUp(warmUpSeconds);
  [one, two].forEach(forget);
  for (let round = 0; round < rounds; round += 1)
    for (const work of round % 2 === 0 ? [onOne, onBoth] : [onBoth, onOne]) await work(seconds);
  for (const { server } of [first, second]) await server.stop();

  const cpuOf = ({ loads }: Series): number => median(loads.map(({ cpuUs }) => cpuUs));
  /** Of the two cores, 0 to 2. */
  const taken = (series: Series, us: readonly number[]): string =>
    number((median(us) * median(ratesOf(series))) / 1e6);
  const gained = ratio(pairedRatio(ratesOf(two), ratesOf(one)).median);
  return {
    topic: 'nodes',
    title: 'Two nodes against one: the same redirects, in memory',
    columns,
    rows: [rowOf('one node on one core', one), rowOf('two nodes on both cores', two)],
    notes: [
      `Two nodes answer ${gained} times as much as one. Of the two cores the load generators took ${taken(two, two.generatorUs)} (${taken(one, one.generatorUs)} with one node), PostgreSQL ${taken(two, two.databaseUs)}.`,
      `Processor time of a node for one answer: ${number(cpuOf(one))} µs alone, ${number(cpuOf(two))} µs beside the other. With a core of its own, each would answer ${perSecond(1e6 / cpuOf(two))}.`,
    ],
  };
}

function sumOf(loads: readonly Load[]): Load {
  const [any] = loads;
  if (any === undefined) throw new Error('There was no load.');
  const sum = (of: (load: Load) => number): number => loads.reduce((all, one) => all + of(one), 0);
  const answered = sum((one) => one.answered);
  return {
    ...any,
    answered,
    perSecond: sum((one) => one.perSecond),
    p50: Math.max(...loads.map((one) => one.p50)),
    p99: Math.max(...loads.map((one) => one.p99)),
    failed: sum((one) => one.failed),
    cpuUs: sum((one) => one.cpuUs * one.answered) / answered,
  };
}
