import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { ask } from '../http/ask.ts';
import { type Random, sleep } from '../random/random.ts';
import { call, type Server } from '../server/server.ts';

export interface Visitors {
  /** Returns the number of visits that have been redirected so far. */
  answered(): number;
  /** Descriptions of responses other than redirects. */
  readonly refused: readonly string[];
  /** Returns the durations in ms of the responses since the last call. */
  times(): number[];
  stop(): Promise<void>;
  /** Compares the clicks on an account's links with the acknowledged visits. */
  verify(node: Server, key: string): Promise<void>;
}

const betweenMs = 2;
const maxRefusals = 20;

/** Follows links on every node repeatedly. Before this returns, each node has followed each link once. */
export async function startVisitors(options: {
  readonly nodes: readonly Server[];
  readonly random: Random;
  readonly codes: readonly string[];
  readonly perNode: number;
}): Promise<Visitors> {
  const { nodes, random, codes, perNode } = options;
  const agent = new Agent({ keepAlive: true });
  const clicks = new Map<string, number>();
  const refused: string[] = [];
  let times: number[] = [];
  let answered = 0;
  let stopped = false;

  const visit = async ({ port }: Server, code: string): Promise<void> => {
    const begun = performance.now();
    const { status, text } = await ask({ port, agent }, { method: 'GET', path: `/${code}` });
    times.push(performance.now() - begun);
    if (status === 302) {
      answered += 1;
      clicks.set(code, (clicks.get(code) ?? 0) + 1);
    } else if (refused.length < maxRefusals) refused.push(`${status} ${text}`);
  };
  for (const node of nodes) for (const code of codes) await visit(node, code);

  const visiting = async (node: Server): Promise<void> => {
    try {
      for (; !stopped; await sleep(betweenMs)) await visit(node, random.pick(codes));
    } catch (error) {
      refused.push(String(error)); // The node is not running, so the visit failed.
    }
  };
  const work = nodes.flatMap((node) => Array.from({ length: perNode }, () => visiting(node)));

  return {
    answered: () => answered,
    refused,
    times() {
      const since = times;
      times = [];
      return since;
    },
    async stop() {
      stopped = true;
      await Promise.all(work);
      agent.destroy();
    },
    async verify(node, key) {
      const { json } = await call(node, 'GET', '/api/v1/links?limit=100', { key });
      const counted = json.data.map((link: { shortCode: string; clicks: number }) => [
        link.shortCode,
        link.clicks,
      ]);
      assert.deepEqual(new Map(counted.toSorted()), new Map([...clicks].toSorted()));
    },
  };
}
