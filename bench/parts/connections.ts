import { type Bench, measureInRounds } from '../harness/bench.ts';
import type { Table } from '../harness/report.ts';
import { linkfold, nginx, type Server, startServer } from '../harness/server.ts';
import { durationOf, startVisits, type Way } from '../harness/visits.ts';

/** Ways to connect. `goal` is the maximum ratio of Linkfold's CPU time to nginx's. */
const ways: Readonly<Record<string, Omit<Way, 'seconds'> & { readonly goal: number }>> = {
  '64 connections kept alive': { connections: 64, version: '1.1', goal: 1.2 },
  '1 connection kept alive': { connections: 1, version: '1.1', goal: 1.6 },
  'a new connection for each visit': { connections: 64, version: '1.1', opens: true, goal: 1.9 },
  'HTTP/1.0, Connection: close': { connections: 64, version: '1.0', opens: true, goal: 2.2 },
  'TLS 1.3, kept alive': { connections: 64, version: '1.1', overTls: true, goal: 1.3 },
  'TLS 1.3, new connections': { connections: 64, version: '1.1', opens: true, overTls: true, goal: 1.3 },
};

/** Measures the CPU time of a redirect for each kind of connection, compared with an nginx that logs each visit. */
export async function measureConnections(bench: Bench): Promise<readonly Table[]> {
  const contenders: { contender: string; plain: Server; tls: Server }[] = [];
  for (const tree of bench.trees) {
    const plain = await startServer(bench, await linkfold(bench, tree));
    const tls = await startServer(bench, await linkfold(bench, tree, { overTls: true }));
    contenders.push({ contender: tree.name, plain, tls });
  }
  const other = await startServer(bench, await nginx(bench));
  contenders.push({ contender: 'nginx', plain: other, tls: other });

  const subjects = Object.entries(ways).flatMap(([name, { goal, ...way }]) =>
    contenders.map(({ contender, plain, tls }) => {
      const series = { contender, case: name, against: { contender: 'nginx' }, values: {} };
      return { ...series, goals: { 'CPU µs': { ratio: goal } }, server: way.overTls ? tls : plain, way };
    }),
  );
  const errors: string[] = [];
  await measureInRounds(bench, 'connections', subjects, async (subject, seconds) => {
    const { server, way } = subject;
    const before = server.cpuMs();
    const { samples, failed } = await startVisits(bench, server, { ...way, seconds }).ended;
    const cpuUs = (1_000 * (server.cpuMs() - before)) / samples.length;
    if (failed > 0) errors.push(`${failed} visits to ${subject.contender} failed: ${subject.case}.`);
    return { 'CPU µs': cpuUs, 'p50 ms': durationOf(samples, 0.5), 'p99 ms': durationOf(samples, 0.99) };
  });
  const title = "Redirects by connection, with a browser's 11 headers";
  return [{ part: 'connections', title, series: subjects, errors }];
}
