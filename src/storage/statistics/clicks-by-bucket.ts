import type { ResolvedRestrictions } from '../../model/accounts/key-restrictions.ts';
import type { GroupKind, StatisticsRange } from '../../model/clicks/statistics.ts';
import type { Db } from '../db/db.ts';
import { accessibleRows } from '../statements/finding/access.ts';
import { type AnswerTools, answerQuestion, clicksOfGroups } from './answer.ts';
import { foldersOfLinks, tagsOfLinks } from './links.ts';

/**
 * Returns clicks on links per bucket (such as a day). Runs one statistics query per bucket for all links, because a
 * breakdown by link cannot be combined with a time series.
 * @returns clicks per bucket by link id; zeros for links that the account does not have
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
 * Returns clicks per bucket for each of an account's folders or tags, reading each day only once. Clicks on deleted
 * links count for the folder and tags that the link had; a link with several tags counts for each tag.
 * @param restrictions limit the result to links that the key can access
 * @returns clicks per bucket by id of the folder or tag; folders and tags without clicks are absent
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
    kind === 'folder' ? await foldersOfLinks(db, accountId) : joinTags(await tagsOfLinks(db, accountId));
  const accessible = restrictions && (await accessibleRows(db, accountId, restrictions));
  const groups = accessible === undefined ? all : new Map([...all].filter(([row]) => accessible.has(row)));
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

/** Groups links that have the same tags, so that each day is read only once. */
function joinTags(tags: ReadonlyMap<number, readonly string[]>): ReadonlyMap<number, string> {
  return new Map([...tags].map(([link, ids]) => [link, ids.toSorted().join(separator)]));
}
