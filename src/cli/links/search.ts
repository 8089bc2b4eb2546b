import { type Command, Option } from 'commander';
import type { LinkFilter } from '../../client/client.ts';
import {
  type LinkState,
  linkSorts,
  linkStates,
  sortOrders,
  tagMatches,
} from '../../model/links/link-search.ts';

/** The options of `links list` that choose and sort. */
export interface SearchOptions {
  readonly search?: string;
  readonly sort?: (typeof linkSorts)[number];
  readonly order?: (typeof sortOrders)[number];
  readonly status?: LinkState;
  readonly archived?: 'true' | 'false';
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly host?: string;
  readonly destination?: 'failing';
  readonly tag?: string;
  readonly tagMatch?: (typeof tagMatches)[number];
  readonly managedBy?: string;
}

/** Adds what links are searched by: {@link searchGiven} reads it. */
export function addSearchOptions(command: Command): void {
  const options = [
    new Option(
      '--search <words>',
      'only links with each of these words in code, destination, title, description or tags',
    ),
    new Option('--sort <field>', 'what to sort by (default: createdAt)').choices(linkSorts),
    new Option(
      '--order <order>',
      'rising or falling (default: asc for title and expiresAt, else desc)',
    ).choices(sortOrders),
    new Option('--status <status>', 'only links in this state').choices(linkStates),
    new Option('--archived <boolean>', 'only links that were put away, or only the others').choices([
      'true',
      'false',
    ]),
    new Option('--created-after <time>', 'only links made at this time or later, ISO 8601'),
    new Option('--created-before <time>', 'only links made before this time, ISO 8601'),
    new Option('--host <host>', 'only links to this host'),
    new Option('--destination <state>', 'only links whose destination does not answer').choices(['failing']),
    new Option('--tag <list>', 'only links with these tags, separated by commas'),
    new Option('--tag-match <match>', 'with any of the tags (default), all of them, or none').choices(
      tagMatches,
    ),
    new Option('--managed-by <manifest>', 'only links that this manifest keeps'),
  ];
  for (const option of options) command.addOption(option);
}

/** What the options say, as the API takes it. */
export function searchGiven(options: SearchOptions): LinkFilter {
  const {
    search,
    sort,
    order,
    status,
    archived,
    createdAfter,
    createdBefore,
    host: destinationHost,
    destination,
    tag,
    tagMatch,
    managedBy,
  } = options;
  const given = {
    search,
    sort,
    order,
    status,
    archived,
    createdAfter,
    createdBefore,
    destinationHost,
    destination,
    tag,
    tagMatch,
    managedBy,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
