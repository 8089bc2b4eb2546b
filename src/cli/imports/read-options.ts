import { type Command, InvalidArgumentError, Option } from 'commander';
import { tableFields } from '../../importers/columns.ts';
import { type Dialect, dialects } from '../../importers/reading/csv.ts';
import { services } from '../../importers/services/services.ts';
import type { DateOrder } from '../../importers/values.ts';
import { parseTimestamp } from '../../model/timestamps.ts';
import { zoneNamed } from '../../model/zoned-times.ts';

/** Source name for CSV files from any service. */
export const csv = 'csv';
export const sourceNames: readonly string[] = [...Object.keys(services), csv];

export interface ReadOptions {
  readonly at?: string;
  readonly tokenFile?: string;
  readonly database?: string;
  readonly links?: string;
  readonly clicks: string | boolean;
  readonly domain?: string;
  readonly zone: string;
  readonly since?: string;
  readonly redirectStatus?: string;
  readonly source?: string;
  readonly workspace?: string;
  readonly column: Readonly<Record<string, string>>;
  readonly header: boolean;
  readonly encoding?: string;
  readonly dialect?: Dialect;
  readonly dates?: DateOrder;
  readonly strict?: true;
  readonly json?: true;
}

/** Adds the argument and options that select a source and the data to read. */
export function addReadOptions(command: Command): Command {
  return command
    .argument('<source>', `one of ${sourceNames.join(', ')}`)
    .option('--at <url>', 'base URL of the service; optional for hosted services')
    .option('--token-file <path>', 'file with the token; - is stdin (env: LINKFOLD_IMPORT_TOKEN)')
    .option('--database <path>', 'SQLite file to read instead of the API (env: LINKFOLD_IMPORT_DATABASE)')
    .option('--links <path>', 'file with the links; - is stdin')
    .option('--clicks <path>', 'file with the clicks')
    .option('--no-clicks', 'skip clicks')
    .option('--domain <host>', 'host of the short URLs, if missing in the source')
    .addOption(
      new Option('--redirect-status <status>', 'status of redirects, if missing in the source').choices([
        '301',
        '302',
        '307',
        '308',
      ]),
    )
    .option('--source <name>', 'name of the source installation, if several use the same keys')
    .option('--workspace <id>', 'part of the account, such as a Bitly group')
    .option('--since <time>', 'only clicks since the day (UTC) of this time, ISO 8601', sinceTime)
    .option('--zone <zone>', 'time zone of times without one', timeZone, 'UTC')
    .addOption(
      new Option('--dates <order>', 'order of day and month in dates such as 01/02/2024').choices([
        'dmy',
        'mdy',
      ]),
    )
    .option('--no-header', 'the first line of a file is data; columns are numbered 1, 2, …')
    .option(
      '--encoding <name>',
      'encoding of the files (default: detects UTF-8, UTF-16 and Windows-1252)',
      encodingLabel,
    )
    .addOption(
      new Option(
        '--dialect <name>',
        'dialect of the files: csv (RFC 4180) or mysql (backslash escapes) (default: detected)',
      ).choices(dialects),
    )
    .addOption(
      new Option(
        '--column <field=name>',
        `name or number of the column for a field; fields of csv: ${tableFields.join(', ')}`,
      )
        .argParser(columnPair)
        .default({}, 'guessed'),
    );
}

function sinceTime(text: string): string {
  const at = parseTimestamp(text);
  if (at === undefined)
    throw new InvalidArgumentError('Specify an ISO 8601 date or time, such as 2027-01-31.');
  // The time is rounded down to the start of the day, because an import always replaces whole days of clicks from an
  // earlier import.
  return `${new Date(at).toISOString().slice(0, 10)}T00:00:00.000Z`;
}

function timeZone(text: string): string {
  return zoneNamed(text) ?? invalid('Specify an IANA time zone, such as Europe/Berlin.');
}

function columnPair(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [, field = '', name] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  return name === undefined
    ? invalid('Specify a field and a column, such as code="Back half".')
    : { ...before, [field]: name };
}

function encodingLabel(text: string): string {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    return invalid('Specify an encoding, such as windows-1252, utf-16le or shift_jis.');
  }
}

function invalid(why: string): never {
  throw new InvalidArgumentError(why);
}
