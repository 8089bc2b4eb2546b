import type { Command } from 'commander';
import type { Click } from '../../client/client.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { addExportOptions, type ExportOptions, formatGiven, writeExport } from '../terminal/export.ts';
import { between } from '../terminal/options.ts';
import { type Column, note, printJson, printJsonLine, printList } from '../terminal/print.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import {
  aboutSubject,
  addClickOptions,
  type ClickOptions,
  clicksGiven,
  findSubject,
  requireOneSubject,
} from './click-options.ts';

interface ClicksOptions extends RemoteOptions, ClickOptions, ExportOptions {
  readonly limit?: number;
  readonly all?: true;
}

const defaultLimit = 20;
const largestPage = 1_000;

export function addClicks(program: Command): void {
  const command = addServerCommand(program, 'clicks', 'List clicks, newest first', {
    examples: [
      ['linkfold clicks spring', 'the last 20 clicks on a link'],
      ['linkfold clicks --class human --filter trigger:is:qr --limit 100', 'human QR scans of all links'],
      [
        'linkfold clicks --from 2027-03-01 --to 2027-04-01 --out march.csv',
        'all clicks in a month, as a file',
      ],
    ],
    notes: 'Clicks do not identify visitors. Times are UTC; dates without an offset are in --timezone.',
  }).argument('[link]', aboutSubject);
  addClickOptions(command);
  command
    .option('--limit <number>', 'number of clicks, 1 to 1,000 (default: 20)', between(1, 1_000))
    .option('--all', 'all clicks in the range');
  addExportOptions(command);
  command.action(async (given: string | undefined, options: ClicksOptions) => {
    requireOneSubject(given, options);
    const { limit, all, json } = options;
    const format = formatGiven(options);
    if (format !== undefined && (limit !== undefined || all))
      throw new Stop(exits.usage, 'A file always contains every click in the range. Omit --limit and --all.');
    const connection = await connectToServer(options);
    const { ids } = await findSubject(connection, given, options);
    const asked = { ...ids, ...(await clicksGiven(connection, options)) };
    if (format !== undefined)
      return writeExport(await connection.client.exportClicks({ ...asked, format }), format, options);
    if (!all) {
      const page = await connection.client.accountClicks({ ...asked, limit: limit ?? defaultLimit });
      if (json) return printJson(page);
      printClicks(page.data);
      if (page.pagination.nextCursor !== null)
        note('There are more clicks. To list them, use --limit or --all.');
      return;
    }
    const clicks: Click[] = [];
    for await (const click of connection.client.allClicks({ ...asked, limit: limit ?? largestPage })) {
      if (json) printJsonLine(click);
      else clicks.push(click);
    }
    if (!json) printClicks(clicks);
  });
}

const columns: readonly Column<Click>[] = [
  { title: 'TIME', of: ({ time }) => `${time.slice(0, 19).replace('T', ' ')}Z` },
  { title: 'CODE', of: ({ shortCode }) => shortCode, cut: true },
  { title: 'CLASS', of: (click) => click.class },
  { title: 'TRIGGER', of: ({ trigger }) => trigger, spare: 1 },
  { title: 'COUNTRY', of: ({ country }) => country || '-' },
  { title: 'BROWSER', of: ({ browser }) => browser || '-', spare: 2 },
  { title: 'SYSTEM', of: ({ os }) => os || '-', spare: 3 },
  { title: 'DEVICE', of: ({ device }) => device || '-', spare: 4 },
  { title: 'REFERRER', of: ({ referrer }) => referrer || '-', cut: true },
  {
    title: 'CAMPAIGN',
    of: (click) => [click.utmSource, click.utmCampaign].filter((word) => word !== '').join(' / ') || '-',
    cut: true,
    spare: 5,
  },
];

function printClicks(clicks: readonly Click[]): void {
  printList(clicks, columns, 'No clicks in this range.');
}
