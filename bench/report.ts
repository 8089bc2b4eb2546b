/** A figure that issue 2 asks for. */
export interface Goal {
  readonly wanted: string;
  readonly met: boolean;
}

/** One topic's table: the first column names the row, the last one says its goal. */
export interface Report {
  readonly topic: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Sentences below the table. */
  readonly notes?: readonly string[];
}

export interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  readonly goal?: Goal | undefined;
  /** The figures behind the cells, for `--json`. */
  readonly figures: Readonly<Record<string, unknown>>;
}

export const atLeast = (wanted: number, got: number, what: string): Goal => ({
  wanted: `≥ ${what}`,
  met: got >= wanted,
});

export const atMost = (wanted: number, got: number, what: string): Goal => ({
  wanted: `≤ ${what}`,
  met: got <= wanted,
});

export const say = (text = ''): void => void process.stdout.write(`${text}\n`);

/** Prints a topic: its title, the table, what must be said about it. */
export const sayReport = ({ title, columns, rows, notes = [] }: Report): void => {
  const lines = [
    ['', ...columns, 'goal'],
    ...rows.map(({ name, cells, goal }) => [name, ...cells, goalText(goal)]),
  ];
  const widths = columns.map((_, at) => widest(lines, at + 1));
  const nameWidth = widest(lines, 0);
  say(`\n${title}`);
  for (const [name = '', ...cells] of lines) {
    const goal = cells.pop() ?? '';
    const padded = cells.map((cell, at) => cell.padStart(widths[at] ?? 0));
    say(`  ${[name.padEnd(nameWidth), ...padded, goal].join('   ').trimEnd()}`);
  }
  for (const note of notes) say(`  ${note}`);
};

const widest = (lines: readonly (readonly string[])[], column: number): number =>
  Math.max(...lines.map((line) => (line[column] ?? '').length));

const goalText = (goal: Goal | undefined): string =>
  goal === undefined ? '' : `${goal.wanted} ${goal.met ? '✓ met' : '✗ missed'}`;
