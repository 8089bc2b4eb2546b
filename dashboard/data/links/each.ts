import type { BulkLinksInput, BulkLinksResult } from '../../../src/client/client.ts';
import { api } from '../client.ts';
import { explain } from '../explain.ts';
import { t } from '../texts.ts';
import { notify, showProgress } from '../undo.ts';
import type { LinkList } from './list.ts';
import { toInput } from './query.ts';

/** Number of links per request. A small number keeps each request from blocking other writes for long. */
const atOnce = 200;

type Change<I> = I extends BulkLinksInput ? Omit<I, 'ids' | 'links' | 'filter'> : never;
export type ChangeOfEach = Change<Exclude<BulkLinksInput, { action: 'create' }>>;

/** Result for a batch of links, and the number of remaining links. */
type Batch = Pick<BulkLinksResult, 'results' | 'remaining'>;

/** A changed link. `previous` contains the previous values of its changed fields. */
export type Changed = { readonly id: string } & Pick<BulkLinksResult['results'][number], 'previous'>;

/** Makes the same change to all links with the given ids. @returns the changed links */
export function changeEach(ids: readonly string[], change: ChangeOfEach): Promise<Changed[]> {
  return inSlices(ids, (slice) => api.bulkLinks({ ...change, ids: slice }));
}

/** Makes a separate change to each link. @returns the changed links */
export function updateEach(rows: readonly ({ readonly id: string } & Record<string, unknown>)[]) {
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
  return inSlices(unique, (links) => api.bulkLinks({ action: 'update', links }));
}

/** Makes the same change to all links that match a list's query, loaded or not. @returns the changed links */
export function changeFound({ query, total }: LinkList, change: ChangeOfEach): Promise<Changed[]> {
  const expectedCount = total.peek() ?? 0;
  const { sort: _sort, order: _order, ...filter } = toInput(query);
  let place: object = { expectedCount };
  return inBatches(expectedCount, async () => {
    const answer = await api.bulkLinks({ ...change, ...place, filter, limit: atOnce } as BulkLinksInput);
    place = { cursor: answer.nextCursor };
    return answer;
  });
}

function inSlices<T>(all: readonly T[], send: (slice: T[]) => Promise<Batch>): Promise<Changed[]> {
  return inBatches(all.length, async (at) => {
    const { results } = await send(all.slice(at, at + atOnce));
    return { results, remaining: all.length - at - results.length };
  });
}

/**
 * Sends the requests one by one and shows the progress. The user can cancel the remaining requests. At the end, shows
 * the number of failures and the last error.
 */
async function inBatches(total: number, send: (at: number) => Promise<Batch>): Promise<Changed[]> {
  const done: Changed[] = [];
  let why = '';
  let failed = 0;
  let left = total;
  let isCancelled = false;
  while (left > 0 && !isCancelled) {
    if (total > atOnce)
      showProgress(t.did.progress(total - left, total), () => {
        isCancelled = true;
      });
    try {
      const { results, remaining } = await send(total - left);
      for (const { id, status, error, previous } of results) {
        if (status === 'done' && id !== null) {
          done.push({ id, previous });
          continue;
        }
        failed += 1;
        why = error?.message ?? '';
      }
      left = remaining;
    } catch (error) {
      why = explain(error);
      failed += left;
      left = 0;
    }
  }
  if (failed > 0) notify(`${t.did.failed(failed)}. ${why}`, { isError: true });
  return done;
}
