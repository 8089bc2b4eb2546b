import { type Command, InvalidArgumentError } from 'commander';
import type { Client, LinkFilter, ListedLink } from '../client/client.ts';
import { addCommand, addGroup, jsonOption, list } from './command.ts';
import { exits, Stop } from './exits.ts';
import { type Column, clean, count, note, sayFacts, sayJson, sayJsonLine, sayTable, when } from './print.ts';
import { addRemoteOptions, forEachId, openClient, type RemoteOptions } from './remote.ts';
import { addShorten } from './shorten.ts';

const exampleId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
const exampleFolder = '0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10';
const shared = { reaches: 'server' } as const;

export const addLinks = (program: Command): void => {
  const links = addGroup(program, 'links', 'Short links, through a server');
  addShorten(links);
  addList(links);
  addShow(links);
  addUpdate(links);
  addRemove(links);
  addRestore(links);
  addMove(links);
};

const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
};

interface ListOptions extends RemoteOptions {
  readonly folder?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly all?: true;
  readonly include?: NonNullable<LinkFilter['include']>;
}

const addList = (links: Command): void => {
  addRemoteOptions(
    addCommand(links, 'list', 'List links, newest first', {
      ...shared,
      examples: [
        ['linkfold links list --limit 50 --page 2', 'one page'],
        [
          'linkfold links list --folder none --include title,expiresAt',
          'links in no folder, with more about each',
        ],
        ['linkfold links list --all --json', 'every link, one JSON object a line, as they come'],
      ],
    }),
  )
    .option('--folder <id>', 'only links in this folder; none for links in no folder')
    .option('--page <number>', 'page to show (default: 1)', wholeNumber)
    .option('--limit <number>', 'links a page, 1 to 100 (default: 20)', wholeNumber)
    .option('--all', 'every page')
    .option('--include <list>', 'more fields: title,description,expiresAt,folderId,updatedAt,status', list)
    .option(...jsonOption)
    .action(async (options: ListOptions) => {
      const { folder, page, limit, include, json } = options;
      const client = await openClient(options);
      const filter = { limit, folderId: folder, include };
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
};

/** JSON as it comes, so that a million links need no memory; a table needs its widths first. */
const sayAll = async (found: AsyncIterable<ListedLink>, { json, include }: ListOptions): Promise<void> => {
  const rows: ListedLink[] = [];
  for await (const link of found) {
    if (json) sayJsonLine(link);
    else rows.push(link);
  }
  if (json) return;
  if (rows.length === 0) note('There are no links.');
  else sayTable(rows, columnsFor(include));
};

const columnsFor = (include: LinkFilter['include'] = []): Column<ListedLink>[] => [
  { title: 'ID', of: (link) => link.id },
  { title: 'SHORT URL', of: (link) => link.shortUrl },
  { title: 'DESTINATION', of: (link) => link.destinationUrl, cut: true },
  { title: 'CLICKS', of: (link) => count(link.clicks), right: true },
  { title: 'CREATED', of: (link) => when(link.createdAt) },
  ...include.map((field) => ({
    title: field.toUpperCase(),
    cut: true as const,
    of: (link: ListedLink) => (field.endsWith('At') ? when(link[field]) : (link[field] ?? '-')),
  })),
];

const sayLink = (link: Readonly<Record<string, unknown>>): void =>
  sayFacts(
    Object.fromEntries(
      Object.entries(link).map(([name, value]) => [name, value === null ? '-' : String(value)]),
    ),
  );

const addShow = (links: Command): void => {
  addRemoteOptions(
    addCommand(links, 'show', 'Show everything about a link', {
      ...shared,
      examples: [[`linkfold links show ${exampleId}`, 'the id, as `links list` shows it']],
    }),
  )
    .argument('<id>', 'id of the link')
    .option(...jsonOption)
    .action(async (id: string, options: RemoteOptions) => {
      const { includable } = await import('../client/client.ts');
      const link = await (await openClient(options)).getLink(id, { include: includable });
      if (options.json) sayJson(link);
      else sayLink(link);
    });
};

interface UpdateOptions extends RemoteOptions {
  readonly title?: string;
  readonly description?: string;
  /** False when `--no-expiry` was given. */
  readonly expiry: boolean;
  readonly expires?: string;
  readonly url?: string;
}

const addUpdate = (links: Command): void => {
  addRemoteOptions(
    addCommand(links, 'update', 'Change a link; its code and its clicks stay', {
      ...shared,
      examples: [
        [
          `linkfold links update ${exampleId} --title 'Summer' --expires 2027-09-01`,
          'an empty title or description clears it',
        ],
        [`linkfold links update ${exampleId} --no-expiry`, 'it never expires'],
        [`linkfold links update ${exampleId} --url https://example.com/summer`, 'it leads elsewhere'],
      ],
    }),
  )
    .argument('<id>', 'id of the link')
    .option('--title <text>', 'new title')
    .option('--description <text>', 'new description')
    .option('--expires <time>', 'new expiration, ISO 8601')
    .option('--no-expiry', 'remove the expiration')
    .option('--url <url>', 'new destination')
    .option(...jsonOption)
    .action(async (id: string, options: UpdateOptions) => {
      const fields = changesIn(options);
      const hasFields = Object.keys(fields).length > 0;
      if (!hasFields && options.url === undefined) {
        throw new Stop(
          exits.usage,
          'Nothing to change: give --title, --description, --expires, --no-expiry or --url.',
        );
      }
      const client = await openClient(options);
      // The destination is what can be refused for more reasons, so it goes first.
      const moved = options.url === undefined ? {} : await client.repointLink(id, { url: options.url });
      const updated = { ...moved, ...(hasFields && (await client.updateLink(id, fields))) };
      if (options.json) sayJson(updated);
      else sayLink(updated);
    });
};

const changesIn = ({
  title,
  description,
  expires,
  expiry,
}: UpdateOptions): Parameters<Client['updateLink']>[1] & object => {
  if (!expiry && expires !== undefined)
    throw new Stop(exits.usage, '--expires and --no-expiry exclude each other.');
  return {
    ...(title !== undefined && { title: title || null }),
    ...(description !== undefined && { description: description || null }),
    ...(expires !== undefined && { expiresAt: expires }),
    ...(!expiry && { expiresAt: null }),
  };
};

const addRemove = (links: Command): void => {
  addRemoteOptions(
    addCommand(links, 'rm', 'Delete links; `links restore` undoes it', {
      ...shared,
      examples: [[`linkfold links rm ${exampleId}`, 'one or several ids']],
      refused: 'some could not be deleted; the others are',
    }),
  )
    .argument('<ids...>', 'ids of links')
    .option(...jsonOption)
    .action(async (ids: readonly string[], options: RemoteOptions) => {
      const client = await openClient(options);
      await forEachId(ids, client.deleteLink, (deleted) => {
        if (options.json) sayJson({ deleted });
        else for (const id of deleted) note(`Deleted ${clean(id)}.`);
      });
    });
};

const addRestore = (links: Command): void => {
  addRemoteOptions(
    addCommand(links, 'restore', 'Undo a delete: the link is back with its code and clicks', {
      ...shared,
      examples: [[`linkfold links restore ${exampleId}`, 'refused when the code was taken again']],
    }),
  )
    .argument('<id>', 'id of the link')
    .option(...jsonOption)
    .action(async (id: string, options: RemoteOptions) => {
      const link = await (await openClient(options)).restoreLink(id);
      if (options.json) sayJson(link);
      else sayLink(link);
    });
};

const addMove = (links: Command): void => {
  addRemoteOptions(
    addCommand(links, 'move', 'Put links into a folder, or take them out', {
      ...shared,
      examples: [
        [`linkfold links move ${exampleId} --folder ${exampleFolder}`, 'one or several ids'],
        [`linkfold links move ${exampleId} --folder none`, 'into no folder'],
      ],
      refused: 'some could not be moved; the others are',
    }),
  )
    .argument('<ids...>', 'ids of links')
    .requiredOption('--folder <id>', 'id of the folder, or none')
    .option(...jsonOption)
    .action(async (ids: readonly string[], options: RemoteOptions & { folder: string }) => {
      const client = await openClient(options);
      const folderId = options.folder === 'none' ? null : options.folder;
      const move = (id: string) => client.moveLink(id, { folderId });
      await forEachId(ids, move, (moved) => {
        if (options.json) sayJson({ moved, folderId });
        else for (const id of moved) note(`Moved ${clean(id)}.`);
      });
    });
};
