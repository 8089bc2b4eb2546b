/** Block characters that are filled from the bottom, in steps of one eighth. */
const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const widest = 6;

export interface Chart {
  /** Lines of text, from top to bottom. */
  readonly rows: readonly string[];
  /** Number of characters per column, including the gap after it. */
  readonly step: number;
  /** For each column, the range of values that it represents, from `first` up to but excluding `end`. */
  readonly groups: readonly (readonly [first: number, end: number])[];
  /** Sum of the highest column. */
  readonly max: number;
}

/**
 * Draws a column chart. If there are more values than fit, each column is the sum of several neighboring values.
 * @param width maximum width in characters
 * @param height height in lines
 */
export function drawColumns(values: readonly number[], width: number, height: number): Chart {
  const perColumn = Math.max(1, Math.ceil(values.length / width));
  const groups = Array.from(
    { length: Math.ceil(values.length / perColumn) },
    (_, at) => [at * perColumn, Math.min(values.length, (at + 1) * perColumn)] as const,
  );
  const sums = groups.map(([first, end]) => values.slice(first, end).reduce((sum, value) => sum + value, 0));
  const max = Math.max(1, ...sums);
  const step = Math.min(widest, Math.max(1, Math.floor(width / Math.max(1, groups.length))));
  const gap = step > 1 ? 1 : 0;
  const rows = Array.from({ length: height }, (_, row) => {
    const below = (height - 1 - row) * 8;
    return sums
      .map((sum) => {
        // A positive value fills at least one eighth, so that it is visible.
        const filled = Math.max(sum > 0 ? 1 : 0, Math.round((sum / max) * height * 8));
        const part = eighths[Math.min(8, Math.max(0, filled - below))] as string;
        return part.repeat(step - gap) + ' '.repeat(gap);
      })
      .join('')
      .trimEnd();
  });
  return { rows, step, groups, max };
}
