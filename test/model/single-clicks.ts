import type { ClickedLink, ClickPlace } from '../../src/model/clicks/raw-clicks.ts';
import type { Storage } from '../../src/model/storage.ts';
import { msPerHour } from '../../src/model/timestamps.ts';

interface SingleClick extends ClickedLink {
  /** Hours since the epoch. */
  readonly hour: number;
  readonly class: string;
}

/** Returns an account's individual clicks, newest first. */
export async function singleClicks(
  storage: Pick<Storage, 'clicks'>,
  accountId: number,
): Promise<SingleClick[]> {
  const all = { subject: { kind: 'account' }, from: 0, to: 2 ** 43, filters: [], limit: 10_000 } as const;
  const clicks: SingleClick[] = [];
  let after: ClickPlace | undefined;
  do {
    const page = await storage.clicks(accountId, { ...all, after });
    if (page === undefined) throw new Error('Account not found.');
    const { times, linkOf, links, valueIndexes, values, next } = page;
    for (const [at, time] of times.entries())
      clicks.push({
        ...(links[linkOf[at] as number] as ClickedLink),
        hour: Math.floor(time / msPerHour),
        class: values[valueIndexes.class[at] as number] as string,
      });
    after = next;
  } while (after !== undefined);
  return clicks;
}

/** Returns the number of occurrences of each string. */
export function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(texts.toSorted(), (text) => text);
  return new Map([...groups].map(([text, { length }]) => [text, length]));
}
