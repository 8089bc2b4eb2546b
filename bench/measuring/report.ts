import { number, ratio } from './figures.ts';

/** A goal with its measured value. */
export interface Goal {
  readonly what: string;
  readonly ours: string;
  /** The value of the same run to compare with, and its name. */
  readonly reference: string;
  /** Our ratio to the baseline; undefined for absolute goals. */
  readonly ratio: number | undefined;
  readonly wanted: string;
  /** Undefined if it could not be measured here. */
  readonly met: boolean | undefined;
}

/** A value by which two versions are compared, round by round. */
export interface Compared {
  readonly tree: string;
  readonly what: string;
  readonly better: 'more' | 'less';
  readonly rounds: readonly number[];
}

/** A table: the first column names the row, the last one lists its goals. */
export interface Report {
  readonly topic: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Sentences below the table. */
  readonly notes?: readonly string[];
  /** Errors such as lost clicks: the run fails. */
  readonly wrong?: readonly string[];
  readonly compared?: readonly Compared[];
}

export interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  readonly goals?: readonly Goal[] | undefined;
  /** The raw values, for `--json`. */
  readonly figures: Readonly<Record<string, unknown>>;
}

type Measured = Pick<Goal, 'what' | 'ours'> & { readonly reference?: string };
type Bound = readonly ['≥' | '≤', number];

function keeps(got: number, [sign, bound]: Bound): boolean | undefined {
  return Number.isNaN(got) ? undefined : sign === '≥' ? got >= bound : got <= bound;
}

/** Returns a goal for the ratio to a baseline. */
export function ratioGoal(measured: Measured, got: number, bound: Bound): Goal {
  return {
    reference: '',
    ...measured,
    ratio: got,
    wanted: `${bound[0]} ${ratio(bound[1])}`,
    met: keeps(got, bound),
  };
}

/** Returns an absolute goal. */
export function plainGoal(measured: Measured, got: number, bound: Bound, unit: string): Goal {
  return {
    reference: '',
    ...measured,
    ratio: undefined,
    wanted: `${bound[0]} ${bound[1].toLocaleString('en')} ${unit}`,
    met: keeps(got, bound),
  };
}

export function say(text = ''): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a topic: title, table and notes. */
export function sayReport({ title, columns, rows, notes = [], wrong = [] }: Report): void {
  say(`\n${title}`);
  const lines = rows.map(({ name, cells, goals = [] }) => [name, ...cells, goals.map(shortGoal).join(', ')]);
  sayTable([['', ...columns, 'goal'], ...lines]);
  for (const note of notes) say(`  ${note}`);
  for (const sentence of wrong) say(`  WRONG: ${sentence}`);
}

function shortGoal({ wanted, met }: Goal): string {
  return `${wanted} ${mark(met)}`;
}
function mark(met: boolean | undefined): string {
  return met === undefined ? '?' : met ? '✓' : '✗';
}

/** Prints every goal of the run in one table. */
export function sayGoals(reports: readonly Report[]): void {
  const goals = reports.flatMap(({ rows }) => rows.flatMap((row) => row.goals ?? []));
  if (goals.length === 0) return;
  say('\nAll goals');
  const lines = goals.map(({ what, ours, reference, ratio: got, wanted, met }) => [
    what,
    ours,
    reference,
    got === undefined ? '' : ratio(got),
    `${wanted} ${met === undefined ? '? not measured' : met ? '✓ met' : '✗ missed'}`,
  ]);
  sayTable([['', 'Linkfold', 'compared with', 'ratio', 'goal'], ...lines]);
}

/** Prints a table with names on the left, values on the right, and the last column left-aligned. */
export function sayTable(lines: readonly (readonly string[])[]): void {
  const last = (lines[0]?.length ?? 1) - 1;
  const widths = Array.from({ length: last }, (_, at) =>
    Math.max(...lines.map((line) => line[at]?.length ?? 0)),
  );
  for (const line of lines) {
    const cells = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[0] ?? 0) : at === last ? cell : cell.padStart(widths[at] ?? 0),
    );
    say(`  ${cells.join('   ').trimEnd()}`);
  }
}

/** `105,300/s` */
export function perSecond(rate: number): string {
  return `${number(rate)}/s`;
}

/** `1.24 ms` */
export function ms(time: number): string {
  return `${number(time)} ms`;
}
