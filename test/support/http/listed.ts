/**
 * Parses a table of strings, several per line, separated by ` | `. Each is written as in JSON: invisible characters and
 * white space at an end are written as `\u0020`.
 */
export function listed({ raw }: TemplateStringsArray): string[] {
  return raw
    .join('')
    .split(/ \| |\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => JSON.parse(`"${one.replaceAll('"', '\\"')}"`));
}
