import { type Bench, measureInRounds, type Values } from '../harness/bench.ts';
import { sleep } from '../harness/process.ts';
import type { Table } from '../harness/report.ts';
import { bareFastify, linkfold, type Program, startServer } from '../harness/server.ts';
import { createsBy, loadWithWrk, visitsOf } from '../harness/wrk.ts';

const bare = 'bare Fastify';
const idleMs = 2_000;
const judged = {
  against: { contender: bare, case: '' },
  goals: {
    ...{ 'redirect ms': { ratio: 1.5 }, 'API ms': { ratio: 1.5 } },
    ...{ 'idle MB': { value: 100 }, 'loaded MB': { value: 180 } },
  },
};

/** Returns the programs to start: a bare Fastify service, and each version once with many links and once with few. */
async function subjectsOf(bench: Bench) {
  const subjects = [{ contender: bare, case: '', values: {}, program: await bareFastify(bench), key: '' }];
  for (const tree of bench.trees)
    for (const dataset of [tree.many, tree.few]) {
      const program = await linkfold(bench, tree, { dataset });
      const series = { contender: tree.name, case: `${dataset.links.toLocaleString('en')} links` };
      subjects.push({ ...series, ...judged, values: {}, program, key: dataset.key });
    }
  return subjects;
}

/** Measures the time from spawn to the first redirect and to the first API response, with a warm page cache. */
export async function measureStart(bench: Bench): Promise<readonly Table[]> {
  const series = await subjectsOf(bench);
  const rounds = bench.options.pace.rounds + 2;
  await measureInRounds(bench, 'start', series, (one) => startOnce(bench, one.program), rounds);
  return [
    {
      part: 'start',
      title: 'Start: from spawn to the first redirect and to the first API response',
      series,
    },
  ];
}

async function startOnce(bench: Bench, program: Program): Promise<Values> {
  const server = await startServer(bench, program);
  const redirectMs = server.age();
  await (await fetch(`${server.url}/api/v1/me`)).text();
  const apiMs = server.age();
  await server.stop();
  return { 'redirect ms': redirectMs, 'API ms': apiMs };
}

/** Measures resident memory when idle after startup, and after bursts of redirects and link creation. */
export async function measureMemory(bench: Bench): Promise<readonly Table[]> {
  const series = await subjectsOf(bench);
  const rounds = Math.ceil(bench.options.pace.rounds / 3);
  const measure = async (one: (typeof series)[number], seconds: number): Promise<Values> => {
    const server = await startServer(bench, one.program);
    await sleep(idleMs);
    const idle = server.memoryMb();
    for (const requests of [visitsOf(bench), createsBy(one.key)])
      await loadWithWrk(bench, server, requests, 2 * seconds);
    await sleep(idleMs);
    const loaded = server.memoryMb();
    await server.stop();
    return { 'idle MB': idle, 'loaded MB': loaded };
  };
  await measureInRounds(bench, 'memory', series, measure, rounds);
  return [
    {
      part: 'memory',
      title: 'Memory including mapped files: when idle, and after redirects and creates',
      series,
    },
  ];
}
