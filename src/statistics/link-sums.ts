import { type Numbers, packLists, unpackLists } from './columns/planes.ts';
import { openSections, packSections } from './columns/sections.ts';
import { orderByKey } from './columns/sort.ts';
import type { RolledUpClicks } from './rollup-file.ts';

/**
 * The sums of all links of one account and one UTC day, apart from the day's other sums, as few questions ask for them and
 * there may be many. A link takes about a byte: links stand in the order of their rows, each as the step from the one before,
 * and of what is nearly equal only the difference is kept. The sections of the file are
 *
 *     number of links and steps of rows; clicks; clicks − visitors; clicks − people's clicks; people's clicks − their visitors
 */
export interface LinkSums {
  /** Growing. */
  readonly rows: Numbers;
  readonly of: (clicks: RolledUpClicks) => {
    /** By place in `rows`. */
    readonly clicks: Numbers;
    readonly visitors: Numbers;
  };
}

/** What links have, by place. */
export interface LinkColumns extends Readonly<Record<RolledUpClicks, CountColumns>> {
  readonly rows: Uint32Array<ArrayBuffer>;
}

export interface CountColumns {
  readonly clicks: Uint32Array;
  readonly visitors: Uint32Array;
}

export function packLinkSums({ rows, all, human }: LinkColumns): Uint8Array<ArrayBuffer> {
  const order = orderByKey(rows);
  const steps = order.map(
    (place, at) => (rows[place] as number) - (at === 0 ? 0 : (rows[order[at - 1] as number] as number)),
  );
  const column = (from: Uint32Array, less?: Uint32Array): Uint32Array =>
    order.map((place) => (from[place] as number) - (less?.[place] ?? 0));
  return packSections([
    packLists([[rows.length], steps]),
    ...[
      column(all.clicks),
      column(all.clicks, all.visitors),
      column(all.clicks, human.clicks),
      column(human.clicks, human.visitors),
    ].map((values) => packLists([values])),
  ]);
}

/** @throws RangeError when it is no such file, here or when something damaged is asked for */
export function openLinkSums(file: Uint8Array<ArrayBuffer>): LinkSums {
  const read = openSections(file);
  const next = unpackLists(read(0));
  const [count = 0] = next(1);
  const rows = Uint32Array.from(next(count));
  for (let at = 1; at < count; at += 1) rows[at] = (rows[at] as number) + (rows[at - 1] as number);
  const column = (section: number): Numbers => unpackLists(read(section))(count);
  return {
    rows,
    of(whose) {
      const all = column(1);
      const clicks = whose === 'all' ? all : difference(all, column(3));
      return { clicks, visitors: difference(clicks, column(whose === 'all' ? 2 : 4)) };
    },
  };
}

function difference(from: Numbers, less: Numbers): Numbers {
  const left = new Uint32Array(from.length);
  for (let at = 0; at < left.length; at += 1) left[at] = (from[at] as number) - (less[at] as number);
  return left;
}
