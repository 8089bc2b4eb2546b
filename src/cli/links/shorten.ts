import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { Client, ShortenInput } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { columnsOf } from '../../model/links/link-field-values.ts';
import { draftInputs } from '../../model/links/link-fields.ts';
import { tagOptions } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { optionNames } from '../terminal/field-names.ts';
import { folderIdOrNone } from '../terminal/kinds.ts';
import { draftGiven, draftOptions, fieldOptions, fieldsGiven, withHint } from '../terminal/options.ts';
import { printJson, printLine } from '../terminal/print.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { otherColumns } from './csv-rows.ts';
import { type Format, formats, linkRows } from './line-rows.ts';
import { openRows } from './rows.ts';
import { keyOf, sendRows } from './send-rows.ts';

interface ShortenOptions extends RemoteOptions {
  readonly file?: string;
  readonly format?: Format;
  readonly batch?: string;
  readonly code?: string;
  readonly tag?: string[];
}

const shared = new Intl.ListFormat('en-GB').format(
  [...draftInputs, ...columnsOf('shorten'), { option: 'tag' }].map(({ option }) => `--${option}`),
);

const notes =
  'A file has one URL per line, optionally followed by a tab and a code; or one JSON object per line with the fields of POST /api/v1/shorten. ' +
  'Empty lines and lines that start with # are skipped.\n\n' +
  `Or it is CSV: its first line names the columns, url and any of ${otherColumns('create')}. ` +
  'Cells are separated by commas, semicolons or tabs; an empty cell sets nothing. All tags of a link are in one cell, in quotes if the table is separated by commas.\n\n' +
  `An invalid line is rejected; the others are processed. ${shared} apply to every line that does not set its own value, and ` +
  '--password-file to every line. Lines are sent in batches of 1,000. For each link, the command prints "shortUrl<TAB>url" in ' +
  'the order of the file (--json: one object per line, including rejected lines); rejected lines are listed on stderr. If the command stops ' +
  'early, it prints the last line it processed and the --batch that continues from there.';

const examples = [
  ["linkfold shorten 'https://example.com/spring?utm_source=mail' --code spring", 'prints the short URL'],
  ['linkfold shorten --file urls.txt > short.tsv', 'one link per line'],
  ['linkfold shorten --file links.csv --batch june', 'can be repeated within 24 hours without duplicates'],
  [
    'grep -o "https://[^ ]*" page.txt | linkfold shorten --file - --format lines',
    'from a pipe; the URLs may contain commas',
  ],
] as const;

/** Adds the command `shorten`, or the same command under another name. */
export function addShorten(parent: Command, name = 'shorten'): void {
  const isShort = name === 'shorten';
  const command = addServerCommand(parent, name, 'Create a short link, or one for every line of a file', {
    examples: isShort
      ? examples
      : [
          [
            'linkfold links create https://example.com/autumn --code autumn-sale',
            'the same as linkfold shorten',
          ],
        ],
    notes,
    refused: 'the link was rejected; with --file: some lines were rejected, or the output was closed early',
  })
    .argument('[url]', 'destination')
    .option('--code <code>', 'custom code, 3 to 50 characters (or 1 to 50 in other scripts or emoji)');
  const options = [...draftOptions(), ...fieldOptions('shorten'), ...tagOptions()];
  for (const option of options) command.addOption(option);
  command
    .option('--file <path>', 'create one link per line of a file; - is stdin')
    .addOption(
      new Option(
        '--format <kind>',
        'format of the file (default: csv if its first line names columns)',
      ).choices(formats),
    )
    .option('--batch <name>', 'name of this run; repeating it with the same file creates no duplicates')
    .action(async (url: string | undefined, options: ShortenOptions) => {
      if ((url === undefined) === (options.file === undefined))
        throw new Stop(exits.usage, 'Specify either a URL or --file.');
      const { file } = options;
      if (file === undefined) return shortenOne(url ?? '', options);
      if (options.code !== undefined)
        throw new Stop(
          exits.usage,
          '--code works with one URL only. In a file, put codes after a tab or in a column.',
        );
      await shortenFile(file, options);
    });
}

/**
 * Creates a link for each line of a file. The user can continue an interrupted command by repeating it with the same
 * batch name.
 */
async function shortenFile(path: string, options: ShortenOptions): Promise<void> {
  const { format, json } = options;
  const batch = options.batch ?? randomBytes(5).toString('hex');
  const file = await openRows(path);
  const { client, common } = await open(options);
  await sendRows({
    client,
    file,
    rows: linkRows(file, format),
    action: 'create',
    common,
    json,
    batch,
    isRepeated: options.batch !== undefined,
    again: `run again with --batch ${batch} to continue`,
  });
}

async function shortenOne(url: string, options: ShortenOptions): Promise<void> {
  const { client, common } = await open(options);
  const draft = { ...common, url, customCode: options.code };
  const { batch } = options;
  const call = batch === undefined ? {} : { idempotencyKey: keyOf([batch, url, 1]) };
  const made = await client.shorten(draft, call).catch(async (error: unknown) => {
    throw options.json ? error : withHint(error, url, optionNames, await freeCodes(client, draft, error));
  });
  if (options.json) printJson(made);
  else printLine(made.shortUrl);
}

/**
 * Returns available codes that are similar to a code that is in use or reserved. Returns an empty list for other
 * errors, or if the server does not respond.
 */
export async function freeCodes(
  client: Client,
  {
    customCode,
    domain,
  }: { readonly customCode?: string | undefined; readonly domain?: string | null | undefined },
  error: unknown,
): Promise<readonly string[]> {
  const isTaken = error instanceof ApiError && /^CUSTOM_CODE_(TAKEN|RESERVED)$/.test(error.code);
  if (!isTaken || customCode === undefined) return [];
  const { suggestions } = await client
    .checkCode({ customCode, ...(domain != null && { domain }) })
    .catch(() => ({ suggestions: [] }));
  return suggestions;
}

/** Connects to the server, and resolves the fields that apply to all links. */
async function open(options: ShortenOptions): Promise<{ client: Client; common: Omit<ShortenInput, 'url'> }> {
  const { folderId: folder, ...fields } = fieldsGiven('shorten', options);
  const connection = await connectToServer(options);
  const folderId = folder === undefined ? undefined : await folderIdOrNone(connection, folder);
  return {
    client: connection.client,
    common: { ...draftGiven(options), ...fields, folderId, tags: options.tag },
  };
}
