import type { Problem } from '../model/failures.ts';
import { zoneNamed } from '../model/zoned-times.ts';
import { lastDays, zoneProblem } from '../statistics/asked.ts';
import type { ApiContext } from './request/handler.ts';

interface Asked {
  readonly include?: readonly string[] | undefined;
  readonly timezone?: string | undefined;
}

/** What is wrong with the zone of a list's days. */
export function zoneProblems({ timezone }: Asked): Problem[] {
  return timezone === undefined || zoneNamed(timezone) !== undefined ? [] : [zoneProblem];
}

/** Adds the clicks of each of the last 30 days to links, the oldest first, where `include` asks for them. */
export async function withDays<L extends { readonly id: string }>(
  { storage, now }: ApiContext,
  accountId: number,
  links: readonly L[],
  { include, timezone = 'UTC' }: Asked,
): Promise<(L & { clicksByDay?: number[] })[]> {
  if (include?.includes('clicksByDay') !== true || links.length === 0) return [...links];
  const range = lastDays(now(), timezone);
  const ids = links.map(({ id }) => id);
  const clicks = await storage.clicksByBucket(accountId, ids, range);
  return links.map((link) => ({ ...link, clicksByDay: [...(clicks.get(link.id) ?? [])] }));
}
