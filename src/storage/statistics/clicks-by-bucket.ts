import type { ResolvedRestrictions } from '../../model/accounts/key-restrictions.ts';
import type { GroupKind, StatisticsRange } from '../../model/clicks/statistics.ts';
import type { Db } from '../db/db.ts';
import { rowsWithin } from '../statements/finding/within.ts';
import { type AnswerTools, answerQuestion, clicksOfGroups } from './answer.ts';
import { foldersOfLinks, tagsOfLinks } from './links.ts';

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
        groupBy: 'link',
        limit: ids.length,
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

/**
 * Clicks of all folders or all tags of an account by bucket, each day read once whatever their number. Clicks of deleted links
 * count where these were; a link of several tags counts for each.
 * @param restrictions only of links within
 * @returns by the id of the folder or tag; those without clicks are not in it
 */
export async function clicksByGroup(
  db: Db,
  tools: AnswerTools,
  accountId: number,
  kind: GroupKind,
  { to, buckets }: StatisticsRange,
  restrictions?: ResolvedRestrictions,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const all =
    kind === 'folder' ? await foldersOfLinks(db, accountId) : joined(await tagsOfLinks(db, accountId));
  const reached = restrictions && (await rowsWithin(db, accountId, restrictions));
  const groups = reached === undefined ? all : new Map([...all].filter(([row]) => reached.has(row)));
  const clicks = new Map<string, number[]>();
  for (const [at, from] of buckets.entries()) {
    const range = { from, to: buckets[at + 1] ?? to, buckets: Float64Array.of(from) };
    for (const { value, clicks: count } of await clicksOfGroups(db, tools, accountId, range, groups)) {
      for (const id of value.split(separator)) {
        if (id === '') continue;
        const ofGroup = clicks.getOrInsertComputed(id, () => Array<number>(buckets.length).fill(0));
        ofGroup[at] = (ofGroup[at] as number) + count;
      }
    }
  }
  return clicks;
}

const separator = ' ';

/** Links of the same tags are one group while days are read. */
function joined(tags: ReadonlyMap<number, readonly string[]>): ReadonlyMap<number, string> {
  return new Map([...tags].map(([link, ids]) => [link, ids.toSorted().join(separator)]));
}
