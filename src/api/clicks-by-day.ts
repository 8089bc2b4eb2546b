import type { GroupKind } from '../model/clicks/statistics.ts';
import type { Problem } from '../model/failures.ts';
import { zoneNamed } from '../model/zoned-times.ts';
import { lastDays, zoneProblem } from '../statistics/questions/parse-query.ts';
import type { ApiContext } from './request/handler.ts';

interface Query {
  readonly include?: readonly string[] | undefined;
  readonly timezone?: string | undefined;
}

/** Validates the time zone for daily click counts. */
export function zoneProblems({ timezone }: Query): Problem[] {
  return timezone === undefined || zoneNamed(timezone) !== undefined ? [] : [zoneProblem];
}

/** Adds the daily clicks for the last 30 days to links, oldest day first, if `include` requests them. */
export async function withDays<L extends { readonly id: string }>(
  { storage, now }: ApiContext,
  accountId: number,
  links: readonly L[],
  { include, timezone = 'UTC' }: Query,
): Promise<(L & { clicksByDay?: number[] })[]> {
  if (include?.includes('clicksByDay') !== true || links.length === 0) return [...links];
  const range = lastDays(now(), timezone);
  const ids = links.map(({ id }) => id);
  const clicks = await storage.clicksByBucket(accountId, ids, range);
  return links.map((link) => ({ ...link, clicksByDay: [...(clicks.get(link.id) ?? [])] }));
}

/**
 * Reads the daily clicks for the last 30 days for all of an account's folders or tags.
 * @returns a function that returns the daily clicks of the folder or tag with a given ID
 */
export async function daysOfGroups(
  { storage, now }: ApiContext,
  accountId: number,
  kind: GroupKind,
  { include, timezone = 'UTC' }: Query,
): Promise<(id: string) => { clicksByDay?: number[] }> {
  if (include?.includes('clicksByDay') !== true) return () => ({});
  const range = lastDays(now(), timezone);
  const clicks = await storage.clicksByGroup(accountId, kind, range);
  return (id) => ({ clicksByDay: [...(clicks.get(id) ?? Array<number>(range.buckets.length).fill(0))] });
}
