import { type Command, Option } from 'commander';
import type { Client } from '../client/client.ts';
import { clickClasses } from '../domain/clicks.ts';
import { intervals, statisticsDimensions } from '../domain/statistics.ts';
import { addCommand, jsonOption, list } from './command.ts';
import { exits, Stop } from './exits.ts';
import { wholeNumber } from './options.ts';
import { sayJson } from './print.ts';
import { findLink, folderId, tagId } from './references.ts';
import { addRemoteOptions, openPlace, type RemoteOptions } from './remote.ts';
import { sayStatistics } from './stats-view.ts';

type Input = NonNullable<Parameters<Client['linkStatistics']>[1]>;

interface StatsOptions
  extends RemoteOptions,
    Pick<Input, 'from' | 'to' | 'timezone' | 'interval' | 'class' | 'groupBy' | 'compare' | 'limit'> {
  readonly folder?: string;
  readonly tag?: string;
  readonly filter?: readonly string[];
}

export function addStats(program: Command): void {
  addRemoteOptions(
    addCommand(program, 'stats', 'Draw the statistics of a link, a folder, a tag or the account', {
      reaches: 'server',
      examples: [
        ['linkfold stats', 'the account, the last 30 days'],
        [
          'linkfold stats spring --group-by country --compare previous',
          'where clicks come from, and what changed',
        ],
        [
          'linkfold stats --folder Campaigns --from 2027-01-01 --to 2027-04-01 --interval week',
          'a quarter; the end is exclusive',
        ],
        [
          "linkfold stats spring --class human --filter 'referrer:contains:google' --filter 'country:is-not:US,CA'",
          'people, from a search engine, not from North America',
        ],
      ],
      notes:
        'Dates and times without an offset are of --timezone. Several filters must all hold; % , and : in their values are percent-encoded.',
    }),
  )
    .argument('[link]', 'code, short URL or id of the link (default: the account)')
    .option('--folder <folder>', 'links in this folder, by name or id, instead of one link')
    .option('--tag <tag>', 'links with this tag, by name or id')
    .option('--from <time>', 'where the range begins (default: the last 30 days)')
    .option('--to <time>', 'where it ends, exclusive (default: now)')
    .option('--timezone <zone>', 'IANA name of a time zone (default: UTC)')
    .addOption(
      new Option('--interval <interval>', 'length of the columns (default: by the range)').choices(intervals),
    )
    .option('--class <list>', `kinds of clicks: ${clickClasses.join(',')} (default: all)`, list)
    .addOption(new Option('--group-by <dimension>', 'break the clicks down').choices(statisticsDimensions))
    .option(
      '--filter <filter>',
      'dimension:is:values, dimension:is-not:values or dimension:contains:text; may be repeated',
      collect,
    )
    .option('--compare <range>', 'previous, year, or two times as from..to')
    .option('--limit <number>', 'values of the breakdown, 1 to 1,000 (default: 10)', wholeNumber)
    .option(...jsonOption)
    .action(async (given: string | undefined, options: StatsOptions) => {
      const { folder, tag, json, from, to, timezone, interval, groupBy, filter, compare, limit } = options;
      if ([given, folder, tag].filter((one) => one !== undefined).length > 1)
        throw new Stop(exits.usage, 'Name a link, a --folder or a --tag: one of them.');
      const place = await openPlace(options);
      const { client } = place;
      const question = {
        from,
        to,
        timezone,
        interval,
        class: options.class,
        groupBy,
        filter,
        compare,
        limit,
      };
      if (folder !== undefined) {
        const id = await folderId(place, folder);
        return show(await client.folderStatistics(id, question), `Folder ${folder}`, json);
      }
      if (tag !== undefined) {
        const id = await tagId(place, tag);
        return show(await client.tagStatistics(id, question), `Tag ${tag}`, json);
      }
      if (given === undefined) return show(await client.accountStatistics(question), 'All links', json);
      const link = await findLink(place, given);
      const title = `${link.shortUrl} → ${link.destinationUrl}`;
      return show(await client.linkStatistics(link.id, question), title, json);
    });
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

const usualWidth = 80;

function show(
  statistics: Awaited<ReturnType<Client['linkStatistics']>>,
  subject: string,
  json: true | undefined,
): void {
  if (json) return sayJson(statistics);
  const room = process.stdout.columns || Number(process.env.COLUMNS) || usualWidth;
  sayStatistics(statistics, subject, room);
}
