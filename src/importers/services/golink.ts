import { BadRow } from '../fields.ts';
import { fromGoTemplate } from '../go-templates.ts';
import { keyOfCode, linkFrom, namesIn, visitFrom } from '../rows.ts';
import type { ParseRow, Service } from '../service.ts';

const names = namesIn('code:Short url:Long createdAt:Created');
// Its statistics are CSV without a header: name, seconds, count.
const namesOfClick = namesIn('at:Created|2 clicks:Clicks|3');

/** Golink treats `Foo-Bar` and `foobar` as the same name. Its statistics contain the latter, percent-encoded. */
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
    throw new BadRow('its destination is a Go template that Linkfold has no placeholders for');
  // Golink adds the query of the short URL to the destination.
  return linkFrom(row, names, choices, {
    key: keyOfCode(choices, idOf(code)),
    code,
    // Golink ignores hyphens.
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
