import type { Command } from 'commander';
import type { Client, DeletedLink, DeletedLinkPage, LinkFilter, ListedLink } from '../../client/client.ts';
import { fieldsWith } from '../../model/links/link-field-values.ts';
import { drawColumns } from '../statistics/columns.ts';
import { addShares } from '../statistics/shares.ts';
import { addGroup, listOption, tagOptions } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { folderIdOrNone } from '../terminal/kinds.ts';
import { between, fieldOptions, fieldsGiven, wholeNumber } from '../terminal/options.ts';
import {
  type Column,
  count,
  displayValue,
  note,
  plural,
  printJson,
  printJsonLine,
  printList,
  printRecord,
  printTable,
  when,
} from '../terminal/print.ts';
import { aboutLink, deletedLinkId, findLink, linkId } from '../terminal/references.ts';
import { addServerCommand, changeEach, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { addVerb, requireChange } from '../terminal/resources.ts';
import { addAliases, withFreeCodes } from './aliases.ts';
import { addExport } from './export.ts';
import { addHistory } from './history.ts';
import { addImport } from './import.ts';
import { addSearchOptions, type SearchOptions, searchGiven } from './search.ts';
import { addShorten } from './shorten.ts';
import { addSimulate } from './simulate.ts';
import { addUpsert } from './upsert.ts';

const aboutLinks = 'codes, short URLs or IDs of links, or external: and their external IDs';

export function addLinks(program: Command): void {
  const links = addGroup(program, 'links', 'Short links');
  addList(links);
  addGet(links);
  addShorten(links, 'create');
  addUpdate(links);
  addDelete(links);
  addRestore(links);
  addMove(links);
  addUpsert(links);
  addImport(links);
  addExport(links);
  addSimulate(links);
  addAliases(links);
  addHistory(links);
  addShares(links);
}

interface ListOptions extends RemoteOptions, SearchOptions {
  readonly externalId?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly all?: true;
  readonly deleted?: true;
  readonly include?: NonNullable<LinkFilter['include']>;
}

const includableNames = [
  ...fieldsWith('includable'),
  ...[
    'tags',
    'status',
    'lastClickAt',
    'clicksLeft',
    'hasPassword',
    'domain',
    'destinationCheck',
    'clicksByDay',
    'excludedToday',
  ],
];

function addList(links: Command): void {
  const command = addServerCommand(links, 'list', 'List or search links, newest first', {
    examples: [
      ['linkfold links list --limit 50 --page 2', 'one page'],
      ['linkfold links list --folder none --include title,expiresAt', 'links in no folder, with more fields'],
      ['linkfold links list --all --json', 'all links, one JSON object per line'],
      [
        'linkfold links list --search "spring berlin" --sort clicks',
        'links that contain both words, most clicks first',
      ],
      ['linkfold links list --deleted', 'links that `links restore` can restore'],
    ],
  });
  addSearchOptions(command);
  command
    .option('--external-id <id>', 'the link with this external ID')
    .option('--page <number>', 'page to show (default: 1)', wholeNumber)
    .option('--limit <number>', 'links per page, 1 to 100 (default: 20)', between(1, 100))
    .option('--all', 'all pages')
    .option('--deleted', 'list deleted links, most recently deleted first')
    .addOption(listOption('--include <list>', `more fields: ${includableNames.join(',')}`))
    .action(async (options: ListOptions) => {
      const { externalId, page, limit, include, json } = options;
      const connection = await connectToServer(options);
      const { client } = connection;
      const filter = { limit, externalId, include, ...(await searchGiven(connection, options)) };
      if (options.deleted) {
        const { limit: _, externalId: __, ...others } = { ...filter, page };
        if (Object.values(others).some((value) => value !== undefined))
          throw new Stop(
            exits.usage,
            '--deleted can only be combined with --external-id, --limit, --all and --json.',
          );
        return printDeleted(client, options);
      }
      if (options.all) {
        if (page !== undefined) throw new Stop(exits.usage, '--all and --page cannot be combined.');
        return printAll(client.allLinks({ ...filter, limit: limit ?? 100 }), options);
      }
      const found = await client.listLinks({ ...filter, page });
      if (json) return printJson(found);
      const { total } = found.pagination;
      if (found.data.length === 0) return note(total === 0 ? 'No links found.' : 'This page is empty.');
      printTable(found.data, columnsFor(include));
      const pages = Math.ceil(total / found.pagination.limit);
      if (pages > 1)
        note(`Page ${found.pagination.page} of ${count(pages)}, ${plural(total, 'link')} in total.`);
    });
}

/**
 * Prints links. JSON is streamed link by link, so that memory use stays constant even for a million links. A table is
 * printed at the end, because its column widths depend on all rows.
 */
async function printAll(found: AsyncIterable<ListedLink>, { json, include }: ListOptions): Promise<void> {
  const rows: ListedLink[] = [];
  for await (const link of found) {
    if (json) printJsonLine(link);
    else rows.push(link);
  }
  if (json) return;
  printList(rows, columnsFor(include), 'No links found.');
}

function columnsFor(include: LinkFilter['include'] = []): Column<ListedLink>[] {
  return [
    { title: 'ID', of: (link) => link.id, spare: 2 },
    { title: 'SHORT URL', of: (link) => link.shortUrl },
    { title: 'DESTINATION', of: (link) => link.destinationUrl, cut: true },
    { title: 'CLICKS', of: (link) => count(link.clicks), right: true },
    { title: 'CREATED', of: (link) => when(link.createdAt), spare: 1 },
    ...include.map((field) => ({
      title: field.toUpperCase(),
      cut: true as const,
      of: (link: ListedLink) => cell(field, link[field]),
    })),
  ];
}

function cell(field: string, value: unknown): string {
  if (field !== 'clicksByDay' || !Array.isArray(value)) return displayValue(field, value);
  return drawColumns(value, value.length, 1).rows[0] ?? '';
}

const deletedColumns: readonly Column<DeletedLink>[] = [
  { title: 'ID', of: (link) => link.id, spare: 2 },
  { title: 'SHORT URL', of: (link) => link.shortUrl },
  { title: 'DESTINATION', of: (link) => link.destinationUrl, cut: true },
  { title: 'CLICKS', of: (link) => count(link.clicks), right: true },
  { title: 'DELETED', of: (link) => when(link.deletedAt) },
];

/** Prints the first page of deleted links, or all pages if `all` is set. */
async function printDeleted(client: Client, { externalId, limit, all, json }: ListOptions): Promise<void> {
  const rows: DeletedLink[] = [];
  let cursor: string | null = null;
  do {
    const filter = { status: 'deleted', externalId, limit: limit ?? (all ? 100 : undefined) } as const;
    const page: DeletedLinkPage = await client.listLinks({ ...filter, ...(cursor !== null && { cursor }) });
    cursor = page.pagination.nextCursor;
    if (json && !all) return printJson(page);
    if (json) for (const link of page.data) printJsonLine(link);
    else rows.push(...page.data);
  } while (all && cursor !== null);
  if (json) return;
  printList(rows, deletedColumns, 'No deleted links.');
  if (cursor !== null) note('There are more links. To list all links, pass --all.');
}

function addGet(links: Command): void {
  addVerb(links, 'get', {
    about: 'Show all fields of a link',
    examples: [['linkfold links get spring', 'or its short URL, or its ID']],
    args: [['<link>', aboutLink]],
    async run(connection, [text]: [string]) {
      const link = await findLink(connection, text);
      const { excludedToday } = await connection.client.getLink(link.id, { include: ['excludedToday'] });
      return { ...link, excludedToday };
    },
    show: ({ excludedToday, ...link }) => printRecord(excludedToday > 0 ? { ...link, excludedToday } : link),
  });
}

interface UpdateOptions extends RemoteOptions {
  /** False if the user gave `--no-expiry`. */
  readonly expiry: boolean;
  /** False if the user gave `--no-password`. */
  readonly password: boolean;
  readonly code?: string;
  readonly domain?: string;
  readonly url?: string;
  readonly folder?: string;
  readonly tag?: readonly string[];
}

function addUpdate(links: Command): void {
  const command = addServerCommand(links, 'update', 'Change a link; its clicks stay', {
    examples: [
      [
        "linkfold links update spring --title 'Summer' --expires 2030-09-01",
        'an empty title, description, external ID or list of tags removes it',
      ],
      ['linkfold links update spring --no-expiry', 'the link never expires'],
      ['linkfold links update spring --password-file - < secret.txt', 'visitors need a password'],
      ['linkfold links update spring --url https://example.com/summer', 'a new destination'],
      ['linkfold links update spring --code spring-sale', 'the old code becomes an alias'],
      ['linkfold links update spring --folder Campaigns', 'use none for no folder'],
    ],
  }).argument('<link>', aboutLink);
  const shared = command.options.length;
  for (const option of [...fieldOptions('updateLink'), ...tagOptions()]) command.addOption(option);
  command
    .option('--no-expiry', 'remove the expiration')
    .option('--no-password', 'remove the password')
    .option('--url <url>', 'new destination')
    .option('--folder <folder>', 'name or ID of the new folder, or none')
    .option('--code <code>', 'new code; the old one becomes an alias');
  const changing = command.options.slice(shared);
  command
    .option('--domain <host>', 'domain of the new code (default: the domain of the link)')
    .action(async (given: string, options: UpdateOptions) => {
      requireChange(command, changing);
      const { url, code, domain, folder } = options;
      const fields = changesIn(options);
      if (domain !== undefined && code === undefined)
        throw new Stop(exits.usage, '--domain requires --code.');
      const connection = await connectToServer(options);
      const id = await linkId(connection, given);
      const folderId = folder === undefined ? undefined : await folderIdOrNone(connection, folder);
      const changes = { ...fields, url, code, domain, folderId };
      const updated = await connection.client.links.update(id, changes).catch(async (error: unknown) => {
        throw options.json || code === undefined
          ? error
          : await withFreeCodes(connection.client, { customCode: code, domain }, error);
      });
      if (options.json) printJson(updated);
      else printRecord(updated);
    });
}

/** Returns the fields to change. An empty value clears an optional field. */
function changesIn(options: UpdateOptions): Parameters<Client['updateLink']>[1] & object {
  const given = Object.entries(fieldsGiven('updateLink', options));
  const changes = given.map(([name, text]) => [name, name === 'expiresAt' ? text : text || null]);
  const fields = {
    ...Object.fromEntries(changes),
    ...(options.tag !== undefined && { tags: options.tag }),
  } as Parameters<Client['updateLink']>[1] & object;
  if (!options.expiry && fields.expiresAt !== undefined)
    throw new Stop(exits.usage, '--expires and --no-expiry cannot be combined.');
  if (!options.password && fields.password !== undefined)
    throw new Stop(exits.usage, '--password-file and --no-password cannot be combined.');
  return {
    ...fields,
    ...(!options.expiry && { expiresAt: null }),
    ...(!options.password && { password: null }),
  };
}

function addDelete(links: Command): void {
  addServerCommand(links, 'delete', 'Delete links; `links restore` undoes it', {
    examples: [['linkfold links delete spring https://go.example.com/autumn', 'one or more']],
    refused: 'some links could not be deleted',
  })
    .argument('<links...>', aboutLinks)
    .action(async (given: readonly string[], options: RemoteOptions) => {
      const connection = await connectToServer(options);
      const shown = { verb: 'deleted', json: options.json };
      await changeEach(connection, given, shown, (id) => connection.client.deleteLink(id));
    });
}

function addRestore(links: Command): void {
  addVerb(links, 'restore', {
    about: 'Restore a deleted link with its code and clicks',
    examples: [['linkfold links restore spring', 'fails if another link now has the code']],
    args: [['<link>', aboutLink]],
    run: async (connection, [link]: [string]) =>
      connection.client.restoreLink(await deletedLinkId(connection, link)),
    show: printRecord,
  });
}

function addMove(links: Command): void {
  addServerCommand(links, 'move', 'Move links into a folder, or out of their folders', {
    examples: [
      ["linkfold links move spring summer --folder 'Campaigns'", 'one or more'],
      ['linkfold links move spring --folder none', 'out of its folder'],
    ],
    refused: 'some links could not be moved',
  })
    .argument('<links...>', aboutLinks)
    .requiredOption('--folder <folder>', 'name or ID of the folder, or none')
    .action(async (given: readonly string[], options: RemoteOptions & { folder: string }) => {
      const connection = await connectToServer(options);
      const folderId = await folderIdOrNone(connection, options.folder);
      const shown = { verb: 'moved', json: options.json, more: { folderId } };
      await changeEach(connection, given, shown, (id) => connection.client.moveLink(id, { folderId }));
    });
}
