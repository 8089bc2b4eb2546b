// The same load with autocannon if wrk is not installed, in a separate process so that it can be pinned. It is slower
// than wrk, so it may be the bottleneck, and then all servers look alike.
// node bench/measuring/load-autocannon.ts TASK.json
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { quantile } from './figures.ts';

/** The task from load.ts. */
export interface AutocannonTask {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  readonly create?: string | undefined;
  readonly rate?: number | undefined;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly setupRequest?: (request: Request) => Request;
}

interface Client {
  setRequests(requests: readonly Request[]): void;
}

interface Running extends PromiseLike<{ errors: number; timeouts: number; duration: number }> {
  on(event: 'response', seen: (client: Client, status: number, bytes: number, ms: number) => void): void;
}

// autocannon has no types.
const autocannon = createRequire(import.meta.url)('autocannon') as (options: object) => Running;

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as AutocannonTask;
const { url, connections, seconds, headers, paths, create, rate } = task;

let made = 0;
const creating: Request = {
  method: 'POST',
  path: '/api/v1/shorten',
  setupRequest: (request) => {
    made += 1;
    const link = { url: `https://example.com/new/${create}/${made}?utm_source=bench`, title: 'New' };
    return { ...request, body: JSON.stringify(link) };
  },
};

// Each connection has its share of the paths: otherwise all paths would be built and stored per connection.
let clients = 0;
function setupClient(client: Client): void {
  const share = paths.filter((_, index) => index % connections === clients % connections);
  clients += 1;
  if (create === undefined)
    client.setRequests((share.length > 0 ? share : paths).map((path) => ({ method: 'GET', path })));
}

const latencies: number[] = [];
let refused = 0;
const running = autocannon({
  url,
  connections,
  headers,
  setupClient,
  duration: seconds,
  ...(rate !== undefined && { overallRate: rate }),
  requests: create === undefined ? [{ method: 'GET', path: paths[0] }] : [creating],
});
running.on('response', (_client, status, _bytes, ms) => {
  latencies.push(ms);
  if (status >= 400) refused += 1;
});
const { errors, timeouts, duration } = await running;
const answer = {
  answered: latencies.length,
  seconds: duration,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  failed: errors + timeouts + refused,
};
process.stdout.write(`${JSON.stringify(answer)}\n`);
