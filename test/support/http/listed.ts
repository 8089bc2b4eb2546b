/**
 * Texts of a table: several on a line, ` | ` between them. Each is written as in JSON, so that a character that a reader
 * cannot see, or white space at an end, is written `\u0020`.
 */
export function listed({ raw }: TemplateStringsArray): string[] {
  return raw
    .join('')
    .split(/ \| |\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => JSON.parse(`"${one.replaceAll('"', '\\"')}"`));
}
