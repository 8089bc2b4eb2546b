// Sends visits over connections opened the way browsers and proxies open them, or at a constant rate. wrk supports
// neither. Runs as a separate process, so that it can be pinned to a core. Prints its samples at the end, or on
// SIGTERM.
// Usage: node bench/harness/open-visits.ts TASK
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { monotonicMs } from './process.ts';
import type { Visits, VisitTask } from './visits.ts';

const task = JSON.parse(process.argv[2] ?? '') as VisitTask;
const { port, overTls, connections, opens, version, rate, seconds } = task;
const head = Object.entries(task.headers).map(([name, value]) => `${name}: ${value}\r\n`);
const requests = task.codes.map((code) => `GET /${code} HTTP/${version}\r\n${head.join('')}\r\n`);
const start = monotonicMs();
const end = start + 1_000 * seconds;

const samples: Visits['samples'][number][] = [];
let failed = 0;
let written = 0;
let opened = 0;
/** Open connections without a request in flight. Used only with a constant rate. */
const idle: ((since: number) => void)[] = [];
/** Due times of requests that are waiting for a free connection. */
const waiting: number[] = [];

// Number of loopback source addresses. Closed connections occupy their ports for a while, and each address has its own
// ports.
const addresses = 100;

function open(): Socket {
  opened += 1;
  const to = { host: '127.0.0.1', port, localAddress: `127.0.0.${1 + (opened % addresses)}` };
  return overTls
    ? connectTls({ ...to, rejectUnauthorized: false, minVersion: 'TLSv1.3' })
    : connect({ ...to, noDelay: true });
}

/** Returns the length of a response in bytes, or infinity while its header section is incomplete. */
function lengthOf(answer: string): number {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd === -1) return Number.POSITIVE_INFINITY;
  const length = /\r\ncontent-length: *(\d+)/i.exec(answer.slice(0, headEnd))?.[1] ?? '0';
  return headEnd + 4 + Number(length);
}

/** Sends visits on a connection until the connection closes, then opens the next connection. */
function useConnection(): void {
  const socket = open();
  let since = monotonicMs();
  let answer = '';
  let isAnswered = false;
  const ask = (from: number): void => {
    since = from;
    answer = '';
    isAnswered = false;
    written += 1;
    // The stride is coprime to the number of codes, so all codes are visited and consecutive visits are far apart.
    socket.write(requests[(written * 7_919) % requests.length] ?? '');
  };
  const next = (): void => {
    if (rate === undefined) return ask(monotonicMs());
    const due = waiting.shift();
    if (due === undefined) idle.push(ask);
    else ask(due);
  };
  socket.setEncoding('latin1');
  // Without a constant rate, the time of the first visit includes opening the connection.
  socket.once(overTls ? 'secureConnect' : 'connect', () => (rate === undefined ? ask(since) : next()));
  socket.on('data', (chunk) => {
    answer += chunk;
    if (answer.length < lengthOf(answer)) return;
    isAnswered = true;
    samples.push([since, monotonicMs() - since]);
    if (!answer.startsWith('HTTP/1.1 302 ')) failed += 1;
    if (!opens) next();
    // With HTTP/1.0, the server closes the connection.
    else if (version === '1.1') socket.end();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    if (!isAnswered) failed += 1;
    useConnection();
  });
}

for (let connection = 0; connection < connections; connection += 1) useConnection();

let sent = 0;
const timer = setInterval(() => {
  const now = monotonicMs();
  if (now > end) return finish();
  if (rate === undefined) return;
  for (const due = ((now - start) * rate) / 1_000; sent < due; sent += 1) {
    const ask = idle.shift();
    if (ask !== undefined) ask(now);
    // Limits the queue to one second of requests. Beyond that, the server has clearly fallen behind.
    else if (waiting.length < rate) waiting.push(now);
  }
}, 1);

function finish(): void {
  clearInterval(timer);
  process.stdout.write(JSON.stringify({ failed, samples }), () => process.exit(0));
}
process.once('SIGTERM', finish);
