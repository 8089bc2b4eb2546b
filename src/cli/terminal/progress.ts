import { count } from './print.ts';

export interface Progress {
  update(done: number, total: number): void;
  /** Removes the progress bar, so that other lines can be printed. The next update draws it again. */
  clear(): void;
}

const drawEveryMs = 100;
const barWidth = 24;
const foreseeAfterMs = 1_000;

/**
 * Shows the progress of a long operation on stderr. On a terminal, shows a bar with the remaining time. Otherwise,
 * prints a line every ten percent, or nothing if `quiet` is set.
 */
export function createProgress(label: string, { quiet = false } = {}): Progress {
  const stream = process.stderr;
  const isTerminal = stream.isTTY === true && process.env.TERM !== 'dumb';
  const start = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let shownTenth = -1;
  let isDrawn = false;

  const clear = (): void => {
    if (isDrawn) stream.write('\r\u001b[2K');
    isDrawn = false;
  };

  const draw = (done: number, total: number): void => {
    if (performance.now() - drawnAt < drawEveryMs && done < total) return;
    drawnAt = performance.now();
    const share = total === 0 ? 1 : done / total;
    const filled = Math.round(share * barWidth);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const line = `${label} ${bar} ${Math.floor(share * 100)} %  ${count(done)}/${count(total)}${left(start, share)}`;
    clear();
    stream.write(line.slice(0, (stream.columns || 80) - 1));
    isDrawn = true;
  };

  const drawLine = (done: number, total: number): void => {
    const tenth = total === 0 ? 10 : Math.floor((done / total) * 10);
    if (tenth <= shownTenth) return;
    shownTenth = tenth;
    stream.write(`${label}: ${tenth * 10} %\n`);
  };

  return {
    update(done, total) {
      if (isTerminal) draw(done, total);
      else if (!quiet) drawLine(done, total);
    },
    clear,
  };
}

function left(start: number, share: number): string {
  const spent = performance.now() - start;
  if (spent < foreseeAfterMs || share === 0 || share >= 1) return '';
  const seconds = Math.ceil(((spent / share) * (1 - share)) / 1000);
  return seconds < 90 ? `  ${seconds} s left` : `  ${Math.ceil(seconds / 60)} min left`;
}
