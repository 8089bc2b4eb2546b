const barWidth = 20;

/**
 * Shows the progress of a part and its current step on one line of a terminal; elsewhere prints nothing, because only
 * the tables matter.
 * @returns a function to call when the next of `count` steps begins
 */
export function showSteps(part: string, count: number): (step: string) => void {
  let done = 0;
  return (step) => {
    const share = Math.min(1, done / count);
    done += 1;
    const filled = Math.round(barWidth * share);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    show(`${part.padEnd(9)} ${bar} ${Math.floor(100 * share)} %  ${step}`);
  };
}

/** Removes the line. */
export function clearSteps(): void {
  return show('');
}

function show(line: string): void {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r\u001b[2K${line.slice(0, (stderr.columns || 80) - 1)}`);
}
