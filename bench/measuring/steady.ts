// A steady load for measuring latencies: a fixed number of redirects a second, even if the server falls behind, with
// the time of each request. A separate process, so that it can be pinned; on SIGTERM it writes its samples and ends.
// node bench/measuring/steady.ts TASK.json
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { monotonicMs } from './samples.ts';

/** The load requested by mixed.ts. */
export interface SteadyTask {
  readonly port: number;
  readonly connections: number;
  /** Requests per second. */
  readonly rate: number;
  /** Ends after this time. */
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  /** File for samples: pairs of float64, request time and duration, both in ms. */
  readonly samples: string;
}

const { port, connections, rate, seconds, headers, paths, samples } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as SteadyTask;
const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`));

const seen = new Float64Array(2 * Math.ceil(1.2 * rate * seconds));
let count = 0;
let failed = 0;
let asked = 0;
const idle: number[] = [];
const askedAt = new Float64Array(connections);
/** Due times of requests without a free connection: they have waited since. */
const waiting: number[] = [];
// A longer queue would add nothing if the server is a second behind.
const maxQueue = rate;

function ask(connection: number, since: number): void {
  askedAt[connection] = since;
  asked += 1;
  // A stride coprime to the number of codes visits all of them, with neighbours far apart.
  sockets[connection]?.write(requests[(asked * 7_919) % requests.length] ?? '');
}

const sockets: Socket[] = [];
for (let connection = 0; connection < connections; connection += 1) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let answer = '';
  socket.once('connect', () => idle.push(connection));
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1');
    if (!answer.endsWith('\r\n\r\n')) return;
    if (!answer.startsWith('HTTP/1.1 302 ')) failed += 1;
    answer = '';
    const since = askedAt[connection] ?? 0;
    if (count < seen.length) {
      seen[count] = since;
      seen[count + 1] = monotonicMs() - since;
      count += 2;
    }
    const due = waiting.shift();
    if (due === undefined) idle.push(connection);
    else ask(connection, due);
  });
  socket.on('error', () => {
    failed += 1;
  });
  sockets.push(socket);
}

const start = monotonicMs();
let due = 0;
const timer = setInterval(() => {
  const now = monotonicMs();
  if (now - start > 1_000 * seconds) return finish();
  for (const until = ((now - start) * rate) / 1_000; due < until; due += 1) {
    const connection = idle.shift();
    if (connection === undefined) {
      if (waiting.length < maxQueue) waiting.push(now);
    } else ask(connection, monotonicMs());
  }
}, 1);

function finish(): void {
  clearInterval(timer);
  writeFileSync(samples, new Uint8Array(seen.buffer, 0, 8 * count));
  process.stdout.write(`${JSON.stringify({ failed, unanswered: connections - idle.length })}\n`);
  process.exit(0);
}
process.once('SIGTERM', finish);
