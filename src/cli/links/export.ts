import type { Command } from 'commander';
import { addExportOptions, type ExportOptions, formatGiven, writeExport } from '../terminal/export.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { addSearchOptions, type SearchOptions, searchGiven } from './search.ts';

export interface LinksExportOptions extends RemoteOptions, SearchOptions, ExportOptions {}

export function addExport(links: Command): void {
  const command = addServerCommand(links, 'export', 'Export links as CSV or NDJSON', {
    examples: [
      ['linkfold links export --out links.csv', 'all links with all their fields'],
      [
        'linkfold links export --tag spring --sort clicks --format ndjson',
        'one JSON object per line, most clicks first',
      ],
    ],
    notes:
      'The format is CSV by default. Values that a spreadsheet would run as formulas get an apostrophe in front. The file has the suffix .part until it is complete.',
  });
  addSearchOptions(command);
  addExportOptions(command);
  command.action(exportLinks);
}

/** Exports the links that match the options. */
export async function exportLinks(options: LinksExportOptions): Promise<void> {
  const format = formatGiven(options.out === undefined ? { format: 'csv', ...options } : options) ?? 'csv';
  const connection = await connectToServer(options);
  const stream = await connection.client.exportLinks({ format, ...(await searchGiven(connection, options)) });
  await writeExport(stream, format, options);
}
