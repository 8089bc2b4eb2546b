import type { StatisticsDimension } from '../../../src/model/clicks/statistics.ts';
import { csvCell } from '../../../src/runtime/csv.ts';
import type { Answer, Question } from './answer.ts';

/** Data visible on the page, for exports: the query and the responses. */
export interface Seen {
  readonly question: Question;
  readonly main: Answer;
  readonly breakdowns: readonly { readonly dimension: StatisticsDimension; readonly answer: Answer }[];
}

const countNames = ['clicks', 'human', 'bot', 'preview', 'prefetch', 'visitors'] as const;

/** Returns the data as a single CSV table, with a row for each bucket and for each value of each breakdown. */
export function csvOf({ main, breakdowns }: Seen): string {
  const rows: (string | number)[][] = [
    ['kind', 'name', 'value', ...countNames, 'clicksBefore', 'visitorsBefore'],
  ];
  for (const [at, bucket] of main.series.entries()) {
    const before = main.compare?.series[at];
    rows.push([
      'series',
      'start',
      bucket.start,
      ...countNames.map((name) => bucket[name]),
      before?.clicks ?? '',
      before?.visitors ?? '',
    ]);
  }
  for (const { dimension, answer } of breakdowns) {
    for (const { value, label, clicks, visitors, before } of answer.breakdown?.values ?? []) {
      rows.push([
        'breakdown',
        dimension,
        label ?? value,
        clicks,
        '',
        '',
        '',
        '',
        visitors,
        before?.clicks ?? '',
        before?.visitors ?? '',
      ]);
    }
  }
  return `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

export function jsonOf({ question, main, breakdowns }: Seen): string {
  const { totals, series, compare, from, to, interval } = main;
  return JSON.stringify(
    {
      question,
      from,
      to,
      interval,
      totals,
      series,
      ...(compare !== undefined && { compare }),
      breakdowns: Object.fromEntries(
        breakdowns.map(({ dimension, answer }) => [dimension, answer.breakdown]),
      ),
    },
    null,
    2,
  );
}
