import type { Command } from 'commander';
import { addExportOptions, type ExportOptions, formatGiven, writeExport } from '../terminal/export.ts';
import { folderIdOrNone } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { addSearchOptions, type SearchOptions, searchGiven } from './search.ts';

interface LinksExportOptions extends RemoteOptions, SearchOptions, ExportOptions {
  readonly folder?: string;
}

export function addExport(links: Command): void {
  const command = addServerCommand(
    links,
    'export',
    'Write all links, or those that filters leave, as CSV or NDJSON',
    {
      examples: [
        ['linkfold links export --out links.csv', 'every link with everything about it'],
        [
          'linkfold links export --tag spring --sort clicks --format ndjson',
          'a JSON object a line, the most clicked first',
        ],
      ],
      notes:
        'CSV unless told otherwise. Texts that a spreadsheet would compute have an apostrophe in front. A file gets its name when it is whole; until then it ends in .part.',
    },
  );
  addSearchOptions(command);
  command.option(
    '--folder <folder>',
    'only links in this folder, by name or id; none for links in no folder',
  );
  addExportOptions(command);
  command.action(async (options: LinksExportOptions) => {
    const { folder } = options;
    const format = formatGiven(options.out === undefined ? { format: 'csv', ...options } : options) ?? 'csv';
    const place = await openPlace(options);
    const folderId = folder === undefined ? undefined : ((await folderIdOrNone(place, folder)) ?? 'none');
    const stream = await place.client.exportLinks({ format, folderId, ...searchGiven(options) });
    await writeExport(stream, format, options);
  });
}
