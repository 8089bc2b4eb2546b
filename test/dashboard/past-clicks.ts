import { join } from 'node:path';
import { createClickCollector } from '../../src/model/clicks/click-collector.ts';
import { unknownFacts } from '../../src/model/clicks/click-facts.ts';
import { hourOf } from '../../src/model/clicks/clicks.ts';
import type { LinkReference } from '../../src/model/links/link-records.ts';
import type { Storage } from '../../src/model/storage.ts';
import { openStorage } from '../../src/storage/open.ts';
import { databaseOf } from '../support/postgres/databases.ts';
import type { Server } from '../support/server/server.ts';

/** Human clicks on a link at a time in the past. */
export interface PastClicks {
  readonly linkId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly times: number;
  readonly referrer?: string;
}

let applied = 0;

/**
 * Adds clicks to a running server's storage, as another node would. Over HTTP, only clicks at the current time are
 * possible.
 */
export async function addPastClicks(
  server: Pick<Server, 'dataDir'>,
  clicks: readonly PastClicks[],
): Promise<void> {
  await inStorageOf(server, async (storage, rowOf) => {
    const collector = createClickCollector();
    const sums = new Map<string, number>();
    for (const { linkId, at, times, referrer = '' } of clicks) {
      const { row, account } = await rowOf(linkId);
      for (let time = 0; time < times; time += 1)
        collector.add(account, row, at, { ...unknownFacts(0), referrer, visitor: time + 1 });
      const sum = `${row} ${hourOf(at)} 0`;
      sums.set(sum, (sums.get(sum) ?? 0) + times);
    }
    const flat = [...sums].flatMap(([sum, count]) => [...sum.split(' ').map(Number), count]);
    applied += 1;
    const batch = {
      journal: `past ${process.pid} ${applied}`,
      from: 0,
      to: 1,
      sums: Float64Array.from(flat),
      records: collector.take(),
    };
    await patiently(() => storage.applyClicks(batch));
  });
}

/** Adds not-found visits, as a node does every minute. @param reason index of the reason */
export async function addMissedVisits(
  server: Pick<Server, 'dataDir'>,
  linkId: string,
  reason: number,
  visits: number,
): Promise<void> {
  await inStorageOf(server, async (storage, rowOf) => {
    const { row } = await rowOf(linkId);
    const today = Math.floor(Date.now() / 86_400_000);
    await storage.addMissedVisits(today, { links: [{ row, reason, visits }], codes: [] }, today - 29);
  });
}

/** Retries work if storage times out, as it may on a busy machine. The work may run twice. */
async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 5 || (error as { code?: string }).code !== 'STORAGE_UNAVAILABLE') throw error;
    }
  }
}

type RowOf = (linkId: string) => Promise<LinkReference>;

async function inStorageOf(
  { dataDir }: Pick<Server, 'dataDir'>,
  work: (storage: Storage, rowOf: RowOf) => Promise<void>,
): Promise<void> {
  const { DATABASE_URL = `sqlite:${join(dataDir, 'linkfold.db')}` } = await databaseOf(dataDir);
  const storage = await openStorage(DATABASE_URL);
  try {
    await work(storage, async (linkId) => {
      const id = linkId.replaceAll('-', '');
      const found = (await patiently(() => storage.rowsOf([id]))).get(id);
      if (found === undefined) throw new Error(`There is no link ${linkId}.`);
      return found;
    });
  } finally {
    await storage.close();
  }
}
