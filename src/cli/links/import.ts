import { type Command, Option } from 'commander';
import { exits, Stop } from '../terminal/exits.ts';
import { note } from '../terminal/print.ts';
import { folderIdOrNone } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { csvRows, otherColumns, type RowAction, rowActions } from './csv-rows.ts';
import { openRows } from './rows.ts';
import { sendRows } from './send-rows.ts';
import { tagsOption } from './tags.ts';

interface ImportOptions extends RemoteOptions {
  readonly action: RowAction;
  readonly folder?: string;
  readonly tags?: string[];
  readonly errors?: string;
}

const notes =
  `The first line names the columns, in any order: url and any of ${otherColumns('create')}; ` +
  `with --action update an id and any of ${otherColumns('update')}; with --action delete an id. Cells are separated by ` +
  'commas, semicolons or tabs, and quoted where they hold those, quotes or line breaks. An empty cell says nothing. The tags ' +
  'of a link are one cell, separated by commas. What `links export` wrote as CSV is imported as it is, in every action.\n\n' +
  'Rows go to the server a thousand at a time, whatever the size of the file. A row that is refused leaves the others alone; ' +
  'it is named by its line on stderr, or with --errors in a CSV file. Running the same command again within 24 hours goes on ' +
  'where it stopped: what was done is not done twice.';

/** Adds `links import`: many rows of a CSV file, in few requests. */
export function addImport(links: Command): void {
  addServerCommand(links, `import`, 'Make, change or delete the links of a CSV file', {
    examples: [
      ['linkfold links import links.csv', 'prints the short URLs; run again, it goes on where it stopped'],
      ['linkfold links import links.csv --errors refused.csv --tags spring', 'with a tag for all'],
      ['linkfold links import changes.csv --action update', 'a column id, and what is to change'],
    ],
    notes,
    refused: 'some rows were refused, and the others are done; or the results were not read',
  })
    .argument('<file>', 'CSV file; - is stdin')
    .addOption(
      new Option('--action <action>', 'what to do with the rows').choices(rowActions).default('create'),
    )
    .option('--folder <folder>', 'folder of rows that name none, by name or id')
    .option(...tagsOption)
    .option('--errors <path>', 'file for the refused rows: line, code, field, message')
    .action(async (path: string, options: ImportOptions) => {
      const { action, json, tags, folder, errors } = options;
      if (action !== 'create' && (folder !== undefined || tags !== undefined))
        throw new Stop(exits.usage, '--folder and --tags are for --action create; use columns.');
      const file = await openRows(path);
      const place = await openPlace(options);
      const folderId = folder === undefined ? undefined : await folderIdOrNone(place, folder);
      const common = { ...(folderId && { folderId }), ...(tags && { tags }) };
      const rows = csvRows(file, { action });
      const again = 'run again to go on';
      const told = await sendRows({ client: place.client, file, rows, action, common, again, errors, json });
      if (!json) note(told);
    });
}
