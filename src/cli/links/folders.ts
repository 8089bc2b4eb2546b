import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { addGroup } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { type Column, clean, count, note, say, sayJson, sayTable, when } from '../terminal/print.ts';
import { folderId } from '../terminal/references.ts';
import { addServerCommand, openClient, openPlace, type RemoteOptions } from '../terminal/remote.ts';

type Folder = Awaited<ReturnType<Client['listFolders']>>[number];

const columns: readonly Column<Folder>[] = [
  { title: 'ID', of: (folder) => folder.id },
  { title: 'NAME', of: (folder) => folder.name, cut: true },
  { title: 'LINKS', of: (folder) => count(folder.linkCount), right: true },
  { title: 'CREATED', of: (folder) => when(folder.createdAt) },
];
const expiredUrlColumn: Column<Folder> = {
  title: 'EXPIRED URL',
  cut: true,
  of: (folder: Folder) => clean(folder.expiredUrl ?? '-'),
};

const expiredUrlOption = [
  '--expired-url <url>',
  'where visitors go when a link in it is over and says nothing of that itself',
] as const;

interface Given extends RemoteOptions {
  readonly name?: string;
  readonly expiredUrl?: string;
}

export function addFolders(program: Command): void {
  const folders = addGroup(program, 'folders', 'Folders of links, through a server');
  for (const add of [addList, addCreate, addRename, addUpdate, addRemove, addRestore]) add(folders);
}

function addList(folders: Command): void {
  addServerCommand(folders, 'list', 'List folders with the number of their links', {
    examples: [['linkfold folders list', 'oldest first']],
  }).action(async (options: RemoteOptions) => {
    const found = await (await openClient(options)).listFolders({ include: ['expiredUrl'] });
    if (options.json) sayJson(found);
    else if (found.length === 0) note('There are no folders.');
    else {
      const hasUrls = found.some(({ expiredUrl }) => expiredUrl != null);
      sayTable(found, hasUrls ? [...columns, expiredUrlColumn] : columns);
    }
  });
}

function addCreate(folders: Command): void {
  addServerCommand(folders, 'create', 'Create a folder; prints its id', {
    examples: [["linkfold folders create 'Spring campaign'", 'names need not be unique']],
  })
    .argument('<name>', 'name, 1 to 50 characters')
    .option(...expiredUrlOption)
    .action(async (name: string, options: Given) => {
      const { expiredUrl = null } = options;
      const folder = await (await openClient(options)).createFolder({ name, expiredUrl });
      if (options.json) sayJson(folder);
      else say(folder.id);
    });
}

function addRename(folders: Command): void {
  addServerCommand(folders, 'rename', 'Rename a folder', {
    examples: [["linkfold folders rename 'Spring campaign' 'Summer campaign'", 'its links stay']],
  })
    .argument('<folder>', 'name or id of the folder')
    .argument('<name>', 'new name, 1 to 50 characters')
    .action(async (given: string, name: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const folder = await place.client.renameFolder(await folderId(place, given), { name });
      if (options.json) sayJson(folder);
      else note(`Renamed folder ${folder.id}: it is ${clean(folder.name)} now.`);
    });
}

function addUpdate(folders: Command): void {
  addServerCommand(folders, 'update', 'Change a folder; what is not named stays', {
    examples: [
      [
        "linkfold folders update 'Spring campaign' --expired-url https://example.com/over",
        'its links that are over lead there',
      ],
      ["linkfold folders update 'Spring campaign' --expired-url ''", 'an empty text removes it'],
    ],
  })
    .argument('<folder>', 'name or id of the folder')
    .option('--name <name>', 'new name, 1 to 50 characters')
    .option(...expiredUrlOption)
    .action(async (given: string, options: Given) => {
      const { name, expiredUrl } = options;
      if (name === undefined && expiredUrl === undefined)
        throw new Stop(exits.usage, 'Nothing to change: give --name or --expired-url.');
      const place = await openPlace(options);
      const url = { expiredUrl: expiredUrl || null };
      const change = name === undefined ? url : { name, ...(expiredUrl !== undefined && url) };
      const folder = await place.client.renameFolder(await folderId(place, given), change);
      if (options.json) sayJson(folder);
      else note(`Changed folder ${folder.id}, ${clean(folder.name)}.`);
    });
}

function addRemove(folders: Command): void {
  addServerCommand(
    folders,
    'rm',
    'Delete a folder; its links are kept, in no folder; `folders restore` undoes it',
    {
      examples: [["linkfold folders rm 'Summer campaign'", 'or its id, where several have the name']],
    },
  )
    .argument('<folder>', 'name or id of the folder')
    .action(async (given: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const id = await folderId(place, given);
      await place.client.deleteFolder(id);
      if (options.json) sayJson({ deleted: [id] });
      else note(`Deleted folder ${clean(given)}. Within an hour: linkfold folders restore ${id}`);
    });
}

function addRestore(folders: Command): void {
  addServerCommand(folders, 'restore', 'Undo the deletion of a folder: it is back with its links', {
    examples: [['linkfold folders restore 0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10', 'within an hour']],
  })
    .argument('<id>', 'id of the folder, as `folders rm` said it')
    .action(async (id: string, options: RemoteOptions) => {
      const folder = await (await openPlace(options)).client.restoreFolder(id);
      if (options.json) sayJson(folder);
      else
        note(
          `Folder ${clean(folder.name)} is back, with ${count(folder.linkCount)} ${folder.linkCount === 1 ? 'link' : 'links'}.`,
        );
    });
}
