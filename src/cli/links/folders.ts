import type { Command } from 'commander';
import type { RowOf } from '../terminal/kinds.ts';
import { type Column, clean, count, note, plural, printLine, when } from '../terminal/print.ts';
import { addRecordVerb, addResource, addVerb } from '../terminal/resources.ts';

const columns: readonly Column<RowOf<'folder'>>[] = [
  { title: 'ID', of: (folder) => folder.id },
  { title: 'NAME', of: (folder) => folder.name, cut: true },
  { title: 'LINKS', of: (folder) => count(folder.linkCount), right: true },
  { title: 'CREATED', of: (folder) => when(folder.createdAt) },
];
const expiredUrlColumn: Column<RowOf<'folder'>> = {
  title: 'EXPIRED URL',
  cut: true,
  of: ({ expiredUrl }) => expiredUrl ?? '-',
};

const expiredUrl = [
  '--expired-url <url>',
  'where the folder’s expired links redirect if they set no URL themselves; empty removes the URL',
] as const;

interface Change {
  readonly name?: string;
  readonly expiredUrl?: string;
}

export function addFolders(program: Command): void {
  addResource(
    program,
    'folder',
    {
      about: 'Folders for links',
      columns: (rows) =>
        rows.some((row) => row.expiredUrl != null) ? [...columns, expiredUrlColumn] : columns,
      none: 'No folders yet. To create one: linkfold folders create NAME',
      list: {
        about: 'List folders and their link counts',
        examples: [['linkfold folders list', 'oldest first']],
      },
      get: {
        about: 'Show a folder',
        examples: [['linkfold folders get Campaigns', 'by name or ID']],
      },
      delete: {
        about: 'Delete a folder and keep its links; `folders restore` undoes it',
        examples: [["linkfold folders delete 'Summer campaign'", 'or its ID, if several have this name']],
        run: (client, id) => client.deleteFolder(id),
        done: (id) => `To undo it within an hour: linkfold folders restore ${id}`,
      },
    },
    addOthers,
  );
}

function addOthers(folders: Command): void {
  addVerb(folders, 'create', {
    about: 'Create a folder and print its ID',
    examples: [["linkfold folders create 'Spring campaign'", 'several folders may have the same name']],
    args: [['<name>', 'name, 1 to 50 characters']],
    options: [expiredUrl],
    run: ({ client }, [name]: [string], options: Change) =>
      client.createFolder({ name, expiredUrl: options.expiredUrl || null }),
    show: ({ id }) => printLine(id),
  });

  addRecordVerb(folders, 'folder', 'rename', {
    about: 'Rename a folder',
    examples: [
      ["linkfold folders rename 'Spring campaign' 'Summer campaign'", 'the links stay in the folder'],
    ],
    args: [['<name>', 'new name, 1 to 50 characters']],
    run: ({ client }, id, _options: object, name: string) => client.renameFolder(id, { name }),
    show: ({ name }, [folder]) => note(`Renamed folder ${clean(folder)} to ${clean(name)}.`),
  });

  addRecordVerb(folders, 'folder', 'update', {
    about: 'Change a folder',
    examples: [
      [
        "linkfold folders update 'Summer campaign' --expired-url https://example.com/over",
        'the folder’s expired links redirect to this URL',
      ],
      ["linkfold folders update 'Summer campaign' --expired-url ''", 'an empty value removes the URL'],
    ],
    options: [['--name <name>', 'new name, 1 to 50 characters'], expiredUrl],
    run: ({ client }, id, { name, expiredUrl: url }: Change) => {
      const urlGiven = url !== undefined && { expiredUrl: url || null };
      return client.renameFolder(
        id,
        name === undefined ? { expiredUrl: url || null } : { name, ...urlGiven },
      );
    },
    show: ({ id, name }) => note(`Updated folder ${clean(name)} (${id}).`),
  });

  addVerb(folders, 'restore', {
    about: 'Restore a deleted folder with its links',
    examples: [['linkfold folders restore 0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10', 'within an hour']],
    args: [['<id>', 'ID of the folder, as `folders delete` printed it']],
    run: ({ client }, [id]: [string]) => client.restoreFolder(id),
    show: ({ name, linkCount }) => note(`Restored folder ${clean(name)} with ${plural(linkCount, 'link')}.`),
  });
}
