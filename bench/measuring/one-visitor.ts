import { Agent, get } from 'node:http';
import { quantile } from './figures.ts';
import { sleep } from './servers.ts';

/** Creates a visitor who follows a short link repeatedly with pauses. */
export function createVisitor(url: string, key: string) {
  let took: number[] = [];
  const agent = new Agent({ keepAlive: true });
  const follow = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(`${url}/visited`, { agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject);
    });
  return {
    async prepare(): Promise<void> {
      const body = JSON.stringify({ url: 'https://example.com/', customCode: 'visited' });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      await fetch(`${url}/api/v1/shorten`, { method: 'POST', headers, body });
      for (let n = 0; n < 200; n += 1) await follow();
    },
    async visit(ms: number): Promise<void> {
      for (const end = performance.now() + ms; performance.now() < end; ) {
        const began = performance.now();
        await follow();
        took.push(performance.now() - began);
        await sleep(5);
      }
    },
    /** Of the visits since the last call, ms. */
    p99(): number {
      return this.took(0.99)[0] ?? 0;
    },
    /** Quantiles of the durations of those visits, ms. */
    took(...shares: readonly number[]): number[] {
      const waited = took;
      took = [];
      return shares.map((share) => quantile(waited, share));
    },
  };
}
