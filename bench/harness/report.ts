import { median, number, ratio, ratiosOf, withRange } from './statistics.ts';

/**
 * Label of the checkout that contains this benchmark. Goals apply only to it, not to the versions it is compared with.
 */
export const thisVersion = 'Linkfold';

/** A server's measured values in one case: for each metric, one value per round. A metric's name ends with its unit. */
export interface Series {
  /** A version of Linkfold, or another server to compare it with. */
  readonly contender: string;
  /** The measured case, if the table has several cases. */
  readonly case?: string;
  readonly values: Record<string, number[]>;
  /** Contender or case to compare with. Ratios are relative to its values. */
  readonly against?: { readonly contender?: string; readonly case?: string | undefined };
  /** Bounds for each metric: for its value, or for its value divided by that of `against`. */
  readonly goals?: Readonly<Record<string, { readonly value?: number; readonly ratio?: number }>>;
}

/** Returns true if the metric is a rate. Rates should be high; all other metrics should be low. */
export function isRate(metric: string): boolean {
  return metric.endsWith('/s');
}

/** A table with a row for each series and a column for each metric. */
export interface Table {
  readonly part: string;
  readonly title: string;
  readonly series: readonly Series[];
  /** Sentences to print below the table. */
  readonly notes?: readonly string[];
  /** Errors that fail the run, such as lost clicks. */
  readonly errors?: readonly string[];
}

export function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a table with medians, ratios to other series, and goals. For the first metric, also prints the range. */
export function printTable(table: Table): void {
  const { title, series, notes = [], errors = [] } = table;
  const names = [...new Set(series.flatMap(({ values }) => Object.keys(values)))];
  const compared = names.filter((metric) => series.some((one) => ratiosIn(table, one, metric).length > 0));
  const headers = names.flatMap((metric) => (compared.includes(metric) ? [metric, '÷'] : [metric]));
  const rows = series.map((one) => {
    const cells = names.flatMap((metric, index) => {
      const values = one.values[metric] ?? [];
      const cell = values.length === 0 ? '' : index === 0 ? withRange(values) : number(median(values));
      const ratios = ratiosIn(table, one, metric);
      const divided = ratios.length === 0 ? '' : ratio(median(ratios));
      return compared.includes(metric) ? [cell, divided] : [cell];
    });
    return [nameOf(one), ...cells, goalsOf(table, one).join(', ')];
  });
  print(`\n${title}`);
  printRows([['', ...headers, ''], ...rows]);
  for (const note of notes) print(`  ${note}`);
  for (const error of errors) print(`  WRONG: ${error}`);
}

function nameOf({ contender, case: name = '' }: Series): string {
  return [contender, name].filter((text) => text !== '').join(', ');
}

function ratiosIn({ series }: Table, one: Series, metric: string): readonly number[] {
  const { against, values } = one;
  if (against === undefined) return [];
  const wanted = { contender: one.contender, case: one.case, ...against };
  const other = series.find((it) => it.contender === wanted.contender && it.case === wanted.case);
  if (other === one) return [];
  return ratiosOf(values[metric] ?? [], other?.values[metric] ?? []);
}

/** Returns a series' goals for the measured metrics, each with whether it is met, such as `CPU µs ÷ ≤ 1.2 ✓`. */
function goalsOf(table: Table, one: Series): readonly string[] {
  if (one.contender !== thisVersion) return [];
  return Object.entries(one.goals ?? {}).flatMap(([metric, goal]) => {
    const text = (name: string, got: number, bound: number | undefined): readonly string[] => {
      if (bound === undefined || Number.isNaN(got)) return [];
      const isMet = isRate(metric) ? got >= bound : got <= bound;
      return [`${name} ${isRate(metric) ? '≥' : '≤'} ${bound.toLocaleString('en')} ${isMet ? '✓' : '✗'}`];
    };
    return [
      ...text(metric, median(one.values[metric] ?? []), goal.value),
      ...text(`${metric} ÷`, median(ratiosIn(table, one, metric)), goal.ratio),
    ];
  });
}

/** Prints rows. The first and last columns are left-aligned, all others right-aligned. */
export function printRows(rows: readonly (readonly string[])[]): void {
  const last = (rows[0]?.length ?? 1) - 1;
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  for (const row of rows) {
    const cells = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[0] ?? 0) : at === last ? cell : cell.padStart(widths[at] ?? 0),
    );
    print(`  ${cells.join('   ').trimEnd()}`);
  }
}
