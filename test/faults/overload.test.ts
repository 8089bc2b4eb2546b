// More requests than can be served, at a constant rate whether answers come or not. Server and load have a core each
// where that can be said. What is asserted leaves room for a machine on which others work too: goodput is counted by
// the processor time that the server got. `npm run nightly:overload` takes longer, goes up to ten times the capacity
// and prints all figures.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  type ApartServer,
  cpuSeconds,
  type Kind,
  openLoop,
  prepareRequests,
  show,
  startApart,
  streamsAt,
} from './measure.ts';
import type { Figures, Stream } from './open-loop.ts';
import { effort } from './random.ts';

/** Of a stage, seconds. */
const { count: seconds } = effort(2);
const isLong = seconds > 2;
const redirects = 500;
/** So many that more wait than the server takes in. */
const connections = 2_000;
/** With less, what is measured is what others do. */
const leastProcessors = 0.6;
const skip = existsSync('/proc/self/stat') ? false : 'SKIPPED: no /proc to tell processor time';

interface Stage {
  readonly figures: Readonly<Record<string, Figures>>;
  /** API requests that were done, a second. */
  readonly goodput: number;
  /** The same by the processor time of the server. */
  readonly perCpuSecond: number;
  /** Processors that the server had. */
  readonly processors: number;
}

describe('overload', { skip }, () => {
  let server: ApartServer;
  let requests: Readonly<Record<Kind, readonly string[]>>;
  before(async () => {
    server = await startApart();
    requests = await prepareRequests(server, 120);
  });
  after(() => server.stop());

  const run = async (
    t: TestContext,
    stages: Readonly<Record<string, readonly Stream[]>>,
    api: number,
    heedsRetryAfter = false,
  ): Promise<readonly Stage[]> => {
    const marks: number[] = [];
    const mark = (): void => void marks.push(cpuSeconds(server.child.pid));
    const order = {
      port: server.port,
      pools: { redirect: 100, api },
      connectionPatienceMs: 50,
      heedsRetryAfter,
      stages: Object.values(stages).map((streams) => ({ seconds, streams })),
    };
    const results = await openLoop(order, mark);
    mark();
    return results.map((figures, index) => {
      const good = Object.entries(figures).reduce(
        (sum, [name, one]) => (name === 'redirect' ? sum : sum + one.good),
        0,
      );
      const cpu = (marks[index + 1] ?? 0) - (marks[index] ?? 0);
      const stage = { figures, goodput: good / seconds, perCpuSecond: good / cpu, processors: cpu / seconds };
      const rates = `${Math.round(stage.goodput)}/s, ${Math.round(stage.perCpuSecond)} a processor second`;
      t.diagnostic(`${Object.keys(stages)[index]}: ${rates} (${cpu.toFixed(1)} s); ${show(figures)}`);
      return stage;
    });
  };

  const mixtures: Readonly<Record<string, Partial<Record<Kind, number>>>> = {
    writes: { write: 1 },
    ...(isLong && { reads: { read: 1 }, 'writes, reads and lists': { write: 0.4, read: 0.4, list: 0.2 } }),
  };
  for (const [name, shares] of Object.entries(mixtures)) {
    const factors = isLong ? [1, 2, 3, 5, 10] : [3];
    test(`${factors.at(-1)} times as many ${name} as can be served`, async (t) => {
      const kinds = Object.entries(shares) as [Kind, number][];
      const sample = Array.from({ length: 10 }).flatMap((_, at) =>
        kinds.flatMap(([kind, share]) =>
          Array.from(
            { length: Math.round(share * 10) },
            () => requests[kind].at(at % requests[kind].length) as string,
          ),
        ),
      );
      // What is done when each of 32 callers waits for its answer before it asks again.
      const closed = [
        ...streamsAt(requests, { redirect: redirects }),
        { name: 'mixture', requests: sample, rate: 0, pool: 'api' },
      ];
      const [, capacity] = await run(t, { 'to warm up': closed, capacity: closed }, 32);
      assert.ok(capacity !== undefined);
      if (capacity.processors < leastProcessors) {
        return t.skip(
          `SKIPPED: others use this machine, the server had ${capacity.processors.toFixed(2)} processors`,
        );
      }
      const at = (factor: number): Stream[] => {
        const rates = kinds.map(([kind, share]) => [kind, capacity.goodput * share * factor]);
        return streamsAt(requests, { redirect: redirects, ...Object.fromEntries(rates) });
      };
      const overloads = Object.fromEntries(factors.map((factor) => [`${factor} times`, at(factor)]));
      const onset = { 'the onset': at(factors[0] ?? 1) };
      const [, ...stages] = await run(t, { ...onset, ...overloads, afterwards: at(0.2) }, connections);
      const afterwards = stages.at(-1) as Stage;
      if (isLong) await run(t, { 'heeded, the onset': at(3), 'heeded, 3 times': at(3) }, connections, true);

      for (const [index, factor] of factors.entries()) {
        const { figures, perCpuSecond } = stages[index] as Stage;
        const part: number = perCpuSecond / capacity.perCpuSecond;
        assert.ok(part >= 0.6, `${factor} times: ${part.toFixed(2)} of the capacity`);
        for (const [kind, { refused, bare, other }] of Object.entries(figures)) {
          assert.equal(bare, 0, 'without Retry-After');
          assert.deepEqual(other, {}, kind);
          if (kind === 'redirect') assert.equal(refused, 0);
        }
      }
      const { due, good } = Object.values(afterwards.figures)
        .slice(1)
        .reduce((sum, one) => ({ due: sum.due + one.due, good: sum.good + one.good }), { due: 0, good: 0 });
      assert.ok(good >= 0.8 * due, `${good} of ${due} afterwards`);
    });
  }
});
