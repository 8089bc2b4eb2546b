import type { StatisticsRange } from '../../model/clicks/statistics.ts';
import type { Db } from '../db/db.ts';
import { type AnswerTools, answerQuestion } from './answer.ts';

/**
 * Clicks of links by bucket, such as a day: for each bucket one question about all links, since a breakdown has no series.
 * @returns by the id of the link; nothing but zeros for one that the account does not have
 */
export async function clicksByBucket(
  db: Db,
  tools: AnswerTools,
  accountId: number,
  ids: readonly string[],
  { to, buckets }: StatisticsRange,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const clicks = new Map(ids.map((id) => [id, Array<number>(buckets.length).fill(0)]));
  for (const [at, from] of buckets.entries()) {
    const end = buckets[at + 1] ?? to;
    const answer = await answerQuestion(
      db,
      tools,
      accountId,
      {
        subject: { kind: 'account' },
        range: { from, to: end, buckets: Float64Array.of(from) },
        filters: [{ dimension: 'link', operator: 'is', values: ids }],
        ...{ groupBy: 'link', limit: ids.length },
      },
      Number.POSITIVE_INFINITY,
    );
    for (const { value, clicks: count } of answer?.breakdown?.values ?? []) {
      const ofLink = clicks.get(value);
      if (ofLink !== undefined) ofLink[at] = count;
    }
  }
  return clicks;
}
