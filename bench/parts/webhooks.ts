import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bench, measureInRounds, type Tree } from '../harness/bench.ts';
import { sleep } from '../harness/process.ts';
import type { Table } from '../harness/report.ts';
import { linkfold, type Server, startServer } from '../harness/server.ts';

const webhooks = 20;
const links = 50;
const deliveredWithinMs = 60_000;

/** Measures event delivery, from a link's creation to the response from a receiver in this process. */
export async function measureWebhooks(bench: Bench): Promise<readonly Table[]> {
  let delivered = 0;
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => {
      delivered += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const subjects = [];
  for (const tree of bench.trees) {
    const program = await linkfold(bench, tree, { env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
    const server = await startServer(bench, program);
    for (let n = 0; n < webhooks; n += 1)
      await post(server, tree, 'webhooks', { url, events: ['link.created'] });
    subjects.push({ contender: tree.name, values: {}, tree, server });
  }
  await measureInRounds(bench, 'webhooks', subjects, async ({ server, tree }) => {
    const [began, before] = [performance.now(), server.cpuMs()];
    delivered = 0;
    for (let n = 0; n < links; n += 1)
      await post(server, tree, 'shorten', { url: `https://example.com/${n}` });
    while (delivered < links * webhooks) {
      if (performance.now() - began > deliveredWithinMs)
        throw new Error(`Only ${delivered} webhook deliveries arrived.`);
      await sleep(10);
    }
    const [ms, cpuMs] = [performance.now() - began, server.cpuMs() - before];
    return { 'deliveries/s': (1_000 * delivered) / ms, 'CPU µs': (1_000 * cpuMs) / delivered };
  });
  receiver.close();
  const title = `Webhooks: ${links} created links, each delivered to ${webhooks} webhooks`;
  return [{ part: 'webhooks', title, series: subjects }];
}

async function post({ url }: Server, { many }: Tree, path: string, body: object): Promise<void> {
  const headers = { Authorization: `Bearer ${many.key}`, 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/api/v1/${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}
