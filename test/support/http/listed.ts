/**
 * Parses a table of strings, several per line, separated by ` | `. Escapes are the same as in JSON: invisible
 * characters, and whitespace at the start or end of a string, are written as `\u0020`.
 */
export function listed({ raw }: TemplateStringsArray): string[] {
  return raw
    .join('')
    .split(/ \| |\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => JSON.parse(`"${one.replaceAll('"', '\\"')}"`));
}
