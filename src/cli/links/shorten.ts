import { createHash } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { CallOptions, Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { columnsOf } from '../../model/links/link-field-values.ts';
import { draftInputs } from '../../model/links/link-fields.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { optionNames } from '../terminal/field-names.ts';
import { draftGiven, draftOptions, fieldOptions, fieldsGiven, withHint } from '../terminal/options.ts';
import { say, sayJson } from '../terminal/print.ts';
import { folderIdOrNone } from '../terminal/references.ts';
import { addRemoteOptions, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import type { Draft } from './shorten-input.ts';
import { tagsOption } from './tags.ts';

/** The format of a file: recognized by its first line unless it is stated. */
const formats = ['lines', 'csv'] as const;
export type Format = (typeof formats)[number];

interface ShortenOptions extends RemoteOptions {
  readonly file?: string;
  readonly format?: Format;
  readonly batch?: string;
  readonly code?: string;
  readonly tags?: string[];
}

function listed(nameOf: (input: { readonly name: string; readonly option: string }) => string): string {
  return new Intl.ListFormat('en-GB').format([
    ...[...draftInputs, ...columnsOf('shorten')].map(nameOf),
    'tags',
  ]);
}

const inputHelp =
  'A file holds one URL a line, optionally followed by a tab and the code it shall have; or one JSON object a line with ' +
  'the fields of POST /api/v1/shorten. Empty lines and lines that start with # are passed over.\n\n' +
  `Or it is CSV: its first line names the columns, url and any of customCode, ${listed(({ name }) => name)}. ` +
  'Cells are separated by commas, semicolons or tabs; an empty cell says nothing. The tags of a link are one cell, in quotes where they are separated by the commas of the table.\n\n' +
  `A line that is neither, or not UTF-8, fails by itself. ${listed(({ option }) => `--${option}`)} hold for every ` +
  'line that does not say otherwise, and --password-file for every line. For each link, "shortUrl<TAB>url" is printed in the order of the file (--json: one ' +
  'object a line, failures too); failures are listed on stderr with their lines, and at the end which were not tried.';

export function addShorten(links: Command): void {
  const command = addRemoteOptions(
    addCommand(links, 'shorten', 'Make a short link, or one for every line of a file', {
      examples: [
        [
          "linkfold links shorten 'https://example.com/spring?utm_source=mail' --code spring",
          'prints the short URL',
        ],
        ['linkfold links shorten --file urls.txt > short.tsv', 'many at once'],
        [
          'linkfold links shorten --file links.csv --batch june',
          'when repeated within 24 hours, makes none twice',
        ],
        [
          'grep -o "https://[^ ]*" page.txt | linkfold links shorten --file - --format lines',
          'from a pipe; the URLs may hold commas',
        ],
      ],
      notes: inputHelp,
      refused: 'refused; with --file: some lines failed, or the results were not read',
      reaches: 'server',
    }),
  )
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
    .option('--batch <name>', 'name of this run: repeating it with the same name makes nothing twice')
    .option(...jsonOption)
    .action(async (url: string | undefined, options: ShortenOptions) => {
      if ((url === undefined) === (options.file === undefined))
        throw new Stop(exits.usage, 'Give a URL or --file.');
      const { file, format, batch, json } = options;
      if (file === undefined) return shortenOne(url ?? '', options);
      if (options.code !== undefined)
        throw new Stop(
          exits.usage,
          '--code is for one URL; in a file, put codes after a tab or into a column.',
        );
      const { shortenFile } = await import('./shorten-file.ts');
      await shortenFile(file, {
        format,
        json,
        open: () => open(options),
        callOptions: (text, occurrence) => keyFor(batch, text, occurrence),
      });
    });
}

async function shortenOne(url: string, options: ShortenOptions): Promise<void> {
  const { client, common } = await open(options);
  const draft = { ...common, url, customCode: options.code };
  const made = await client.shorten(draft, keyFor(options.batch, url, 1)).catch(async (error: unknown) => {
    throw options.json
      ? error
      : withHint(error, url, optionNames, await freeCodes(client, options.code, error));
  });
  if (options.json) sayJson(made);
  else say(made.shortUrl);
}

/** Codes that are free where the wished one is not; none when they cannot be asked for. */
export async function freeCodes(
  client: Client,
  customCode: string | undefined,
  error: unknown,
): Promise<readonly string[]> {
  const isTaken = error instanceof ApiError && /^CUSTOM_CODE_(TAKEN|RESERVED)$/.test(error.code);
  if (!isTaken || customCode === undefined) return [];
  const { suggestions } = await client.checkCode({ customCode }).catch(() => ({ suggestions: [] }));
  return suggestions;
}

/** Connects, and looks up the fields that all links share. */
async function open(options: ShortenOptions): Promise<{ client: Client; common: Omit<Draft, 'url'> }> {
  const { folderId: folder, ...fields } = fieldsGiven('shorten', options);
  const place = await openPlace(options);
  const folderId = folder === undefined ? undefined : await folderIdOrNone(place, folder);
  return {
    client: place.client,
    common: { ...draftGiven(options), ...fields, folderId, tags: options.tags },
  };
}

/** The same line in a run of the same name has the same Idempotency-Key, so what was done is not done again. */
function keyFor(batch: string | undefined, line: string, occurrence: number): CallOptions {
  return batch === undefined
    ? {}
    : {
        idempotencyKey: createHash('sha256')
          .update(JSON.stringify([batch, line, occurrence]))
          .digest('hex'),
      };
}
