import { type QrCode, standardMargin } from './code.ts';

/** Escape sequence for black on white in every theme, because themes do not change these two palette entries. */
const blackOnWhite = '\u001b[38;5;16;48;5;231m';
const reset = '\u001b[0m';

const blocks = [' ', '▄', '▀', '█'] as const;

/**
 * Draws a QR code with half blocks, two modules per character.
 * @param colours true if the terminal supports colors; otherwise, dark modules have the text color
 * @returns lines without line breaks
 */
export function terminalLines({ size, rows }: QrCode, colours: boolean): string[] {
  const isDark = (x: number, y: number): boolean => rows[y]?.[x] ?? false;
  const lines: string[] = [];
  for (let y = -standardMargin; y < size + standardMargin; y += 2) {
    let line = '';
    for (let x = -standardMargin; x < size + standardMargin; x += 1)
      line += blocks[Number(isDark(x, y)) * 2 + Number(isDark(x, y + 1))];
    lines.push(colours ? blackOnWhite + line + reset : line);
  }
  return lines;
}
