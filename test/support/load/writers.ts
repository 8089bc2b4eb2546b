import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { ask } from '../http/ask.ts';
import { type Random, sleep } from '../random/random.ts';
import { call, type Server } from '../server/server.ts';

export interface Writers {
  /** Returns the number of links acknowledged so far. */
  made(): number;
  /** Returns the number of requests that were rejected or whose connection broke. */
  repeated(): number;
  /** Sends no new changes, and waits until all pending changes are acknowledged. */
  stop(): Promise<void>;
  /** Compares the account's links with the acknowledged links: each exists once, in its last state. */
  verify(node: Server): Promise<void>;
}

const pauseMs = 20;
const acknowledgedWithinMs = 60_000;
let names = 0;

/**
 * Starts clients that create and change links on any node. The clients repeat failed requests with the same
 * `Idempotency-Key` until the requests are acknowledged, as the docs recommend.
 */
export function startWriters(options: {
  readonly nodes: () => readonly { readonly port: number }[];
  /** Key of an account that only these writers use. */
  readonly key: string;
  readonly random: Random;
  readonly writers: number;
}): Writers {
  const { nodes, key, random, writers } = options;
  const agent = new Agent({ keepAlive: true });
  const created = new Map<string, { readonly id: string; title: string | null }>();
  const problems: string[] = [];
  let repeated = 0;
  let stopped = false;

  const untilAcknowledged = async (method: string, path: string, body: object, once?: string) => {
    const headers = once === undefined ? undefined : { 'idempotency-key': once };
    for (const end = performance.now() + acknowledgedWithinMs; ; await sleep(pauseMs)) {
      const { port } = random.pick(nodes());
      const answer = await ask({ port, agent }, { method, path, key, body, headers }).catch(() => undefined);
      if (answer !== undefined && answer.status < 300) return JSON.parse(answer.text).data;
      repeated += 1;
      const mayRepeat = answer === undefined || answer.status === 503 || answer.text.includes('IN_PROGRESS');
      if (mayRepeat && performance.now() < end) continue;
      problems.push(`${method} ${path} answered ${answer?.status}: ${answer?.text}`);
      return undefined;
    }
  };

  const write = async (): Promise<void> => {
    while (!stopped) {
      names += 1;
      const destination = `https://example.com/${process.pid}/${names}`;
      const link = await untilAcknowledged('POST', '/api/v1/shorten', { url: destination }, `once-${names}`);
      if (link === undefined) return;
      const kept = { id: link.id, title: null as string | null };
      created.set(destination, kept);
      if (random.chance(0.7)) continue;
      const title = `title ${names}`;
      if ((await untilAcknowledged('PATCH', `/api/v1/links/${link.id}`, { title })) === undefined) return;
      kept.title = title;
    }
  };
  const work = Array.from({ length: writers }, write);

  return {
    made: () => created.size,
    repeated: () => repeated,
    async stop() {
      stopped = true;
      await Promise.all(work);
      agent.destroy();
      assert.deepEqual(problems, []);
    },
    async verify(node) {
      const found: unknown[][] = [];
      for (let page = 1; ; page += 1) {
        const path = `/api/v1/links?limit=100&page=${page}&include=title`;
        const { json } = await call(node, 'GET', path, { key });
        for (const { destinationUrl, id, title } of json.data) found.push([destinationUrl, id, title]);
        if (json.data.length === 0) break;
      }
      const expected = [...created].map(([destination, { id, title }]) => [destination, id, title]);
      assert.deepEqual(found.toSorted(), expected.toSorted(), 'Every acknowledged link exists exactly once.');
    },
  };
}
