import type { DestinationCheck } from '../model/links/destination-checks.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import type { ApiContext } from './request/handler.ts';

function shown({ certificateEndsAt: endsAt, since, checkedAt, ...check }: DestinationCheck) {
  return {
    ...check,
    certificateEndsAt: endsAt === null ? null : formatTimestamp(endsAt),
    since: formatTimestamp(since),
    checkedAt: formatTimestamp(checkedAt),
  };
}

/** Adds the last destination check to links, if `include` requests it. */
export async function withChecks<L extends { readonly id: string }>(
  { storage }: ApiContext,
  accountId: number,
  links: readonly L[],
  include: readonly string[] | undefined,
): Promise<(L & { destinationCheck?: ReturnType<typeof shown> | null })[]> {
  if (include?.includes('destinationCheck') !== true) return [...links];
  const checks = await storage.destinationChecks(
    accountId,
    links.map(({ id }) => id),
  );
  return links.map((link) => {
    const check = checks.get(link.id);
    return { ...link, destinationCheck: check === undefined ? null : shown(check) };
  });
}
