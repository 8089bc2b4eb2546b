import { dayOf, startOfDay } from '../../domain/clicks/click-days.ts';
import type { AppliedClick } from '../../domain/clicks/click-records.ts';
import { type DayClicks, noVisitor, recordOf } from '../../statistics/columns/day-clicks.ts';

import { codedDimensions, combinedDimensions } from '../../statistics/columns/dimensions.ts';
import type { EarlierClicks } from '../statements/clicks/click-columns.ts';

/** The clicks of one account and day. */
export interface AccountDay {
  readonly accountId: number;
  readonly day: number;
  readonly clicks: DayClicks;
}

/** Sorts clicks by account and day, in the order in which they come. */
export interface DayBuilder {
  add(click: AppliedClick): void;
  /** Adds clicks of which only hour and class are known. */
  addEarlier(sum: Pick<EarlierClicks, 'accountId' | 'day' | 'linkRow' | 'hour' | 'class' | 'clicks'>): void;
  days(): readonly AccountDay[];
}

export function createDayBuilder(): DayBuilder {
  const words = [''];
  const placeOfWord = new Map([['', 0]]);
  const days = new Map<
    string,
    { readonly accountId: number; readonly day: number; readonly columns: Lists }
  >();
  const columnsOf = (accountId: number, day: number): Lists => {
    const key = `${accountId} ${day}`;
    let of = days.get(key);
    if (of === undefined) {
      of = { accountId, day, columns: createLists() };
      days.set(key, of);
    }
    return of.columns;
  };
  const placeOf = (word: string): number => {
    const known = placeOfWord.get(word);
    if (known !== undefined) return known;
    // Lines of texts are how words are kept.
    placeOfWord.set(word, words.length);
    return words.push(word.replaceAll('\n', ' ')) - 1;
  };
  return {
    add(click) {
      const day = dayOf(click.at);
      const { link, second, visitor, codes, region, referrer, combined } = columnsOf(click.account, day);
      link.push(click.row);
      second.push(Math.floor((click.at - startOfDay(day)) / 1_000));
      visitor.push(click.visitor);
      for (const dimension of codedDimensions) codes[dimension].push(click[dimension]);
      region.push(placeOf(click.region));
      referrer.push(placeOf(click.referrer));
      for (const dimension of combinedDimensions) combined[dimension].push(placeOf(click[dimension]));
    },
    addEarlier({ accountId, day, linkRow, hour, clicks, ...sum }) {
      const columns = columnsOf(accountId, day);
      const second = (hour % 24) * 3_600;
      for (let click = 0; click < clicks; click += 1) {
        columns.link.push(linkRow);
        columns.second.push(second);
        columns.visitor.push(noVisitor);
        for (const dimension of codedDimensions)
          columns.codes[dimension].push(dimension === 'class' ? sum.class : 0);
        columns.region.push(0);
        columns.referrer.push(0);
        for (const dimension of combinedDimensions) columns.combined[dimension].push(0);
      }
    },
    days: () => [...days.values()].map(({ columns, ...of }) => ({ ...of, clicks: clicksOf(columns, words) })),
  };
}

function createLists() {
  const list = (): number[] => [];
  return {
    ...{ link: list(), second: list(), visitor: list(), region: list(), referrer: list() },
    codes: recordOf(codedDimensions, list),
    combined: recordOf(combinedDimensions, list),
  };
}

type Lists = ReturnType<typeof createLists>;

function clicksOf(
  { link, second, visitor, region, referrer, codes, combined }: Lists,
  words: string[],
): DayClicks {
  return {
    length: link.length,
    link: Uint32Array.from(link),
    second: Uint32Array.from(second),
    visitor: Uint32Array.from(visitor),
    codes: recordOf(codedDimensions, (dimension) => Uint16Array.from(codes[dimension])),
    region: Uint32Array.from(region),
    referrer: Uint32Array.from(referrer),
    combined: recordOf(combinedDimensions, (dimension) => Uint32Array.from(combined[dimension])),
    words,
  };
}
