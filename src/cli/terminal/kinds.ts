import type { Client } from '../../client/client.ts';
import { isId } from '../../model/ids.ts';
import { tagKey } from '../../model/links/tags.ts';
import { exits, Stop } from './exits.ts';
import { clean, count, plural, when } from './print.ts';
import { aboutLink, linkId, type ServerConnection } from './references.ts';

/** A kind of record that arguments can refer to by name, not only by ID. */
interface Kind<Row> {
  /** Command group. */
  readonly group: string;
  /** Noun for messages. */
  readonly one: string;
  /** Description of the argument. */
  readonly about: string;
  readonly all: (client: Client) => Promise<readonly Row[]>;
  readonly names: (row: Row) => readonly (string | null)[];
  /** Set if a record can be found by part of its name. */
  readonly partly?: true;
  /** Details that distinguish records with the same name. */
  readonly facts?: (row: Row) => string;
}

function kind<Row extends { readonly id: string }>(described: Kind<Row>): Kind<Row> {
  return described;
}

/** The kinds of records. Names are case-insensitive. */
export const kinds = {
  folder: kind({
    group: 'folders',
    one: 'folder',
    about: 'name or ID of the folder',
    all: (client) => client.listFolders({ include: ['expiredUrl'] }),
    names: ({ name }) => [name],
    facts: ({ name, linkCount, createdAt }) =>
      `"${name}", ${plural(linkCount, 'link')}, created ${when(createdAt)}`,
  }),
  tag: kind({
    group: 'tags',
    one: 'tag',
    about: 'name or ID of the tag',
    all: (client) => client.listTags(),
    names: ({ name }) => [name],
  }),
  domain: kind({
    group: 'domains',
    one: 'domain',
    about: 'host or ID of the domain',
    all: (client) => client.listDomains({ include: ['certificate'] }),
    names: ({ host, hostUnicode }) => [host, hostUnicode],
  }),
  template: kind({
    group: 'utm-templates',
    one: 'UTM template',
    about: 'name or ID of the template',
    all: (client) => client.listUtmTemplates(),
    names: ({ name }) => [name],
  }),
  member: kind({
    group: 'members',
    one: 'member',
    about: 'email, name or ID of the member',
    all: (client) => client.listMembers(),
    names: ({ email, name }) => [email, name],
  }),
  webhook: kind({
    group: 'webhooks',
    one: 'webhook',
    about: 'ID of the webhook, or a unique part of its URL',
    all: (client) => client.listWebhooks(),
    names: ({ url }) => [url],
    partly: true,
  }),
  invitation: kind({
    group: 'invitations',
    one: 'invitation',
    about: 'ID or email address of the invitation',
    all: (client) => client.listInvitations(),
    names: ({ email }) => [email],
  }),
};

export type KindName = keyof typeof kinds;
export type RowOf<K extends KindName> = Awaited<ReturnType<(typeof kinds)[K]['all']>>[number];

/** Returns the description of a kind. */
export function kindOf<K extends KindName>(of: K): Kind<RowOf<K>> {
  return kinds[of] as unknown as Kind<RowOf<K>>;
}

const maxCandidates = 5;

/** Finds a record by its ID or one of its names. @throws Stop if no record or several records match */
export async function find<K extends KindName>(
  { client }: ServerConnection,
  of: K,
  text: string,
): Promise<RowOf<K>> {
  const { group, one, all, names, partly, facts } = kindOf(of);
  const rows = await all(client);
  const matching = (fold: (name: string) => string): RowOf<K>[] => {
    const wanted = fold(text.trim());
    const isMeant = (name: string): boolean => (partly ? fold(name).includes(wanted) : fold(name) === wanted);
    return rows.filter((row) => names(row).some((name) => name !== null && isMeant(name)));
  };
  const byId = rows.filter(({ id }) => id === text);
  const exact = byId.length > 0 ? byId : matching((name) => name.normalize());
  const found = exact.length > 0 ? exact : matching(tagKey);
  const [first] = found;
  if (first === undefined)
    throw new Stop(exits.refused, `There is no ${one} "${clean(text)}". To list all: linkfold ${group} list`);
  if (found.length === 1) return first;
  const shown = found.slice(0, maxCandidates).map((row) => {
    const shown = facts?.(row) ?? names(row).find((name) => name !== null) ?? '';
    return `${row.id} (${clean(shown)})`;
  });
  const more = found.length > maxCandidates ? [`and ${count(found.length - maxCandidates)} more`] : [];
  throw new Stop(
    exits.refused,
    `${count(found.length)} ${one}s match "${clean(text)}". Specify the ID of one: ${[...shown, ...more].join('; ')}.`,
  );
}

/** Returns the description of an argument that refers to a record. */
export function aboutKind(kind: KindName | 'link'): string {
  return kind === 'link' ? aboutLink : kinds[kind].about;
}

/** Returns the ID of a record that an argument refers to. @throws the errors of {@link find} and {@link linkId} */
export async function idOf(
  connection: ServerConnection,
  kind: KindName | 'link',
  text: string,
): Promise<string> {
  if (kind === 'link') return linkId(connection, text);
  return isId(text) ? text : (await find(connection, kind, text)).id;
}

/** Returns the ID of a folder, or null for the word `none`. */
export async function folderIdOrNone(connection: ServerConnection, text: string): Promise<string | null> {
  return text === 'none' ? null : idOf(connection, 'folder', text);
}
