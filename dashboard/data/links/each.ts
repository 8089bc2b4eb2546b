import type { BulkLinksInput } from '../../../src/client/client.ts';
import { api } from '../client.ts';
import { explain } from '../explain.ts';
import { t } from '../texts.ts';
import { tell } from '../undo.ts';

/** Most rows of one request. */
const atOnce = 500;

type Change<I> = I extends BulkLinksInput ? Omit<I, 'ids' | 'links' | 'filter'> : never;

/** One change of each of many links, by their ids. @returns the ids for which it was done */
export function changeEach(
  ids: readonly string[],
  change: Change<Exclude<BulkLinksInput, { action: 'create' }>>,
): Promise<string[]> {
  return inBatches(ids, (batch) => api.bulkLinks({ ...change, ids: [...batch] }));
}

/** Its own change of each of many links. @returns the ids for which it was done */
export function updateEach(rows: readonly ({ readonly id: string } & Record<string, unknown>)[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return inBatches([...byId.keys()], (batch) =>
    api.bulkLinks({ action: 'update', links: batch.flatMap((id) => byId.get(id) ?? []) }),
  );
}

/** A few requests, one after the other; tells how many links could not be changed, and why the last one could not. */
async function inBatches(
  ids: readonly string[],
  send: (ids: readonly string[]) => ReturnType<typeof api.bulkLinks>,
): Promise<string[]> {
  const done: string[] = [];
  let why = '';
  for (let at = 0; at < ids.length; at += atOnce) {
    const batch = ids.slice(at, at + atOnce);
    try {
      const { results } = await send(batch);
      results.forEach(({ status, error }, index) => {
        if (status === 'done') done.push(batch[index] ?? '');
        else why = error?.message ?? '';
      });
    } catch (error) {
      why = explain(error);
    }
  }
  const failed = ids.length - done.length;
  if (failed > 0) tell(`${t.did.failed(failed)}. ${why}`, { isError: true });
  return done;
}
