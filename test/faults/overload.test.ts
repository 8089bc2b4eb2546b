// More requests than can be served, at a constant rate whether answers come or not. Server and load have a core each
// where that can be said. On a machine on which others work too, goodput is counted by the processor time that the server
// got and beside the capacity just before and just after, and what others took of its core is allowed for where times are
// judged; where they took a third, or the disk held everything up, it says so instead. `npm run nightly:overload` takes
// longer, goes up to ten times the capacity and prints all figures.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  type ApartServer,
  canPin,
  type Kind,
  openLoop,
  prepareRequests,
  show,
  startApart,
  streamsAt,
  type ThreadSeconds,
  threadSeconds,
} from '../support/load/measure.ts';
import type { Figures, Stream } from '../support/load/open-loop.ts';
import { effort } from '../support/random/random.ts';

/** Of a stage, seconds. */
const { count: seconds } = effort(2);
const isLong = seconds > 2;
const redirects = 500;
/** So many that more wait than the server takes in. */
const connections = 2_000;
/** The same of clients who do as `Retry-After` says, most of whom are waiting for that. */
const patientConnections = 3_500;
/** For nine of ten, ms. */
const refusedWithinMs = 20;
/** For all but one of a hundred, ms: some meet a collection of the old objects, which is one turn of the event loop. */
const latestMs = 80;
/** Of what a machine makes of one run. */
const allowance = 2;
/** Beyond this many times the capacity, times are only printed. */
const maxJudged = 3;
/** With less than this of a core, what is measured is what others do. */
const leastShare = 0.7;
/** With all the work that it takes, a server that uses less than this of its core waits for its disk. */
const leastBusy = 0.5;
const skip = existsSync('/proc/self/schedstat') ? false : 'SKIPPED: no /proc to tell processor time';

interface Plan {
  readonly streams: readonly Stream[];
  /** Without it as long as all. */
  readonly seconds?: number;
}

interface Stage {
  readonly figures: Readonly<Record<string, Figures>>;
  /** API requests that were done, a second. */
  readonly goodput: number;
  /** The same by the processor time of the server. */
  readonly perCpuSecond: number;
  /** The part of its core that others left to the server. */
  readonly share: number;
  /** The part of its core that the server used. */
  readonly busy: number;
}

/** Others than its own threads, which have the same core. */
function shareOf(from: ThreadSeconds, to: ThreadSeconds, took: number): number {
  const waited = to.waited - from.waited - (canPin ? to.helpers - from.helpers : 0);
  return 1 - Math.min(1, Math.max(0, waited / took));
}

/** Where the capacity was not to be seen, neither is what is three times as much. @returns what spoils a judgement */
function spoiltBy(capacities: readonly Stage[], stage: Stage): Stage | undefined {
  return (
    [...capacities, stage].find(({ share }) => share < leastShare) ??
    capacities.find(({ busy }) => busy < leastBusy)
  );
}

function notJudged(t: TestContext, what: string, { share, busy }: Stage): void {
  const why =
    share < leastShare
      ? `others left the server ${share.toFixed(2)} of its core`
      : `the disk was so slow that the server used ${busy.toFixed(2)} of its core`;
  const sentence = `NOT JUDGED: ${what}: ${why}`;
  t.diagnostic(sentence);
  process.stderr.write(`${sentence}.\n`);
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
    plans: Readonly<Record<string, Plan>>,
    api = 1,
    heedsRetryAfter = false,
  ): Promise<Readonly<Record<string, Stage>>> => {
    const marks: (ThreadSeconds & { readonly at: number })[] = [];
    const mark = (): void =>
      void marks.push({ ...threadSeconds(server.child.pid), at: performance.now() / 1_000 });
    const order = {
      port: server.port,
      pools: { redirect: 100, api, callers: 32 },
      connectionPatienceMs: 50,
      heedsRetryAfter,
      stages: Object.values(plans).map((plan) => ({ seconds, settlingSeconds: 1, ...plan })),
    };
    const results = await openLoop(order, mark);
    mark();
    const stages = results.map((figures, index) => {
      const good = Object.entries(figures).reduce(
        (sum, [name, one]) => (name === 'redirect' ? sum : sum + one.good),
        0,
      );
      const [name, plan] = Object.entries(plans)[index] as [string, Plan];
      const [from, to] = marks.slice(index, index + 2) as [(typeof marks)[0], (typeof marks)[0]];
      const cpu = to.cpu - from.cpu;
      const share = shareOf(from, to, to.at - from.at);
      const busy = cpu / (to.at - from.at);
      const goodput = good / (plan.seconds ?? seconds);
      const stage = { figures, goodput, perCpuSecond: good / cpu, share, busy };
      const rates = `${Math.round(stage.goodput)}/s, ${Math.round(stage.perCpuSecond)} a processor second`;
      const had = `${cpu.toFixed(1)} s, others left ${share.toFixed(2)}`;
      t.diagnostic(`${name}: ${rates} (${had}); ${show(figures)}`);
      return [name, stage];
    });
    return Object.fromEntries(stages);
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
      const calls = { name: 'mixture', requests: sample, rate: 0, pool: 'callers' };
      const aside = streamsAt(requests, { redirect: redirects });
      const closed: Plan = { streams: [...aside, calls] };
      const { capacity } = await run(t, { 'to warm up': closed, capacity: closed });
      assert.ok(capacity !== undefined);
      // What it would have been without others.
      const possible = Math.max(capacity.goodput, capacity.goodput / capacity.share);
      const at = (rate: number): Plan => {
        const rates = kinds.map(([kind, share]) => [kind, rate * share]);
        return { streams: streamsAt(requests, { redirect: redirects, ...Object.fromEntries(rates) }) };
      };
      const overload = (factor: number) => ({ [`${factor} times`]: at(factor * possible) });
      const onset = { 'the onset': at((factors[0] ?? 1) * possible) };
      // A machine is not always as fast: each overload has its own capacity beside it.
      const pause: Plan = { streams: aside, seconds: 1 };
      const besides = factors.map((factor) => ({
        ...overload(factor),
        [`a pause after ${factor} times`]: pause,
        [`capacity after ${factor} times`]: closed,
      }));
      const stages = await run(
        t,
        Object.assign({ ...onset, 'a pause': pause, 'capacity before': closed }, ...besides, {
          afterwards: at(0.2 * capacity.goodput),
        }),
        connections,
      );
      const overloads = Object.assign({}, ...factors.map(overload));
      const heeded = await run(t, { ...onset, ...overloads }, patientConnections, true);

      let before = stages['capacity before'] as Stage;
      for (const factor of factors) {
        const name = `${factor} times`;
        const [stage, patient, after] = [
          stages[name],
          heeded[name],
          stages[`capacity after ${name}`],
        ] as Stage[];
        assert.ok(stage !== undefined && patient !== undefined && after !== undefined);
        const beside = (before.perCpuSecond + after.perCpuSecond) / 2;
        const part = stage.perCpuSecond / beside;
        t.diagnostic(`${name}: ${part.toFixed(2)} of the capacity beside it`);
        const spoilt = spoiltBy([before, after], stage);
        if (spoilt !== undefined) notJudged(t, `goodput at ${name}`, spoilt);
        else assert.ok(part >= 0.6, `${name}: ${part.toFixed(2)} of the capacity`);
        for (const { figures } of [stage, patient]) {
          for (const [kind, { refused, bare, other }] of Object.entries(figures)) {
            assert.equal(bare, 0, 'without Retry-After');
            assert.deepEqual(other, {}, kind);
            if (kind === 'redirect') assert.equal(refused, 0);
          }
        }
        judgeRefusals(t, factor, capacity, patient);
        before = after;
      }
      const afterwards = stages['afterwards'] as Stage;
      const { due, good } = Object.values(afterwards.figures)
        .slice(1)
        .reduce((sum, one) => ({ due: sum.due + one.due, good: sum.good + one.good }), { due: 0, good: 0 });
      if (afterwards.share < leastShare) notJudged(t, 'what comes afterwards', afterwards);
      else assert.ok(good >= 0.8 * due, `${good} of ${due} afterwards`);
    });
  }

  /** Whoever waits as he was told is refused in time, as he sees it himself. */
  const judgeRefusals = (t: TestContext, factor: number, capacity: Stage, stage: Stage): void => {
    const name = `${factor} times`;
    if (factor < 2 || factor > maxJudged) return;
    const spoilt = spoiltBy([capacity], stage);
    if (spoilt !== undefined) return notJudged(t, `how late is refused at ${name}`, spoilt);
    const timed = Object.entries(stage.figures).filter(([, { timedRefusals }]) => timedRefusals >= 100);
    assert.ok(timed.length > 0, `${name}: hardly anybody was refused`);
    for (const [kind, { refusedUnlaggedP90: p90, refusedUnlaggedP99: p99 }] of timed) {
      const late = `${kind} at ${name}: refused after ${p90.toFixed(1)} ms, ${p99.toFixed(1)} ms`;
      assert.ok(p90 <= (allowance * refusedWithinMs) / stage.share, late);
      assert.ok(p99 <= (allowance * latestMs) / stage.share, late);
    }
  };
});
