import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { addCommand, addGroup, jsonOption } from './command.ts';
import { type Column, count, note, say, sayJson, sayTable, when } from './print.ts';
import { addRemoteOptions, openClient, type RemoteOptions } from './remote.ts';

type Folder = Awaited<ReturnType<Client['listFolders']>>[number];

const columns: readonly Column<Folder>[] = [
  { title: 'ID', of: (folder) => folder.id },
  { title: 'NAME', of: (folder) => folder.name, cut: true },
  { title: 'LINKS', of: (folder) => count(folder.linkCount), right: true },
  { title: 'CREATED', of: (folder) => when(folder.createdAt) },
];

export const addFolders = (program: Command): void => {
  const folders = addGroup(program, 'folders', 'Folders of links, through a server');
  const shared = { reaches: 'server' } as const;

  addRemoteOptions(
    addCommand(folders, 'list', 'List folders with the number of their links', {
      ...shared,
      examples: [['linkfold folders list', 'oldest first']],
    }),
  )
    .option(...jsonOption)
    .action(async (options: RemoteOptions) => {
      const found = await (await openClient(options)).listFolders();
      if (options.json) sayJson(found);
      else if (found.length === 0) note('There are no folders.');
      else sayTable(found, columns);
    });

  addRemoteOptions(
    addCommand(folders, 'create', 'Create a folder; prints its id', {
      ...shared,
      examples: [["linkfold folders create 'Spring campaign'", 'names need not be unique']],
    }),
  )
    .argument('<name>', 'name, 1 to 50 characters')
    .option(...jsonOption)
    .action(async (name: string, options: RemoteOptions) => {
      const folder = await (await openClient(options)).createFolder({ name });
      if (options.json) sayJson(folder);
      else say(folder.id);
    });

  addRemoteOptions(
    addCommand(folders, 'rename', 'Rename a folder', {
      ...shared,
      examples: [
        ["linkfold folders rename 0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10 'Summer campaign'", 'its links stay'],
      ],
    }),
  )
    .argument('<id>', 'id of the folder')
    .argument('<name>', 'new name, 1 to 50 characters')
    .option(...jsonOption)
    .action(async (id: string, name: string, options: RemoteOptions) => {
      const folder = await (await openClient(options)).renameFolder(id, { name });
      if (options.json) sayJson(folder);
      else note(`Renamed folder ${folder.id}.`);
    });

  addRemoteOptions(
    addCommand(folders, 'rm', 'Delete a folder; its links are kept, in no folder', {
      ...shared,
      examples: [
        ['linkfold folders rm 0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10', 'the id, as `folders list` shows it'],
      ],
    }),
  )
    .argument('<id>', 'id of the folder')
    .option(...jsonOption)
    .action(async (id: string, options: RemoteOptions) => {
      await (await openClient(options)).deleteFolder(id);
      if (options.json) sayJson({ deleted: [id] });
      else note(`Deleted folder ${id}.`);
    });
};
