import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { Client, ShortenInput } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { columnsOf } from '../../model/links/link-field-values.ts';
import { draftInputs } from '../../model/links/link-fields.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { optionNames } from '../terminal/field-names.ts';
import { draftGiven, draftOptions, fieldOptions, fieldsGiven, withHint } from '../terminal/options.ts';
import { say, sayJson } from '../terminal/print.ts';
import { folderIdOrNone } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { otherColumns } from './csv-rows.ts';
import { type Format, formats, linkRows } from './line-rows.ts';
import { openRows } from './rows.ts';
import { keyOf, sendRows } from './send-rows.ts';
import { tagsOption } from './tags.ts';

interface ShortenOptions extends RemoteOptions {
  readonly file?: string;
  readonly format?: Format;
  readonly batch?: string;
  readonly code?: string;
  readonly tags?: string[];
}

const shared = new Intl.ListFormat('en-GB').format(
  [...draftInputs, ...columnsOf('shorten'), { option: 'tags' }].map(({ option }) => `--${option}`),
);

const inputHelp =
  'A file holds one URL a line, optionally followed by a tab and the code it shall have; or one JSON object a line with ' +
  'the fields of POST /api/v1/shorten. Empty lines and lines that start with # are passed over.\n\n' +
  `Or it is CSV: its first line names the columns, url and any of ${otherColumns('create')}. ` +
  'Cells are separated by commas, semicolons or tabs; an empty cell says nothing. The tags of a link are one cell, in quotes where they are separated by the commas of the table.\n\n' +
  `A line that is neither, or not UTF-8, fails by itself. ${shared} hold for every line that does not say otherwise, and ` +
  '--password-file for every line. Lines go to the server a thousand at a time. For each link, "shortUrl<TAB>url" is printed in ' +
  'the order of the file (--json: one object a line, refused ones too); refused lines are listed on stderr. A command that ends ' +
  'in the middle says to which line it came, and the --batch with which it goes on.';

export function addShorten(links: Command): void {
  const command = addServerCommand(links, 'shorten', 'Make a short link, or one for every line of a file', {
    examples: [
      [
        "linkfold links shorten 'https://example.com/spring?utm_source=mail' --code spring",
        'prints the short URL',
      ],
      ['linkfold links shorten --file urls.txt > short.tsv', 'many at once'],
      [
        'linkfold links shorten --file links.csv --batch june',
        'the same file repeated within 24 hours makes none twice',
      ],
      [
        'grep -o "https://[^ ]*" page.txt | linkfold links shorten --file - --format lines',
        'from a pipe; the URLs may hold commas',
      ],
    ],
    notes: inputHelp,
    refused: 'refused; with --file: some lines were refused, or the results were not read',
  })
    .argument('[url]', 'destination')
    .option('--code <code>', 'custom code, 3 to 50 characters (from 1 with other scripts or emoji)');
  for (const option of [...draftOptions(), ...fieldOptions('shorten')]) command.addOption(option);
  command
    .option(...tagsOption)
    .option('--file <path>', 'make many, from a file; - is stdin')
    .addOption(
      new Option(
        '--format <kind>',
        'what the file holds (default: csv when its first line names columns)',
      ).choices(formats),
    )
    .option(
      '--batch <name>',
      'name of this run: repeating it with the same name and file makes nothing twice',
    )
    .action(async (url: string | undefined, options: ShortenOptions) => {
      if ((url === undefined) === (options.file === undefined))
        throw new Stop(exits.usage, 'Give a URL or --file.');
      const { file } = options;
      if (file === undefined) return shortenOne(url ?? '', options);
      if (options.code !== undefined)
        throw new Stop(
          exits.usage,
          '--code is for one URL; in a file, put codes after a tab or into a column.',
        );
      await shortenFile(file, options);
    });
}

/** Each line of a file becomes a link, under a name by which the command can go on where it ended. */
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
    again: `run again with --batch ${batch} to go on`,
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
  if (options.json) sayJson(made);
  else say(made.shortUrl);
}

/** Codes that are free where the wished one is not; none when they cannot be asked for. */
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

/** Connects, and looks up the fields that all links share. */
async function open(options: ShortenOptions): Promise<{ client: Client; common: Omit<ShortenInput, 'url'> }> {
  const { folderId: folder, ...fields } = fieldsGiven('shorten', options);
  const place = await openPlace(options);
  const folderId = folder === undefined ? undefined : await folderIdOrNone(place, folder);
  return {
    client: place.client,
    common: { ...draftGiven(options), ...fields, folderId, tags: options.tags },
  };
}
