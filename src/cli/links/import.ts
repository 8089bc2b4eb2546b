import { type Command, Option } from 'commander';
import { tagOptions } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { folderIdOrNone } from '../terminal/kinds.ts';
import { note } from '../terminal/print.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { csvRows, otherColumns, type RowAction, rowActions } from './csv-rows.ts';
import { openRows } from './rows.ts';
import { sendRows } from './send-rows.ts';

interface ImportOptions extends RemoteOptions {
  readonly action: RowAction;
  readonly folder?: string;
  readonly tag?: string[];
  readonly errors?: string;
}

const notes =
  `The first line is a header with columns in any order: url and any of ${otherColumns('create')}; ` +
  `with --action update an id and any of ${otherColumns('update')}; with --action delete an id. Cells are separated by ` +
  'commas, semicolons or tabs, and quoted if they contain separators, quotes or line breaks. An empty cell sets nothing. All tags ' +
  'of a link are in one cell, separated by commas. You can import a CSV file of `links export` without changes, with every action.\n\n' +
  'Rows are sent in batches of 1,000. A rejected row does not affect the others; ' +
  'it is listed with its line number on stderr, or in the CSV file of --errors. If the command stops early, run it again within 24 hours: it continues ' +
  'where it stopped and repeats nothing.';

/** Adds `links import`, which sends the rows of a CSV file in few requests. */
export function addImport(links: Command): void {
  const command = addServerCommand(links, `import`, 'Create, update or delete links from a CSV file', {
    examples: [
      ['linkfold links import links.csv', 'prints the short URLs; run it again to continue'],
      ['linkfold links import links.csv --errors rejected.csv --tag spring', 'with a tag for every link'],
      ['linkfold links import changes.csv --action update', 'columns: id, and the fields to change'],
    ],
    notes,
    refused: 'some rows were rejected, or the output was closed early',
  })
    .argument('<file>', 'CSV file; - is stdin')
    .addOption(
      new Option('--action <action>', 'what to do with each row').choices(rowActions).default('create'),
    )
    .option('--folder <folder>', 'folder for rows without one, by name or ID');
  for (const option of tagOptions('tags for rows without tags')) command.addOption(option);
  command
    .option('--errors <path>', 'CSV file for rejected rows: line, code, field, message')
    .action(async (path: string, options: ImportOptions) => {
      const { action, json, tag: tags, folder, errors } = options;
      if (action !== 'create' && (folder !== undefined || tags !== undefined))
        throw new Stop(exits.usage, '--folder and --tag require --action create. Use columns instead.');
      const file = await openRows(path);
      const connection = await connectToServer(options);
      const folderId = folder === undefined ? undefined : await folderIdOrNone(connection, folder);
      const common = { ...(folderId && { folderId }), ...(tags && { tags }) };
      const rows = csvRows(file, { action });
      const again = 'run again to continue';
      const summary = await sendRows({
        client: connection.client,
        file,
        rows,
        action,
        common,
        again,
        errors,
        json,
      });
      if (!json) note(summary);
    });
}
