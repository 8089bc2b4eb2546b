/** Parts of a character cell, from the left, in eighths. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** Draws a number as a bar from left to right, `width` characters long when it is `max`. What is not nothing shows. */
export function drawBar(value: number, max: number, width: number): string {
  if (value <= 0 || max <= 0) return '';
  const parts = Math.max(1, Math.round((value / max) * width * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}
