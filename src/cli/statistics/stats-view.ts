import type { LinkStatisticsResult } from '../../client/endpoints.ts';
import { clean, count, fit, paint, plural, printLine, widthOf } from '../terminal/print.ts';
import { drawColumns } from './columns.ts';

type Statistics = LinkStatisticsResult;
type Counts = Statistics['totals'];
type Breakdown = NonNullable<Statistics['breakdown']>;

const chartHeight = 8;
const widestChart = 140;
const gap = '  ';

/**
 * Prints statistics as readable text.
 * @param subject display name of the subject
 * @param room width of the terminal
 */
export function printStatistics(statistics: Statistics, subject: string, room: number): void {
  const width = Math.min(room, widestChart);
  printLine(paint('bold', clean(subject)));
  printLine(paint('dim', rangeOf(statistics)));
  if (statistics.incompleteBefore !== undefined)
    printLine(
      `Clicks before ${dayOf(statistics.incompleteBefore, statistics.timezone)} are not included, because the range has too many.`,
    );
  printLine('');
  printTotals(statistics);
  if (statistics.totals.clicks > 0 || (statistics.compare?.totals.clicks ?? 0) > 0) {
    printLine('');
    printSeries(statistics, width);
  }
  if (statistics.breakdown !== undefined) {
    printLine('');
    printBreakdown(statistics.breakdown, statistics.totals.clicks, width);
  }
}

function rangeOf({ from, to, timezone, interval, compare }: Statistics): string {
  const range = (begin: string, end: string): string =>
    `${dayOf(begin, timezone)} – ${dayOf(new Date(Date.parse(end) - 1), timezone)}`;
  const comparison = compare === undefined ? '' : `, compared to ${range(compare.from, compare.to)}`;
  return `${range(from, to)} (${timezone}), by ${interval}${comparison}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayOf(time: string | Date, zone: string): string {
  // The Swedish locale formats dates as ISO 8601. `Temporal` cannot be used, because Node.js 20 does not have it.
  const date = new Date(time).toLocaleDateString('sv-SE', { timeZone: zone });
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}

const kinds = ['clicks', 'visitors', 'human', 'bot', 'preview', 'prefetch'] as const;

function printTotals({ totals, visitorsExact, compare }: Statistics): void {
  const cells = kinds.map((kind) => {
    const about = kind === 'visitors' && visitorsExact === false ? '~' : '';
    return [
      kind.toUpperCase(),
      about + count(totals[kind]),
      shareOf(kind, totals),
      changeOf(kind, totals, compare),
    ];
  });
  const widths = cells.map((column) => Math.max(...column.map(widthOf)));
  const line = (at: number): string =>
    cells.map((column, of) => fit(column[at] ?? '', widths[of] ?? 0, true)).join(gap);
  printLine(paint('bold', line(0)));
  printLine(line(1));
  if (totals.clicks > 0) printLine(paint('dim', line(2).trimEnd()));
  if (compare !== undefined) printLine(line(3).trimEnd());
}

function shareOf(kind: (typeof kinds)[number], totals: Counts): string {
  return kind === 'clicks' || kind === 'visitors' ? '' : percent(totals[kind], totals.clicks);
}

function percent(part: number, whole: number): string {
  if (whole === 0) return '';
  const share = (100 * part) / whole;
  return part > 0 && share < 1 ? '<1 %' : `${Math.round(share)} %`;
}

function changeOf(kind: (typeof kinds)[number], totals: Counts, compare: Statistics['compare']): string {
  return compare === undefined ? '' : change(compare.totals[kind], totals[kind]);
}

function change(before: number, after: number): string {
  if (before === 0) return after === 0 ? '' : 'new';
  const percents = Math.round((100 * (after - before)) / before);
  return percents === 0 ? '±0 %' : `${percents > 0 ? '+' : '−'}${count(Math.abs(percents))} %`;
}

function printSeries({ series, totals, interval, compare }: Statistics, width: number): void {
  // No column is higher than the total, so no label on the scale is wider than the total.
  const widestScale = count(totals.clicks).length;
  const chart = drawColumns(clicksOf(series), width - widestScale - 2, chartHeight);
  const scale = count(chart.max);
  const margin = Math.max(scale.length, 1);
  for (const [row, drawn] of chart.rows.entries())
    printLine(
      `${paint('dim', `${fit(row === 0 ? scale : '', margin, true)} ${row === 0 ? '┤' : '│'}`)}${paint('cyan', drawn)}`,
    );
  const length = chart.groups.length * chart.step;
  printLine(paint('dim', `${fit('0', margin, true)} ┼${'─'.repeat(length)}`));
  const starts = chart.groups.map(([first]) => series[first]?.start ?? '');
  printLine(paint('dim', `${' '.repeat(margin + 2)}${axis(starts, chart.step, length, interval)}`.trimEnd()));
  const [, end = 1] = chart.groups[0] ?? [];
  if (end > 1) printLine(paint('dim', `${' '.repeat(margin + 2)}Each column is ${end} ${interval}s.`));
  if (compare === undefined) return;
  const before = drawColumns(clicksOf(compare.series), length, 1);
  const indent = ' '.repeat(margin + 2);
  printLine('');
  if (compare.totals.clicks > 0) printLine(paint('dim', `${indent}${before.rows[0] ?? ''}`.trimEnd()));
  printLine(paint('dim', `${indent}Before: ${plural(compare.totals.clicks, 'click')}`));
}

function clicksOf(series: readonly Counts[]): number[] {
  return series.map(({ clicks }) => clicks);
}

/** Formats a bucket's start time, in the statistics' time zone. */
function timeOf(start: string, interval: string): string {
  const [year = '', month = '', day = ''] = start.slice(0, 10).split('-');
  const name = months[Number(month) - 1] ?? '';
  if (interval === 'month') return `${name} ${year}`;
  const date = `${Number(day)} ${name}`;
  return interval === 'hour' || interval === 'minute' ? `${date} ${start.slice(11, 16)}` : date;
}

/** Returns the line of labels below the columns, with as many labels as fit. */
function axis(starts: readonly string[], step: number, length: number, interval: string): string {
  let line = '';
  let free = 0;
  const apart = Math.max(1, Math.ceil(length / 4 / step));
  for (const [at, start] of starts.entries()) {
    const label = timeOf(start, interval);
    const place = at * step;
    if (at % apart !== 0 || place < free || place + label.length > Math.max(length, label.length)) continue;
    line = line.padEnd(place) + label;
    free = line.length + 2;
  }
  return line;
}

interface Row {
  readonly name: string;
  readonly clicks: number;
  readonly visitors: number;
  readonly before: number | undefined;
}

const widestName = 32;
const narrowestBar = 8;
const widestBar = 40;

function printBreakdown({ dimension, values, other }: Breakdown, total: number, width: number): void {
  const rows: Row[] = values.map(({ value, label, clicks, visitors, before }) => ({
    name: clean(nameOf(dimension, value, label)),
    clicks,
    visitors,
    before: before?.clicks,
  }));
  if (other.clicks > 0) rows.push({ name: '(other)', ...other, before: undefined });
  if (rows.length === 0) return printLine('There were no clicks.');
  const columns = [
    { title: 'CLICKS', of: ({ clicks }: Row) => count(clicks) },
    { title: 'SHARE', of: ({ clicks }: Row) => percent(clicks, total) },
    { title: 'VISITORS', of: ({ visitors }: Row) => count(visitors) },
    ...(rows.some(({ before }) => before !== undefined)
      ? [
          {
            title: 'CHANGE',
            of: (row: Row) => (row.before === undefined ? '' : change(row.before, row.clicks)),
          },
        ]
      : []),
  ];
  const widths = columns.map(({ title, of }) => Math.max(title.length, ...rows.map((row) => of(row).length)));
  const numbers = widths.reduce((sum, one) => sum + one + gap.length, 0);
  const title = dimension.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
  const longest = Math.max(title.length, ...rows.map(({ name }) => widthOf(name)));
  const names = Math.min(longest, widestName, Math.max(12, width - numbers - narrowestBar - gap.length));
  const bar = Math.min(widestBar, width - numbers - names - gap.length);
  const hasBars = bar >= narrowestBar;
  const line = (name: string, drawn: string, cells: readonly string[]): string =>
    [
      fit(name, names, false),
      ...(hasBars ? [paint('cyan', fit(drawn, bar, false))] : []),
      ...cells.map((cell, at) => fit(cell, widths[at] ?? 0, true)),
    ]
      .join(gap)
      .trimEnd();
  const max = Math.max(...rows.map(({ clicks }) => clicks));
  printLine(
    paint(
      'bold',
      line(
        title,
        '',
        columns.map((column) => column.title),
      ),
    ),
  );
  for (const row of rows)
    printLine(
      line(
        row.name,
        drawBar(row.clicks, max, bar),
        columns.map(({ of }) => of(row)),
      ),
    );
}

/** Block characters that are filled from the left, in steps of one eighth. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** Draws a horizontal bar. The bar for `max` is `width` characters long. A positive value is always visible. */
export function drawBar(value: number, max: number, width: number): string {
  if (value <= 0 || max <= 0) return '';
  const parts = Math.max(1, Math.round((value / max) * width * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** Returns the display name of a value. */
function nameOf(dimension: string, value: string, label: string | undefined): string {
  if (label !== undefined) return label;
  if (value === '') return dimension === 'folder' ? '(no folder)' : '(unknown)';
  if (dimension !== 'country' && dimension !== 'language') return value;
  const type = dimension === 'country' ? 'region' : 'language';
  const name = new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(value);
  return name === undefined ? value : `${value} ${name}`;
}
