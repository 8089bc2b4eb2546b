import { guessColumns, tableFields } from '../../src/importers/columns.ts';
import type { SourceRecord } from '../../src/importers/format.ts';
import { linesOf, noCounts } from '../../src/importers/reading/read.ts';
import { foundInTable } from '../../src/importers/reading/tables.ts';
import { type ParseRow, SourceFailure } from '../../src/importers/service.ts';
import { services } from '../../src/importers/services/services.ts';
import { tableRow } from '../../src/importers/services/table.ts';
import type { DateOrder } from '../../src/importers/values.ts';
import { createPause, piecesOf } from './slices.ts';

// Reads tables from other services, like `linkfold import read`. This module is loaded once the user selects a file.

export { guessColumns, tableFields };

export type Mapping = ReturnType<typeof guessColumns>;

/** Options for reading a table. */
export interface TableChoices {
  /** Name of the service that exported the table, or `csv` for any other table. */
  readonly source: string;
  readonly mapping: Mapping;
  readonly hasHeader: boolean;
  readonly dates: DateOrder | undefined;
  readonly zone: string;
  /** Host for the short links if the table does not contain it. */
  readonly host: string;
  readonly clicks: File | undefined;
}

/** First rows of a table. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Assumptions that the reader made, as keys of UI strings. */
  readonly notes: readonly string[];
  readonly source: string;
}

export interface Converted {
  /** The converted file, in the import format. */
  readonly file: File;
  /** For each line in the converted file, its source line in the original table. */
  readonly places: readonly string[];
}

/** Maximum file size in bytes. Larger tables require the CLI. */
export const maxBytes = 200_000_000;
const previewRows = 5;

/** Column names that identify each service's export. */
const signs: readonly (readonly [source: string, ...columns: string[]])[] = [
  ['bitly', 'Custom Link', 'Destination URL'],
  ['bitly', 'Destination URL', 'Engagements'],
  ['bitly', 'link', 'long_url'],
  ['dub', 'Short link', 'Destination URL'],
  ['dub', 'key', 'url', 'domain'],
  ['rebrandly', 'slashtag', 'destination'],
  ['short-io', 'originalURL', 'path'],
  ['shlink', 'shortCode', 'longUrl'],
  ['yourls', 'keyword', 'url', 'timestamp'],
  ['kutt', 'address', 'target', 'visit_count'],
  ['polr', 'short_url', 'long_url', 'secret_key'],
  ['golink', 'Short', 'Long', 'Owner'],
  ['trotto', 'shortpath', 'destination_url'],
  ['umami', 'link_id', 'slug', 'url'],
  ['chhoto-url', 'shortlink', 'longlink', 'hits'],
];

/** Services whose exports can be imported, with their names. */
export const sources: readonly (readonly [source: string, label: string])[] = Object.entries(services).map(
  ([name, { label }]) => [name, label],
);

/** Returns true if a service has its own table format for links or clicks. */
export function hasOwnTable(source: string, table: 'links' | 'clicks'): boolean {
  return services[source]?.[table] !== undefined;
}

/** Reads the first rows of a table. @throws SourceFailure if the file is not a table */
export async function openTable(file: File, hasHeader: boolean): Promise<Table> {
  if (file.size > maxBytes) throw new SourceFailure('The file is too large.', false, 'huge');
  let columns: readonly string[] = [];
  const rows: string[][] = [];
  const notes = new Set<string>();
  const parserOf = (names: readonly string[]): ParseRow => {
    columns = names;
    return (row) => {
      rows.push(names.map((name) => shown(row.any(name))));
      return [{ type: 'problem', where: '', reason: 'seen' }];
    };
  };
  const onNote = (_: string, reason: string) => void notes.add(reason);
  const found = foundInTable({
    ...{ name: 'links', chunks: piecesOf(file, () => {}), choices: choicesOf('UTC', ''), parserOf },
    options: { hasHeader, onNote },
  });
  for await (const { type } of found) if (type !== 'unused' && rows.length >= previewRows) break;
  const sign = signs.find(([, ...names]) => names.every((name) => columns.includes(name)));
  return { columns, rows, notes: [...notes], source: sign?.[0] ?? 'csv' };
}

function shown(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}

function choicesOf(zone: string, host: string) {
  return {
    ...{ zone, domain: host || null, token: '', withClicks: true, since: undefined, workspace: undefined },
    readAt: new Date(0).toISOString(),
  };
}

/**
 * Converts a table to the import format.
 * @param onProgress receives the fraction read so far, 0 to 1, and the number of links
 * @throws SourceFailure if the table cannot be read, or the abort reason of `signal`
 */
export async function convert(
  table: File,
  choices: TableChoices,
  onProgress: (share: number, links: number) => void,
  signal: AbortSignal,
): Promise<Converted> {
  const { source, mapping, hasHeader, dates, zone, host, clicks } = choices;
  const service = services[source];
  let place = '';
  const placed =
    (parse: ParseRow): ParseRow =>
    (row, all) => {
      place = row.place;
      return parse(row, all);
    };
  const all = {
    ...choicesOf(zone, host),
    ...{ dates, redirectStatus: service?.redirectStatus, readAt: readAtOf(table, choices) },
  };
  const counts = noCounts();
  const foundIn = (name: 'links' | 'clicks', file: File, parse: ParseRow) =>
    foundInTable({
      ...{ name, choices: all, options: { hasHeader }, parserOf: () => placed(parse) },
      chunks: piecesOf(file, (share) => onProgress(share, counts.links)),
    });
  const found = (async function* () {
    yield* foundIn('links', table, service?.links ?? tableRow(mapping));
    if (clicks !== undefined && service?.clicks !== undefined)
      yield* foundIn('clicks', clicks, service.clicks);
  })();
  const reading = {
    ...{ source, instance: null, choices: all, hasRowKeys: service?.hasRowKeys, found },
    // Don't validate here, because the server checks each line.
    readLine: (line: SourceRecord) => line,
  };
  const [parts, places, pause] = [[] as Blob[], [] as string[], createPause()];
  const texts: string[] = [];
  for await (const text of linesOf(reading, counts)) {
    signal.throwIfAborted();
    places.push(place);
    // Collect the lines in Blobs, which the browser stores outside the page's memory.
    if (texts.push(text) === 1_000) parts.push(new Blob(texts.splice(0)));
    await pause();
  }
  return { file: new File([...parts, ...texts], table.name), places };
}

/**
 * Returns the timestamp for a converted table. The timestamp depends only on the file and the options, so that the
 * server can continue an interrupted import.
 */
function readAtOf({ name, size, lastModified }: File, choices: TableChoices): string {
  const text = JSON.stringify([name, size, { ...choices, clicks: choices.clicks?.size }]);
  const sum = [...text].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 1_000, 0);
  return new Date(Math.floor(lastModified / 1_000) * 1_000 + sum).toISOString();
}
