/**
 * Matches the first character of strings that a spreadsheet would treat as a formula. Some spreadsheets first normalize
 * similar characters: full-width, small, superscript and subscript forms, and the minus sign.
 */
const formula =
  '[=+\\-@\\t\\r\\n\u207a-\u207c\u208a-\u208c\u2212\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]';
const beginsFormula = new RegExp(`^${formula}`);
const apostrophe = new RegExp(`^'(?=${formula})`);

/**
 * Returns a CSV cell (RFC 4180). A string that a spreadsheet would treat as a formula gets a leading apostrophe. Cells
 * with semicolons or tabs are quoted too, because spreadsheets use them as separators in some locales.
 */
export function csvCell(value: string | number): string {
  const text = typeof value === 'string' && beginsFormula.test(value) ? `'${value}` : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Removes the apostrophe that {@link csvCell} adds. */
export function withoutApostrophe(cell: string): string {
  return cell.replace(apostrophe, '');
}
