// For the overload test: a separate process that sends requests at a constant rate, whether or not responses arrive (an
// open loop), so that a slow server gets no time to recover. Latency is measured from the time when a request was due,
// not from when a connection was free.
import { connect, type Socket } from 'node:net';

/** Requests of one kind: their content, rate and connection pool. */
export interface Stream {
  readonly name: string;
  /** Bytes of each request. The requests are sent in rotation. */
  readonly requests: readonly string[];
  /** Requests per second. If it is 0, the next request is sent after each response (a closed loop). */
  readonly rate: number;
  /** Streams with the same pool share their connections. */
  readonly pool: string;
}

export interface Order {
  readonly port: number;
  readonly pools: Readonly<Record<string, number>>;
  readonly stages: readonly LoadStage[];
  /**
   * Client timeout in ms. If it is undefined, the timeout is one second. If it is set, a stage ends once every request
   * has a response or has timed out.
   */
  readonly patienceMs?: number;
}

export interface LoadStage {
  readonly seconds: number;
  readonly streams: readonly Stream[];
}

/** Counts of requests, and latencies in ms. */
export interface LoadStatistics {
  readonly due: number;
  /** Number of responses with 2xx or 3xx within the timeout. */
  readonly good: number;
  readonly goodP50: number;
  readonly goodP99: number;
  readonly refused: number;
  /** Number of rejections whose response has no `Retry-After`. */
  readonly bare: number;
  /**
   * Number of requests that timed out, either because no connection was free or because no response arrived in time.
   */
  readonly given: number;
  /** Number of other responses by status. */
  readonly other: Readonly<Record<string, number>>;
}

/** Messages to the parent process: first that the load begins, then the results of all stages. */
export type FromOpenLoop = 'begins' | { readonly statistics: readonly Record<string, LoadStatistics>[] };

const usualPatienceMs = 1_000;
/** Client timeout in the current order from the parent process, in ms. */
let patienceMs = usualPatienceMs;

interface Job {
  readonly tally: Tally;
  readonly bytes: Buffer;
  readonly due: number;
}

interface Tally {
  readonly stream: Stream;
  readonly bytes: readonly Buffer[];
  readonly good: number[];
  readonly other: Record<string, number>;
  due: number;
  sheds: number;
  bare: number;
  given: number;
}

interface Connection {
  readonly socket: Socket;
  job: Job | undefined;
  /** Number of remaining bytes of the response. Undefined until its headers are complete. */
  rest: number | undefined;
  head: string;
}

const nothing: Stream = { name: '', requests: [], rate: 0, pool: '' };

function newTally(stream = nothing): Tally {
  const bytes = stream.requests.map((request) => Buffer.from(request));
  const counts = { due: 0, sheds: 0, bare: 0, given: 0 };
  return { stream, bytes, good: [], other: {}, ...counts };
}

async function createPool({ port }: Order, size: number, greeting: Buffer | undefined) {
  const idle: Connection[] = [];
  const due: Job[] = [];
  let first = 0;
  let onFree = (): Job | undefined => undefined;

  const send = (connection: Connection, job: Job): void => {
    connection.job = job;
    connection.rest = undefined;
    connection.head = '';
    connection.socket.write(job.bytes);
  };

  const next = (): Job | undefined => {
    const now = performance.now();
    while (first < due.length) {
      const job = due[first] as Job;
      first += 1;
      if (first > 4_096) {
        due.splice(0, first);
        first = 0;
      }
      if (now - job.due <= patienceMs) return job;
      job.tally.given += 1;
    }
    return onFree();
  };

  const finish = (connection: Connection): void => {
    const { job } = connection;
    if (job === undefined) return;
    connection.job = undefined;
    settle(job, connection.head);
    // The server is closing this connection, so another one is opened.
    if (/\r\nconnection: close/i.test(connection.head)) return;
    const following = next();
    if (following === undefined) idle.push(connection);
    else send(connection, following);
  };

  const onBytes = (connection: Connection, length: number, buffer: Buffer): void => {
    let size = length;
    if (connection.rest === undefined) {
      const before = connection.head.length;
      connection.head += buffer.toString('latin1', 0, Math.min(length, 1_024));
      const end = connection.head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const declared = /\r\ncontent-length: (\d+)/i.exec(connection.head)?.[1];
      connection.rest = Number(declared ?? 0);
      size = length - (end + 4 - before);
    }
    connection.rest -= size;
    if (connection.rest <= 0) finish(connection);
  };

  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const connection: Connection = {
        socket: connect({
          port,
          host: '127.0.0.1',
          noDelay: true,
          onread: {
            buffer: Buffer.alloc(65_536),
            callback: (length, buffer) => {
              onBytes(connection, length, buffer as Buffer);
              return true;
            },
          },
        }),
        job: undefined,
        rest: undefined,
        head: '',
      };
      connection.socket.on('connect', () => {
        if (greeting === undefined) idle.push(connection);
        else send(connection, { tally: newTally(), bytes: greeting, due: performance.now() });
        resolve();
      });
      connection.socket.on('error', () => {});
      connection.socket.on('close', () => {
        const { job } = connection;
        if (job !== undefined) job.tally.other['closed'] = (job.tally.other['closed'] ?? 0) + 1;
        const at = idle.indexOf(connection);
        if (at >= 0) idle.splice(at, 1);
        if (!ended) void open();
        resolve();
      });
    });

  for (let count = 0; count < size; count += 100) {
    await Promise.all(Array.from({ length: Math.min(100, size - count) }, open));
  }
  return {
    offer(job: Job): void {
      const connection = idle.pop();
      if (connection === undefined) due.push(job);
      else send(connection, job);
    },
    whenFree(give: () => Job | undefined): void {
      onFree = give;
      for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
        const job = give();
        if (job === undefined) return void idle.push(connection);
        send(connection, job);
      }
    },
    /** Drops requests that are due but have not been sent. */
    drop(): void {
      for (const job of due.splice(first)) job.tally.given += 1;
      due.length = 0;
      first = 0;
    },
  };
}

/**
 * Duration in ms from which a load must keep its unused connections open. The server closes them after ten seconds, but
 * a longer load needs some of them later.
 */
const greetFromMs = 8_000;

/**
 * Returns a request that keeps a pooled connection open: the first request of the pool if that is a GET, or else a
 * probe.
 */
function greetingOf({ stages }: Order, pool: string): Buffer | undefined {
  if (stages.reduce((sum, { seconds }) => sum + 1_000 * seconds, 0) < greetFromMs) return undefined;
  const first = stages[0]?.streams.find((stream) => stream.pool === pool)?.requests[0] ?? '';
  return Buffer.from(first.startsWith('GET ') ? first : 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
}

let ended = false;

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function settle({ tally, due }: Job, head: string): void {
  const now = performance.now();
  const status = head.slice(9, 12);
  if (status === '503') {
    tally.sheds += 1;
    if (!/\r\nretry-after: \d/i.test(head)) tally.bare += 1;
  } else if (status.startsWith('2') || status.startsWith('3')) {
    if (now - due <= patienceMs) tally.good.push(now - due);
    else tally.given += 1;
  } else tally.other[status] = (tally.other[status] ?? 0) + 1;
}

/** Returns a percentile, or 0 for an empty list. */
function percentile(numbers: readonly number[], part: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)] ?? 0;
}

function statisticsOf({ due, good, sheds, bare, given, other }: Tally): LoadStatistics {
  return {
    due,
    good: good.length,
    goodP50: percentile(good, 0.5),
    goodP99: percentile(good, 0.99),
    refused: sheds,
    bare,
    given,
    other,
  };
}

/** Returns true if every due request has a response or timed out. */
function isSettled({ due, good, sheds, given, other }: Tally): boolean {
  return due === good.length + sheds + given + Object.values(other).reduce((sum, count) => sum + count, 0);
}

async function perform(order: Order): Promise<Record<string, LoadStatistics>[]> {
  const { pools, stages } = order;
  patienceMs = order.patienceMs ?? usualPatienceMs;
  const names = Object.entries(pools);
  const open = new Map<string, Awaited<ReturnType<typeof createPool>>>();
  for (const [name, size] of names) open.set(name, await createPool(order, size, greetingOf(order, name)));
  const results: Record<string, LoadStatistics>[] = [];
  process.send?.('begins' satisfies FromOpenLoop);
  for (const { seconds, streams } of stages) {
    const begun = performance.now();
    const end = begun + seconds * 1_000;
    const tallies = streams.map(newTally);
    const jobOf = (tally: Tally, due: number): Job => {
      const bytes = tally.bytes[tally.due % tally.bytes.length] as Buffer;
      tally.due += 1;
      return { tally, bytes, due };
    };
    for (const [name] of names) {
      const closed = tallies.filter(({ stream }) => stream.pool === name && stream.rate === 0);
      let next = 0;
      open.get(name)?.whenFree(() => {
        const now = performance.now();
        const tally = closed[next++ % closed.length];
        return tally === undefined || now >= end ? undefined : jobOf(tally, now);
      });
    }
    const paced = tallies.filter(({ stream }) => stream.rate > 0);
    for (let now = begun; now < end; now = performance.now()) {
      for (const tally of paced) {
        const { rate, pool } = tally.stream;
        const until = ((now - begun) / 1_000) * rate;
        while (tally.due < until) open.get(pool)?.offer(jobOf(tally, begun + (tally.due / rate) * 1_000));
      }
      await tick();
    }
    const answeredBefore = performance.now() + patienceMs;
    if (order.patienceMs !== undefined)
      while (performance.now() < answeredBefore && !tallies.every(isSettled)) await tick();
    for (const pool of open.values()) pool.drop();
    for (const last = performance.now() + 300; performance.now() < last; ) await tick(); // Lets pending requests end.
    results.push(Object.fromEntries(tallies.map((tally) => [tally.stream.name, statisticsOf(tally)])));
  }
  ended = true;
  return results;
}

process.once('message', (order: Order) => {
  void perform(order).then((statistics) => {
    process.send?.({ statistics } satisfies FromOpenLoop, undefined, {}, () => process.exit(0));
  });
});
// Exits when the parent process exits, because nothing else would stop this process.
process.on('disconnect', () => process.exit(0));
