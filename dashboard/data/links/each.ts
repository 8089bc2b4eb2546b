import type { BulkLinksInput, BulkLinksResult } from '../../../src/client/client.ts';
import { api } from '../client.ts';
import { explain } from '../explain.ts';
import { t } from '../texts.ts';
import { showProgress, tell } from '../undo.ts';
import type { LinkList } from './list.ts';
import { toInput } from './query.ts';

/** Links in one request: few enough that writes of others do not wait long. */
const atOnce = 200;

type Change<I> = I extends BulkLinksInput ? Omit<I, 'ids' | 'links' | 'filter'> : never;
export type ChangeOfEach = Change<Exclude<BulkLinksInput, { action: 'create' }>>;

/** What became of a few links, and how many are left. */
type Batch = Pick<BulkLinksResult, 'results' | 'remaining'>;

/** A link that was changed, with the fields that the change asked for in `previous`. */
export type Changed = { readonly id: string } & Pick<BulkLinksResult['results'][number], 'previous'>;

/** Makes one change to many links, by their ids. @returns those that were changed */
export function changeEach(ids: readonly string[], change: ChangeOfEach): Promise<Changed[]> {
  return inSlices(ids, (slice) => api.bulkLinks({ ...change, ids: slice }));
}

/** Makes a different change to each of many links. @returns those that were changed */
export function updateEach(rows: readonly ({ readonly id: string } & Record<string, unknown>)[]) {
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
  return inSlices(unique, (links) => api.bulkLinks({ action: 'update', links }));
}

/** Makes one change to all links that a list finds, loaded or not. @returns those that were changed */
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
 * Sends one request after the other and shows their progress. The user can cancel those that are left. Shows how many links could
 * not be changed, and why the last one could not.
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
  if (failed > 0) tell(`${t.did.failed(failed)}. ${why}`, { isError: true });
  return done;
}
