import { BadRow } from '../fields.ts';
import { keyOfCode, linkFrom, namesIn, visitFrom } from '../rows.ts';
import type { ParseRow, Service } from '../service.ts';

/** Components of Go's reference time, `2006-01-02T15:04`. */
const dateParts: Readonly<Record<string, string>> = {
  '2006': 'yyyy',
  '06': 'yy',
  '01': 'MM',
  '02': 'dd',
  '15': 'HH',
  '04': 'mm',
};
const optional = /\{\{-?\s*(?:with|if)\s+\.Path\s*-?\}\}(.*?)\{\{-?\s*end\s*-?\}\}/gs;
const path = /\{\{-?\s*(?:(?:PathEscape|QueryEscape)\s+)?\.(?:Path)?\s*-?\}\}/g;
const user = /\{\{-?\s*\.User\s*-?\}\}/g;
const date = /\{\{-?\s*\.Now\.Format\s+"([^"]*)"\s*-?\}\}/g;

/**
 * Translates a Go template from Golink to a destination with placeholders.
 * @returns undefined if the template uses unsupported features
 */
function fromGoTemplate(text: string): string | undefined {
  // Replaces placeholders with markers first. Otherwise, their braces would be doubled along with the literal braces.
  const found: string[] = [];
  const mark = (placeholder: string): string => `\u0000${found.push(placeholder) - 1}\u0000`;
  const marked = text
    .replaceAll(optional, (_, inside: string) => {
      const [start, end] = [mark('{path?'), mark('}')];
      return start + inside.replaceAll(path, () => mark('{path}')) + end;
    })
    .replaceAll(path, () => mark('{path|}'))
    .replaceAll(user, () => mark('{user|}'))
    .replaceAll(date, (all, layout: string) => {
      const pattern = layout.replaceAll(/\d+/g, (part) => dateParts[part] ?? part);
      return /[\d{}|?]/.test(pattern) ? all : mark(`{date:${pattern}}`);
    });
  if (marked.includes('{{')) return undefined;
  const literal = marked.replaceAll(/[{}]/g, '$&$&');
  return literal.replaceAll(/\0(\d+)\0/g, (_, at: string) => found[Number(at)] ?? '');
}

const names = namesIn('code:Short url:Long createdAt:Created');
// Golink's statistics are CSV with the columns name, seconds and count, without a header.
const namesOfClick = namesIn('at:Created|2 clicks:Clicks|3');

/**
 * Converts a link's name to its form in Golink's statistics. Golink treats `Foo-Bar` and `foobar` as the same name; its
 * statistics contain `foobar`, percent-encoded.
 */
function idOf(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase().replaceAll('-', '');
  } catch {
    return name.toLowerCase().replaceAll('-', '');
  }
}

const linkOf: ParseRow = (row, choices) => {
  const code = row.need('Short');
  const long = row.need('Long');
  const template = long.includes('{{') ? fromGoTemplate(long) : undefined;
  if (template === undefined && long.includes('{{'))
    throw new BadRow('the destination is a Go template that Linkfold has no placeholders for');
  // The query string is forwarded, because Golink also adds the short URL's query string to the destination.
  return linkFrom(row, names, choices, {
    key: keyOfCode(choices, idOf(code)),
    code,
    // Golink ignores hyphens, so the short URL also works without them.
    aliases: code.includes('-') ? [code.replaceAll('-', '')] : undefined,
    forwardQuery: 'add',
    ...(template === undefined ? { appendPath: true } : { url: template, template: true }),
  });
};

export const golink: Service = {
  label: 'Golink',
  links: linkOf,
  clicks: (row, choices) => visitFrom(row, namesOfClick, keyOfCode(choices, idOf(row.need('ID', '1')))),
};
