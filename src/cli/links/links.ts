import type { Command } from 'commander';
import type { Client, DeletedLink, DeletedLinkPage, LinkFilter, ListedLink } from '../../client/client.ts';
import { fieldsWith, inputsOf } from '../../model/links/link-field-values.ts';
import { drawColumns } from '../statistics/columns.ts';
import { addShares } from '../statistics/shares.ts';
import { addGroup, list } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { between, fieldOptions, fieldsGiven, wholeNumber } from '../terminal/options.ts';
import {
  type Column,
  count,
  note,
  sayFacts,
  sayJson,
  sayJsonLine,
  sayTable,
  when,
} from '../terminal/print.ts';
import { aboutLink, deletedLinkId, findLink, folderIdOrNone, linkId } from '../terminal/references.ts';
import { addServerCommand, changeEach, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { addAliases, recode } from './aliases.ts';
import { addExport } from './export.ts';
import { addHistory } from './history.ts';
import { addImport } from './import.ts';
import { addSearchOptions, type SearchOptions, searchGiven } from './search.ts';
import { addShorten } from './shorten.ts';
import { addSimulate } from './simulate.ts';
import { tagsOption } from './tags.ts';
import { addUpsert } from './upsert.ts';

const aboutLinks = 'codes, short URLs or ids of links, or external: and their external ids';

export function addLinks(program: Command): void {
  const links = addGroup(program, 'links', 'Short links, through a server');
  addShorten(links);
  addUpsert(links);
  addImport(links);
  addExport(links);
  addList(links);
  addShow(links);
  addUpdate(links);
  addSimulate(links);
  addRemove(links);
  addRestore(links);
  addMove(links);
  addAliases(links);
  addHistory(links);
  addShares(links);
}

interface ListOptions extends RemoteOptions, SearchOptions {
  readonly folder?: string;
  readonly externalId?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly all?: true;
  readonly deleted?: true;
  readonly include?: NonNullable<LinkFilter['include']>;
}

function addList(links: Command): void {
  const command = addServerCommand(links, 'list', 'List or find links, newest first unless told otherwise', {
    examples: [
      ['linkfold links list --limit 50 --page 2', 'one page'],
      [
        'linkfold links list --folder none --include title,expiresAt',
        'links in no folder, with more about each',
      ],
      ['linkfold links list --all --json', 'every link, one JSON object a line, as they come'],
      [
        'linkfold links list --search "spring berlin" --sort clicks',
        'links with both words, the most clicked first',
      ],
      ['linkfold links list --deleted', 'what `links restore` can bring back'],
    ],
  });
  addSearchOptions(command);
  command
    .option('--folder <folder>', 'only links in this folder, by name or id; none for links in no folder')
    .option('--external-id <id>', 'only the link that another system knows by this name')
    .option('--page <number>', 'page to show (default: 1)', wholeNumber)
    .option('--limit <number>', 'links a page, 1 to 100 (default: 20)', between(1, 100))
    .option('--all', 'every page')
    .option('--deleted', 'deleted links instead, the last deleted first')
    .option(
      '--include <list>',
      `more fields: ${[...fieldsWith('includable'), 'tags', 'status', 'lastClickAt', 'clicksLeft', 'hasPassword', 'domain'].join(',')},clicksByDay`,
      list,
    )
    .action(async (options: ListOptions) => {
      const { folder, externalId, page, limit, include, json } = options;
      const place = await openPlace(options);
      const { client } = place;
      if (options.deleted) {
        const searches = Object.keys(searchGiven(options)).length > 0;
        if (folder !== undefined || page !== undefined || include !== undefined || searches)
          throw new Stop(exits.usage, '--deleted excludes all but --external-id, --limit, --all and --json.');
        return sayDeleted(client, options);
      }
      const inFolder = folder === undefined ? undefined : ((await folderIdOrNone(place, folder)) ?? 'none');
      const filter = { limit, folderId: inFolder, externalId, include, ...searchGiven(options) };
      if (options.all) {
        if (page !== undefined) throw new Stop(exits.usage, '--all and --page exclude each other.');
        return sayAll(client.allLinks({ ...filter, limit: limit ?? 100 }), options);
      }
      const found = await client.listLinks({ ...filter, page });
      if (json) return sayJson(found);
      const { total } = found.pagination;
      if (found.data.length === 0)
        return note(total === 0 ? 'There are no links.' : 'There is nothing on this page.');
      sayTable(found.data, columnsFor(include));
      const pages = Math.ceil(total / found.pagination.limit);
      if (pages > 1) note(`Page ${found.pagination.page} of ${count(pages)}, ${count(total)} links in all.`);
    });
}

/** Prints JSON link by link, so that a million links need no memory; a table needs the widths of all first. */
async function sayAll(found: AsyncIterable<ListedLink>, { json, include }: ListOptions): Promise<void> {
  const rows: ListedLink[] = [];
  for await (const link of found) {
    if (json) sayJsonLine(link);
    else rows.push(link);
  }
  if (json) return;
  if (rows.length === 0) note('There are no links.');
  else sayTable(rows, columnsFor(include));
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
  if (field === 'clicksByDay' && Array.isArray(value))
    return drawColumns(value, value.length, 1).rows[0] ?? '';
  if (Array.isArray(value) && typeof value[0] !== 'object') return value.join(', ') || '-';
  if (field.endsWith('At')) return when(value as string | null | undefined);
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const deletedColumns: readonly Column<DeletedLink>[] = [
  { title: 'ID', of: (link) => link.id, spare: 2 },
  { title: 'SHORT URL', of: (link) => link.shortUrl },
  { title: 'DESTINATION', of: (link) => link.destinationUrl, cut: true },
  { title: 'CLICKS', of: (link) => count(link.clicks), right: true },
  { title: 'DELETED', of: (link) => when(link.deletedAt) },
];

/** The first page of deleted links, or with `all` every page; each has the cursor of the next one. */
async function sayDeleted(client: Client, { externalId, limit, all, json }: ListOptions): Promise<void> {
  const rows: DeletedLink[] = [];
  let cursor: string | null = null;
  do {
    const filter = { status: 'deleted', externalId, limit: limit ?? (all ? 100 : undefined) } as const;
    const page: DeletedLinkPage = await client.listLinks({ ...filter, ...(cursor !== null && { cursor }) });
    cursor = page.pagination.nextCursor;
    if (json && !all) return sayJson(page);
    if (json) for (const link of page.data) sayJsonLine(link);
    else rows.push(...page.data);
  } while (all && cursor !== null);
  if (json) return;
  if (rows.length === 0) note('There are no deleted links.');
  else sayTable(rows, deletedColumns);
  if (cursor !== null) note('There are more: --all shows them.');
}

function sayLink(link: Readonly<Record<string, unknown>>): void {
  const facts = Object.entries(link).flatMap(([name, value]) => {
    const shown = cell(name, value);
    return shown === '-' || value === false ? [] : [[name, name.endsWith('At') ? String(value) : shown]];
  });
  return sayFacts(Object.fromEntries(facts));
}

function addShow(links: Command): void {
  addServerCommand(links, 'show', 'Show everything about a link', {
    examples: [['linkfold links show spring', 'or its short URL, or its id']],
  })
    .argument('<link>', aboutLink)
    .action(async (given: string, options: RemoteOptions) => {
      const link = await findLink(await openPlace(options), given);
      if (options.json) sayJson(link);
      else sayLink(link);
    });
}

interface UpdateOptions extends RemoteOptions {
  /** False when `--no-expiry` was given. */
  readonly expiry: boolean;
  /** False when `--no-password` was given. */
  readonly password: boolean;
  readonly code?: string;
  readonly domain?: string;
  readonly url?: string;
  readonly tags?: string[];
}

function addUpdate(links: Command): void {
  const command = addServerCommand(links, 'update', 'Change a link; its clicks stay', {
    examples: [
      [
        "linkfold links update spring --title 'Summer' --expires 2030-09-01",
        'an empty title, description, external id or list of tags clears it',
      ],
      ['linkfold links update spring --no-expiry', 'it never expires'],
      ['linkfold links update spring --password-file - < secret.txt', 'visitors have to give a password'],
      ['linkfold links update spring --url https://example.com/summer', 'it leads elsewhere'],
      ['linkfold links update spring --code summer', 'spring goes on leading to it, as an alias'],
    ],
  }).argument('<link>', aboutLink);
  for (const option of fieldOptions('updateLink')) command.addOption(option);
  command
    .option(...tagsOption)
    .option('--no-expiry', 'remove the expiration')
    .option('--no-password', 'remove the password')
    .option('--url <url>', 'new destination')
    .option('--code <code>', 'new code; the old one stays an alias')
    .option('--domain <host>', 'domain of the new code; that of the link by default')
    .action(async (given: string, options: UpdateOptions) => {
      const fields = changesIn(options);
      const hasFields = Object.keys(fields).length > 0;
      if (!hasFields && options.url === undefined && options.code === undefined) {
        throw new Stop(
          exits.usage,
          `Nothing to change: give ${inputsOf('updateLink')
            .map(({ option }) => `--${option}, `)
            .join('')}--tags, --no-expiry, --no-password, --url or --code.`,
        );
      }
      if (options.domain !== undefined && options.code === undefined)
        throw new Stop(exits.usage, '--domain is only for --code.');
      const place = await openPlace(options);
      const { client } = place;
      const id = await linkId(place, given);
      // What can be refused for more reasons goes first.
      const { url, code } = options;
      const moved = url === undefined ? {} : await client.repointLink(id, { url });
      const recoded = code === undefined ? {} : await recode(client, id, code, options);
      const updated = { ...moved, ...recoded, ...(hasFields && (await client.updateLink(id, fields))) };
      if (options.json) sayJson(updated);
      else sayLink(updated);
    });
}

/** An empty text clears what may be empty. */
function changesIn(options: UpdateOptions): Parameters<Client['updateLink']>[1] & object {
  const given = Object.entries(fieldsGiven('updateLink', options));
  const changes = given.map(([name, text]) => [name, name === 'expiresAt' ? text : text || null]);
  const fields = {
    ...Object.fromEntries(changes),
    ...(options.tags !== undefined && { tags: options.tags }),
  } as Parameters<Client['updateLink']>[1] & object;
  if (!options.expiry && fields.expiresAt !== undefined)
    throw new Stop(exits.usage, '--expires and --no-expiry exclude each other.');
  if (!options.password && fields.password !== undefined)
    throw new Stop(exits.usage, '--password-file and --no-password exclude each other.');
  return {
    ...fields,
    ...(!options.expiry && { expiresAt: null }),
    ...(!options.password && { password: null }),
  };
}

function addRemove(links: Command): void {
  addServerCommand(links, 'rm', 'Delete links; `links restore` undoes it', {
    examples: [['linkfold links rm spring https://go.example.com/summer', 'one or several']],
    refused: 'some could not be deleted; the others are',
  })
    .argument('<links...>', aboutLinks)
    .action(async (given: readonly string[], options: RemoteOptions) => {
      const place = await openPlace(options);
      const shown = { verb: 'deleted', json: options.json };
      await changeEach(place, given, shown, (id) => place.client.deleteLink(id));
    });
}

function addRestore(links: Command): void {
  addServerCommand(links, 'restore', 'Undo a delete: the link is back with its code and clicks', {
    examples: [['linkfold links restore spring', 'refused when another link has the code now']],
  })
    .argument('<link>', aboutLink)
    .action(async (given: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const link = await place.client.restoreLink(await deletedLinkId(place, given));
      if (options.json) sayJson(link);
      else sayLink(link);
    });
}

function addMove(links: Command): void {
  addServerCommand(links, 'move', 'Put links into a folder, or take them out', {
    examples: [
      ["linkfold links move spring summer --folder 'Campaigns'", 'one or several'],
      ['linkfold links move spring --folder none', 'into no folder'],
    ],
    refused: 'some could not be moved; the others are',
  })
    .argument('<links...>', aboutLinks)
    .requiredOption('--folder <folder>', 'name or id of the folder, or none')
    .action(async (given: readonly string[], options: RemoteOptions & { folder: string }) => {
      const place = await openPlace(options);
      const folderId = await folderIdOrNone(place, options.folder);
      const shown = { verb: 'moved', json: options.json, more: { folderId } };
      await changeEach(place, given, shown, (id) => place.client.moveLink(id, { folderId }));
    });
}
