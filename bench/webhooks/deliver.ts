// Measures how fast events are delivered to endpoints: `node bench/webhooks/deliver.ts [events] [endpoints]`. Each
// event is for one endpoint, each endpoint in its own account, on SQLite; the receiver is a separate process.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAllowed } from '../../src/external/outbound/allowed.ts';
import { createOutbound } from '../../src/external/outbound/outbound.ts';
import { createIds } from '../../src/model/ids.ts';
import { openStorage } from '../../src/storage/open.ts';
import { fanOut } from '../../src/webhooks/fan-out.ts';
import { createSender } from '../../src/webhooks/sender.ts';

const [events = 100_000, endpoints = 100] = process.argv.slice(2).map(Number);
const body = JSON.stringify({ type: 'tag.created', data: { text: 'x'.repeat(1_000) } });

if (process.send !== undefined) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
} else await measure();

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'linkfold-webhooks-'));
  const receiver = fork(import.meta.filename);
  const port = await new Promise<number>((resolve) =>
    receiver.once('message', (value) => resolve(Number(value))),
  );
  const storage = await openStorage(`sqlite:${folder}/linkfold.db`);
  const newId = createIds(Date.now, (size) => crypto.getRandomValues(new Uint8Array(size)));
  try {
    const accounts: number[] = [];
    for (let n = 0; n < endpoints; n += 1) {
      const account = (await storage.createAccount(`a${n}`, Date.now()))?.id ?? 0;
      accounts.push(account);
      await storage.createWebhook(account, {
        id: newId(),
        createdAt: Date.now(),
        url: `http://127.0.0.1:${port}/`,
        disabled: false,
        events: ['folder.created'],
        folderIds: null,
        domainIds: null,
        tags: null,
        description: null,
        secret: Buffer.from(`whsec_${Buffer.alloc(32).toString('base64')}`),
      });
    }
    const written = await timed('written to the log', events, async () => {
      for (let n = 0; n < events; n += 256)
        await Promise.all(
          Array.from({ length: Math.min(256, events - n) }, async (_, at) => {
            const folder = { id: newId(), name: 'Spring', createdAt: Date.now() };
            await storage.createFolder(accounts[(n + at) % endpoints] ?? 0, folder);
          }),
        );
    });
    await timed('made into deliveries', written, async () => {
      while (await fanOut({ storage, bodyOf: () => body, now: Date.now }));
    });
    const sender = createSender({
      storage,
      outbound: createOutbound({ allowed: readAllowed('127.0.0.0/8') }),
      open: (sealed) => Buffer.from(sealed).toString(),
      now: Date.now,
      chance: Math.random,
      onError: (sentence, facts) => process.stderr.write(`${sentence} ${JSON.stringify(facts)}\n`),
    });
    await timed('delivered', written, async () => {
      while (sender.stats().delivered < written) {
        await sender.send();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    await sender.close();
  } finally {
    receiver.kill();
    await storage.close();
    rmSync(folder, { recursive: true });
  }
}

async function timed(what: string, count: number, work: () => Promise<void>): Promise<number> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const [ms, { user, system }] = [performance.now() - begun, process.cpuUsage(cpu)];
  const figures = [
    `${Math.round((1_000 * count) / ms)} a second`,
    `${Math.round((user + system) / count)} µs of processor each`,
    `${Math.round(process.memoryUsage.rss() / 1_048_576)} MiB resident`,
  ];
  process.stdout.write(`${count} ${what}: ${figures.join(', ')}\n`);
  return count;
}
