import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { intervals, statisticsDimensions } from '../../model/clicks/statistics.ts';
import { addExportOptions, type ExportOptions, formatGiven, writeExport } from '../terminal/export.ts';
import { wholeNumber } from '../terminal/options.ts';
import { printJson } from '../terminal/print.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import {
  aboutSubject,
  addClickOptions,
  type ClickOptions,
  clicksGiven,
  findSubject,
  requireOneSubject,
} from './click-options.ts';
import { printStatistics } from './stats-view.ts';

type Input = NonNullable<Parameters<Client['linkStatistics']>[1]>;

interface StatsOptions
  extends RemoteOptions,
    ClickOptions,
    ExportOptions,
    Pick<Input, 'interval' | 'groupBy' | 'compare' | 'limit'> {}

export function addStats(program: Command): void {
  const command = addServerCommand(
    program,
    'stats',
    'Show the statistics of a link, a folder, a tag or the account',
    {
      examples: [
        ['linkfold stats', 'the account, last 30 days'],
        ['linkfold stats spring --group-by country --compare previous', 'clicks by country, and the change'],
        [
          'linkfold stats --folder Campaigns --from 2027-01-01 --to 2027-04-01 --interval week',
          'a quarter; the end is exclusive',
        ],
        ['linkfold stats --domain s.example.com --group-by link', 'clicks on a domain, by link'],
        [
          'linkfold stats --group-by link --out links.csv',
          'clicks by link; without --group-by, the file contains the time series',
        ],
        [
          "linkfold stats spring --class human --filter 'referrer:contains:google' --filter 'country:is-not:US,CA'",
          'human clicks from a search engine, outside North America',
        ],
      ],
      notes:
        'Dates and times without an offset are in --timezone. All filters must match; percent-encode % , and : in their values.',
    },
  ).argument('[link]', aboutSubject);
  addClickOptions(command);
  command
    .addOption(
      new Option('--interval <interval>', 'time span of each column (default: depends on the range)').choices(
        intervals,
      ),
    )
    .addOption(
      new Option('--group-by <dimension>', 'break down clicks by a dimension').choices(statisticsDimensions),
    )
    .option('--compare <range>', 'previous, year, or two times as from..to')
    .option(
      '--limit <number>',
      'values of the breakdown, 1 to 1,000 (default: 10; in files all)',
      wholeNumber,
    );
  addExportOptions(command);
  command.action(async (given: string | undefined, options: StatsOptions) => {
    requireOneSubject(given, options);
    const format = formatGiven(options);
    const { json, interval, groupBy, compare, limit } = options;
    const connection = await connectToServer(options);
    const { client } = connection;
    const question = { ...(await clicksGiven(connection, options)), interval, groupBy, compare, limit };
    const { ids, title } = await findSubject(connection, given, options);
    if (format !== undefined) {
      const stream = await client.exportStatistics({ ...ids, ...question, format });
      return writeExport(stream, format, options);
    }
    const ask = (): Promise<Awaited<ReturnType<Client['linkStatistics']>>> => {
      if (ids.folderId !== undefined) return client.folderStatistics(ids.folderId, question);
      if (ids.tagId !== undefined) return client.tagStatistics(ids.tagId, question);
      return ids.linkId === undefined
        ? client.accountStatistics(question)
        : client.linkStatistics(ids.linkId, question);
    };
    show(await ask(), title, json);
  });
}

const defaultWidth = 80;

function show(
  statistics: Awaited<ReturnType<Client['linkStatistics']>>,
  subject: string,
  json: true | undefined,
): void {
  if (json) return printJson(statistics);
  const room = process.stdout.columns || Number(process.env.COLUMNS) || defaultWidth;
  printStatistics(statistics, subject, room);
}
