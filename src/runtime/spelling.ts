/**
 * Returns the word that was probably meant: the closest word with at most two typos, and at most one typo per three
 * letters.
 */
export function nearestTo(text: string, words: readonly string[]): string | undefined {
  const wanted = text.toLowerCase();
  const max = Math.min(2, Math.floor(wanted.length / 3));
  let found: string | undefined;
  let least = max + 1;
  for (const word of new Set(words)) {
    const slips = slipsBetween(wanted, word.toLowerCase(), least);
    if (slips === 0 || slips >= least) continue;
    found = word;
    least = slips;
  }
  return found;
}

/**
 * Returns the edit distance, but at most `max`. It counts letters that are omitted, added, replaced or swapped with a
 * neighbor.
 */
export function slipsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let at = 1; at <= a.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= b.length; to += 1) {
      const isSame = a[at - 1] === b[to - 1];
      const isSwapped = at > 1 && to > 1 && a[at - 1] === b[to - 2] && a[at - 2] === b[to - 1];
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return Math.min(max, row[b.length] ?? max);
}
