import { BadRow } from '../fields.ts';
import { keyOfCode, linkFrom, namesIn } from '../rows.ts';
import type { ParseRow, Service } from '../service.ts';

const names = namesIn('url:destination_url createdAt:created clicks:visits_count');
const maxSegments = 9;

/**
 * Translates the `%s` placeholders in a Trotto link to `{1}`, `{2}`…
 * @param shortpath name and one `/%s` per placeholder, such as `jira/%s`
 * @returns undefined if there are no placeholders
 * @throws BadRow if the placeholders in the name and in the destination do not match
 */
function templateOf(
  shortpath: string,
  destination: string,
): { readonly name: string; readonly url: string } | undefined {
  if (!shortpath.includes('%s')) return undefined;
  const [, name = '', rest = ''] = /^([^%]+?)((?:\/%s)+)$/.exec(shortpath) ?? [];
  const count = rest.split('%s').length - 1;
  if (count === 0) throw new BadRow('the name has a %s that is not a whole segment at the end');
  if (count > maxSegments) throw new BadRow(`the name has more than ${maxSegments} placeholders`);
  const [first = '', ...others] = destination.replaceAll(/[{}]/g, '$&$&').split('%s');
  if (others.length !== count)
    throw new BadRow(`the name has ${count} placeholders, but the destination has ${others.length}`);
  return { name, url: first + others.map((text, at) => `{${at + 1}}${text}`).join('') };
}

const linkOf: ParseRow = (row, choices) => {
  const shortpath = row.need('shortpath').replaceAll(/^\/+|\/+$/g, '');
  const namespace = row.text('namespace') ?? 'go';
  const template = templateOf(shortpath, row.need('destination_url'));
  // In Trotto, short URLs start with the name of their namespace, unless the namespace is `go`.
  const inNamespace = (name: string): string => (namespace === 'go' ? name : `${namespace}/${name}`);
  return linkFrom(row, names, choices, {
    // The key includes `%s`, because `drive` and `drive/%s` are two links.
    key: keyOfCode(choices, inNamespace(shortpath)),
    code: inNamespace(template?.name ?? shortpath),
    ...(template !== undefined && { url: template.url, template: true }),
  });
};

/** Trotto. Its links are read from an export file: JSON, or CSV with the same columns. */
export const trotto: Service = { label: 'Trotto', links: linkOf };
