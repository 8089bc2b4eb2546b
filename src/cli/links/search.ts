import { type Command, Option } from 'commander';
import type { LinkFilter } from '../../client/client.ts';
import { linkSorts, linkStates, sortOrders, tagMatches } from '../../model/links/link-search.ts';
import { tagOptions, withSynonym } from '../terminal/command.ts';
import { folderIdOrNone } from '../terminal/kinds.ts';
import type { ServerConnection } from '../terminal/references.ts';

/** Options for commands that filter and sort links. */
export interface SearchOptions
  extends Pick<
    LinkFilter,
    | 'search'
    | 'sort'
    | 'order'
    | 'status'
    | 'archived'
    | 'createdAfter'
    | 'createdBefore'
    | 'destination'
    | 'tagMatch'
    | 'managedBy'
    | 'domain'
  > {
  readonly host?: string;
  readonly tag?: readonly string[];
  readonly folder?: string;
}

/** Adds options to filter links; {@link searchGiven} reads them. */
export function addSearchOptions(command: Command): void {
  const options = [
    new Option(
      '--search <words>',
      'links with all these words in code, destination, title, description or tags',
    ),
    new Option('--folder <folder>', 'links in this folder, by name or ID; none for links in no folder'),
    ...tagOptions('links with these tags, separated by commas'),
    new Option('--tag-match <match>', 'with any of the tags (default), all of them, or none').choices(
      tagMatches,
    ),
    ...withSynonym(new Option('--domain <host>', 'links on this domain'), '--on-domain <host>'),
    new Option('--status <status>', 'links in this state').choices(linkStates),
    new Option('--archived <boolean>', 'true for archived links only, false for the others only').choices([
      'true',
      'false',
    ]),
    new Option('--created-after <time>', 'links created at this time or later, ISO 8601'),
    new Option('--created-before <time>', 'links created before this time, ISO 8601'),
    new Option('--host <host>', 'links that redirect to this host'),
    new Option('--destination <state>', 'links whose destination does not respond').choices(['failing']),
    new Option('--managed-by <manifest>', 'links of this manifest'),
    new Option('--sort <field>', 'field to sort by (default: createdAt)').choices(linkSorts),
    new Option(
      '--order <order>',
      'ascending or descending (default: asc for title and expiresAt, otherwise desc)',
    ).choices(sortOrders),
  ];
  for (const option of options) command.addOption(option);
}

/** Converts the options to API filters. Omits filters that are not given. */
export async function searchGiven(connection: ServerConnection, options: SearchOptions): Promise<LinkFilter> {
  const { search, sort, order, status, archived, createdAfter, createdBefore, destination } = options;
  const { host: destinationHost, tag, tagMatch, managedBy, domain, folder } = options;
  const given = {
    ...{ search, sort, order, status, archived, createdAfter, createdBefore, destination },
    ...{ destinationHost, tag: tag?.join(','), tagMatch, managedBy, domain },
    folderId: folder === undefined ? undefined : ((await folderIdOrNone(connection, folder)) ?? 'none'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
