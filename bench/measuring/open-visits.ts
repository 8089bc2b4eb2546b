// Visits over connections as opened by browsers and proxies, which wrk does not support.
// node bench/measuring/open-visits.ts TASK
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { quantile } from './figures.ts';

/** A load, as JSON on the command line. */
export interface VisitTask {
  readonly port: number;
  readonly overTls: boolean;
  /** Number of open connections. */
  readonly connections: number;
  /** True to open a connection for each visit. */
  readonly opens: boolean;
  /** HTTP/1.0 connections end after a response. */
  readonly version: '1.0' | '1.1';
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  readonly seconds: number;
}

export interface VisitFigures {
  readonly answered: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
}

/** Loopback source addresses: each has its own ports, because closed connections keep theirs for a while. */
const addresses = 100;

/** @returns the length of a response in bytes; 0 while its head is incomplete */
function lengthOf(answer: string): number {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(answer.slice(0, end))?.[1] ?? '0';
  return end + 4 + Number(length);
}

async function load({ port, overTls, connections, opens, ...task }: VisitTask): Promise<VisitFigures> {
  const head = Object.entries(task.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = task.paths.map((path) => `GET ${path} HTTP/${task.version}\r\n${head.join('')}\r\n`);
  const took: number[] = [];
  let failed = 0;
  let opened = 0;
  const end = performance.now() + task.seconds * 1_000;

  const open = (): Socket => {
    opened += 1;
    const localAddress = `127.0.0.${1 + (opened % addresses)}`;
    const to = { host: '127.0.0.1', port, localAddress };
    return overTls
      ? connectTls({ ...to, rejectUnauthorized: false, minVersion: 'TLSv1.3' })
      : connect({ ...to, noDelay: true });
  };

  /** Sends visits on one connection until it closes. */
  const useOne = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = open();
      let began = performance.now();
      let answer = '';
      let isAnswered = false;
      const ask = (): void => {
        answer = '';
        isAnswered = false;
        socket.write(requests[Math.floor(Math.random() * requests.length)] ?? '');
      };
      socket.setEncoding('latin1');
      socket.on(overTls ? 'secureConnect' : 'connect', ask);
      socket.on('data', (chunk) => {
        answer += chunk;
        const length = lengthOf(answer);
        if (length === 0 || answer.length < length) return;
        isAnswered = true;
        took.push(performance.now() - began);
        if (!answer.startsWith('HTTP/1.1 302 ')) failed += 1;
        if (opens || performance.now() >= end) {
          // A server asked to close does so itself.
          if (task.version === '1.1') socket.end();
          return;
        }
        began = performance.now();
        ask();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!isAnswered) failed += 1;
        resolve();
      });
    });

  const visitor = async (): Promise<void> => {
    while (performance.now() < end) await useOne();
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  return { answered: took.length, failed, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

const [task] = process.argv.slice(2);
if (task !== undefined) process.stdout.write(JSON.stringify(await load(JSON.parse(task))));
