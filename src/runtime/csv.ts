/**
 * The characters with which a text begins that a spreadsheet computes. Some fold look-alikes to them first: full-width, small,
 * superscript and subscript forms, and the minus sign.
 */
const formula =
  '[=+\\-@\\t\\r\\n\u207a-\u207c\u208a-\u208c\u2212\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]';
const beginsFormula = new RegExp(`^${formula}`);
const apostrophe = new RegExp(`^'(?=${formula})`);

/**
 * Returns a cell of CSV (RFC 4180). A text that a spreadsheet would compute gets an apostrophe in front. Semicolons and tabs are
 * quoted too, since spreadsheets of some languages take them for separators.
 */
export function csvCell(value: string | number): string {
  const text = typeof value === 'string' && beginsFormula.test(value) ? `'${value}` : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the text of a cell without the apostrophe that {@link csvCell} puts in front. */
export function withoutApostrophe(cell: string): string {
  return cell.replace(apostrophe, '');
}
