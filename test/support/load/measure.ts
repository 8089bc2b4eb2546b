import { fork } from 'node:child_process';
import { join } from 'node:path';
import { as } from '../server/server.ts';
import type { FromOpenLoop, LoadStatistics, Order, Stream } from './open-loop.ts';

const script = join(import.meta.dirname, 'open-loop.ts');

/**
 * Sends requests from a separate process.
 * @param onBegin called once the connections are open
 * @returns every stage's results, by stream name
 */
export function openLoop(
  order: Order,
  onBegin: () => void = () => {},
): Promise<readonly Record<string, LoadStatistics>[]> {
  return new Promise((resolve, reject) => {
    const child = fork(script);
    process.once('exit', () => child.kill('SIGKILL'));
    child.on('message', (message: FromOpenLoop) => {
      if (message === 'begins') onBegin();
      else resolve(message.statistics);
    });
    child.once('exit', (code) => reject(new Error(`The open loop exited with ${code}.`)));
    child.send(order);
  });
}

export type Kind = 'redirect' | 'write' | 'read' | 'list';

/** Creates links to follow and read, and returns the bytes of each kind of request. */
export async function prepareRequests(
  server: { readonly url: string; newKey(): Promise<{ readonly key: string }> },
  links: number,
): Promise<Readonly<Record<Kind, readonly string[]>>> {
  const { key } = await server.newKey();
  const api = as(server, key);
  const made: { id: string; shortCode: string }[] = [];
  for (let count = 0; count < links; count += 1) {
    const body = { url: `https://example.com/${count}`, title: `Link number ${count}` };
    made.push((await api.post('/api/v1/shorten', body)).json.data);
  }
  const auth = `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
  const body = JSON.stringify({ url: 'https://example.com/spring?utm_source=billboard', title: 'Spring' });
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const browser = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0\r\n';
  return {
    redirect: made.map(({ shortCode }) => `GET /${shortCode} HTTP/1.1\r\nHost: a\r\n${browser}\r\n`),
    write: [`POST /api/v1/shorten HTTP/1.1\r\n${auth}${type}\r\n${body}`],
    read: made.map(({ id }) => `GET /api/v1/links/${id} HTTP/1.1\r\n${auth}\r\n`),
    list: [`GET /api/v1/links?limit=100 HTTP/1.1\r\n${auth}\r\n`],
  };
}

/** Returns a stream per kind of request at its rate. Redirects use one connection pool, and the API another. */
export function streamsAt(
  requests: Readonly<Record<Kind, readonly string[]>>,
  rates: Partial<Record<Kind, number>>,
): Stream[] {
  return Object.entries(rates).map(([name, rate]) => ({
    name,
    requests: requests[name as Kind],
    rate,
    pool: name === 'redirect' ? 'redirect' : 'api',
  }));
}

export function show(statistics: Readonly<Record<string, LoadStatistics>>): string {
  return Object.entries(statistics)
    .map(([name, one]) => {
      const { due, good, goodP50, goodP99, refused, given, other } = one;
      const rest = Object.entries(other).map(([what, count]) => `, ${count} × ${what}`);
      const times = `p50 ${goodP50.toFixed(1)}, p99 ${goodP99.toFixed(1)} ms`;
      const givenUp = given === 0 ? '' : `, ${given} given up`;
      return `${name} ${good} of ${due} (${times}), ${refused} refused${givenUp}${rest.join('')}`;
    })
    .join('; ');
}
