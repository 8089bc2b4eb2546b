import { BadRow, Fields } from './fields.ts';
import type { SourceRecord } from './format.ts';
import type { DateOrder } from './values.ts';

/**
 * Requests JSON from a service's API. The argument is a path below the base URL, or a complete URL.
 * @returns undefined if the request is `optional` and the resource does not exist or the token may not read it
 * @throws BadRow if only this request fails; SourceFailure if the source is unusable
 */
export type RequestJson = (
  path: string,
  query?: Readonly<Record<string, string | number | undefined>>,
  more?: RequestOptions,
) => Promise<unknown>;
export interface RequestOptions {
  readonly optional?: true;
  /** Fields that are sent as a form, so that no secret appears in a URL. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Thrown if reading cannot continue. The message explains why. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  /** True if the error may be temporary. */
  readonly isAway: boolean;
  /** Kind of invalid file, for callers that show their own messages. Undefined for other failures. */
  readonly reason: string | undefined;

  constructor(message: string, isAway = false, reason?: string) {
    super(message);
    this.isAway = isAway;
    this.reason = reason;
  }
}

/** Options that the user selected. */
export interface Choices {
  /** Time zone for times without an offset. */
  readonly zone: string;
  /** Host of the short URLs, for sources that do not report it. */
  readonly domain: string | null;
  readonly token: string;
  readonly withClicks: boolean;
  /** ISO 8601. Clicks before this time are left out. */
  readonly since: string | undefined;
  /** Time at which reading began, in ISO 8601. */
  readonly readAt: string;
  /** Name of the installation, if several installations have links with the same keys. */
  readonly source?: string | undefined;
  /** Workspace to read, for services that have workspaces. */
  readonly workspace: string | undefined;
  /** Redirect status for links whose status the source does not report. */
  readonly redirectStatus?: number | undefined;
  /** Order of day and month in dates such as `01/02/2024`. If undefined, such dates are rejected. */
  readonly dates?: DateOrder | undefined;
}

/** Converts a row to zero or more lines. @throws BadRow if the row is invalid */
export type ParseRow = (row: Fields, choices: Choices) => SourceRecord[];

/** A service from which links are imported. Its functions access neither the network nor storage directly. */
export interface Service {
  readonly label: string;
  /** Redirect status that the service uses, unless a link has its own status or the user selects another one. */
  readonly redirectStatus?: number;
  /**
   * The service's API. `at` is the base URL of the hosted service, `headers` returns the headers with the token, and
   * `everyMs` is the minimum time between requests.
   */
  readonly api?: {
    readonly at?: string;
    readonly headers: (choices: Choices) => Readonly<Record<string, string>>;
    readonly everyMs?: number;
    /** Note for the user about data that the API does not provide. */
    readonly note?: string;
    readonly read: (
      requestJson: RequestJson,
      choices: Choices,
    ) => AsyncGenerator<SourceRecord, void, undefined>;
  };
  /** Set if link keys are row numbers, which are not unique across installations. */
  readonly hasRowKeys?: true;
  /** Parsers for rows from the service's database or from a file. */
  readonly links?: ParseRow;
  readonly clicks?: ParseRow;
}

/**
 * Parses rows. Yields a problem for an invalid row and a warning for an invalid value.
 * @param where describes the rows for display
 * @param used collects the names of the columns that the parser reads
 */
export function* readRows(
  rows: Iterable<unknown>,
  where: string,
  choices: Choices,
  parse: ParseRow,
  used?: Set<string>,
): Generator<SourceRecord, void, undefined> {
  for (const row of rows) {
    const place = `${where}${nameOf(row)}`;
    const warnings = new Map<string, SourceRecord>();
    const warn = (column: string, reason: string): void => {
      warnings.set(column, { type: 'warning', where: place, column: column.slice(0, 200), reason });
    };
    try {
      if (row instanceof BadRow) throw row;
      yield* parse(new Fields(row, choices.zone, { place, dates: choices.dates, used, warn }), choices);
      yield* warnings.values();
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      yield { type: 'problem', where: place, reason: error.message };
    }
  }
}

/** Reads a link's clicks from the API. @param key the link's key */
export type ReadClicks = (
  requestJson: RequestJson,
  key: string,
  choices: Choices,
) => AsyncGenerator<SourceRecord, void, undefined>;

/**
 * Reads pages of links.
 * @param clicksOf reads the clicks on the link with the given key, for services that need a separate request per link
 */
export async function* readPages(
  pages: AsyncIterable<readonly unknown[]>,
  choices: Choices,
  parse: ParseRow,
  clicksOf?: (key: string) => AsyncIterable<SourceRecord>,
): AsyncGenerator<SourceRecord, void, undefined> {
  for await (const rows of pages)
    for (const found of readRows(rows, 'link', choices, parse)) {
      yield found;
      if (clicksOf !== undefined && found.type === 'link' && choices.withClicks)
        yield* problemOnFailure(`clicks of link ${found.key}`, clicksOf(found.key));
    }
}

/**
 * Yields records that need a separate request. If the request fails, yields a problem instead, so that reading
 * continues.
 */
export async function* problemOnFailure(
  where: string,
  found: AsyncIterable<SourceRecord>,
): AsyncGenerator<SourceRecord, void, undefined> {
  try {
    yield* found;
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    yield { type: 'problem', where, reason: error.message };
  }
}

const naming = [
  'id',
  'idString',
  'shortCode',
  'short_url',
  'shortlink',
  'keyword',
  'slug',
  'address',
  'link_id',
  'shorturl',
];

function nameOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) return '';
  const name = naming.map((one) => (row as Record<string, unknown>)[one]).find((one) => one != null);
  return name === undefined ? '' : ` ${String(name).slice(0, 100).toWellFormed()}`;
}

export interface Page {
  readonly rows: readonly unknown[];
  /** Total number of rows, if the source reports it. */
  readonly total?: number | undefined;
}

const maxPasses = 3;
const maxPagesWithoutNews = 20;

/**
 * Reads pages by offset from a list that may change while it is being read: creating or deleting a link shifts the
 * links after it. Skips duplicates, and reads the list again if it changed or returned fewer rows than its total.
 * @param keyOf returns a unique key for a row. The keys of all rows stay in memory, about 100 bytes each.
 */
export async function* offsetPages(
  page: (offset: number) => Promise<Page>,
  // biome-ignore lint/suspicious/noExplicitAny: each source parses its own rows.
  keyOf: (row: any) => string,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const seen = new Set<string>();
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    const totals = new Set<number | undefined>();
    let withoutNews = 0;
    for (let offset = 0; withoutNews < maxPagesWithoutNews; ) {
      const { rows, total } = await page(offset);
      totals.add(total);
      const fresh = rows.filter((row) => seen.size < seen.add(keyOf(row)).size);
      if (fresh.length > 0) yield fresh;
      withoutNews = fresh.length > 0 ? 0 : withoutNews + 1;
      offset += rows.length;
      if (rows.length === 0 || offset >= (total ?? Number.POSITIVE_INFINITY)) break;
    }
    const [total = 0] = totals;
    if (totals.size === 1 && seen.size >= total) return;
  }
  yield [
    new BadRow(
      'the list changed during every attempt to read it, so links may be missing; run the command again',
    ),
  ];
}

/** Reads pages that each contain the cursor for the next page. @throws SourceFailure if a cursor repeats */
export async function* cursorPages(
  page: (cursor: string | undefined) => Promise<{ rows: readonly unknown[]; next: string | undefined }>,
): AsyncGenerator<readonly unknown[], void, undefined> {
  let cursor: string | undefined;
  do {
    const { rows, next } = await page(cursor);
    yield rows;
    if (next !== undefined && next === cursor)
      throw new SourceFailure(
        'Reading stopped, because the source returned the same page twice. Links or clicks may be missing.',
      );
    cursor = next;
  } while (cursor !== undefined);
}

/** Returns the host and the code of a short URL. @throws BadRow if the URL is invalid */
export function shortUrlIn(text: string): { domain: string; code: string } {
  const address = text.includes('://') ? text : `https://${text}`;
  if (!URL.canParse(address)) throw new BadRow('the short URL is invalid');
  const url = new URL(address);
  try {
    return { domain: url.host, code: decodeURIComponent(url.pathname.slice(1)).normalize() };
  } catch {
    throw new BadRow('the code is not percent-encoded UTF-8');
  }
}
