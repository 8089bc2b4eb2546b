/** Partial blocks, from the left, in eighths. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** Draws a horizontal bar, `width` characters long for `max`. Positive values are always visible. */
export function drawBar(value: number, max: number, width: number): string {
  if (value <= 0 || max <= 0) return '';
  const parts = Math.max(1, Math.round((value / max) * width * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}
