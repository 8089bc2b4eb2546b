import { dayOf } from '../model/clicks/click-days.ts';
import type { DestinationCheck } from '../model/links/destination-checks.ts';
import { formatOptionalTime, formatTimestamp } from '../model/timestamps.ts';
import type { ApiContext } from './request/handler.ts';

function shown({ certificateEndsAt: endsAt, since, checkedAt, ...check }: DestinationCheck) {
  return {
    ...check,
    certificateEndsAt: formatOptionalTime(endsAt),
    since: formatTimestamp(since),
    checkedAt: formatTimestamp(checkedAt),
  };
}

interface States {
  destinationCheck?: ReturnType<typeof shown> | null;
  excludedToday?: number;
}

/** Adds the last destination check and today's excluded visits to links, if `include` requests them. */
export async function withStates<L extends { readonly id: string }>(
  { storage, now }: ApiContext,
  accountId: number,
  links: readonly L[],
  include: readonly string[] = [],
): Promise<(L & States)[]> {
  const ids = links.map(({ id }) => id);
  const checks = include.includes('destinationCheck')
    ? await storage.destinationChecks(accountId, ids)
    : undefined;
  const excluded = include.includes('excludedToday')
    ? await storage.excludedVisits(accountId, dayOf(now()), ids)
    : undefined;
  return links.map((link) => {
    const check = checks?.get(link.id);
    return {
      ...link,
      ...(checks !== undefined && { destinationCheck: check === undefined ? null : shown(check) }),
      ...(excluded !== undefined && { excludedToday: excluded.get(link.id) ?? 0 }),
    };
  });
}
