import { type Numbers, packLists, unpackLists } from './columns/planes.ts';
import { openSections, packSections } from './columns/sections.ts';
import { orderByKey } from './columns/sort.ts';
import type { RolledUpClicks } from './rollup-file.ts';

/**
 * The sums per link for one account and UTC day. They are stored separately from the day's other sums, because few
 * queries need sums per link and a day may have many links. A link takes about one byte: rows are stored as
 * differences, and so are columns with similar values. Sections:
 * - number of links, and row differences
 * - clicks
 * - clicks − visitors
 * - clicks − human clicks
 * - human clicks − human visitors
 */
export interface LinkSums {
  /** Link rows, ascending. */
  readonly rows: Numbers;
  readonly of: (clicks: RolledUpClicks) => {
    /** Number of clicks on each link, in the order of `rows`. */
    readonly clicks: Numbers;
    readonly visitors: Numbers;
  };
}

/** Columns with the sums of each link. */
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

/**
 * Opens the sums per link.
 * @throws RangeError if the file is not in this format. If a section is damaged, its use throws a RangeError.
 */
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
