import { BadRow, Fields } from './fields.ts';
import type { SourceRecord } from './format.ts';
import type { DateOrder } from './values.ts';

/**
 * Asks the interface of a service for JSON: a path below its address, or an address of its own.
 * @returns undefined where the service has not what is asked for, or the token may not see it, if `optional`
 * @throws BadRow when this cannot be answered; SourceFailure when nothing can
 */
export type Ask = (
  path: string,
  query?: Readonly<Record<string, string | number | undefined>>,
  more?: AskMore,
) => Promise<unknown>;
export interface AskMore {
  readonly optional?: true;
  /** Sent as a form, so that nothing secret is in an address. */
  readonly form?: Readonly<Record<string, string>>;
}

/** The reading cannot continue, with a sentence that says why. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  /** Whether it may be another time. */
  readonly isAway: boolean;
  /** What is wrong with a file, for programs that have a sentence of their own. */
  readonly reason: string | undefined;

  constructor(message: string, isAway = false, reason?: string) {
    super(message);
    this.isAway = isAway;
    this.reason = reason;
  }
}

/** What the person who reads has chosen. */
export interface Choices {
  /** Of times that say none. */
  readonly zone: string;
  /** Host of the short URLs, for sources that do not say it. */
  readonly domain: string | null;
  readonly token: string;
  readonly withClicks: boolean;
  /** ISO 8601: clicks before it are left out. */
  readonly since: string | undefined;
  /** ISO 8601: the moment at which the reading began. */
  readonly readAt: string;
  /** A name for the installation, where several have links of the same keys. */
  readonly source?: string | undefined;
  /** Part of an account, where a service has them. */
  readonly workspace: string | undefined;
  /** Of links whose status the source does not say. */
  readonly redirectStatus?: number | undefined;
  /** Whether the day or the month comes first in dates such as `01/02/2024`. Undefined: such dates are not read. */
  readonly dates?: DateOrder | undefined;
}

/** What a row says: none, one or several lines. @throws BadRow */
export type ParseRow = (row: Fields, choices: Choices) => SourceRecord[];

/** A service that links come from. Parsers and walks touch neither network nor storage. */
export interface Service {
  readonly label: string;
  /** Status of its redirects, unless each link has one, or it is a setting that was changed. */
  readonly redirectStatus?: number;
  /** Its interface: where it is when it is hosted, how the token is sent, the least time between two requests. */
  readonly api?: {
    readonly at?: string;
    readonly headers: (choices: Choices) => Readonly<Record<string, string>>;
    readonly everyMs?: number;
    /** Human-readable: what it cannot give. */
    readonly note?: string;
    readonly read: (ask: Ask, choices: Choices) => AsyncGenerator<SourceRecord, void, undefined>;
  };
  /** Its tables know links by the numbers of their rows. */
  readonly hasRowKeys?: true;
  /** Its tables, as rows of a database or of a file. */
  readonly links?: ParseRow;
  readonly clicks?: ParseRow;
}

/**
 * Reads rows. One that cannot be read becomes a problem, a value that cannot be read becomes a warning.
 * @param where names the rows for display
 * @param used receives the names of the columns that the parser looks at
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

/** The same, for what needs a question of its own: when that cannot be answered, the rest continues. */
export async function* orProblem(
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
  /** How many there are in all, where the source says it. */
  readonly total?: number | undefined;
}

const mostPasses = 3;
const mostPagesWithoutNews = 20;

/**
 * Pages by offset over a list that changes meanwhile: a link that is made or deleted moves all others. What comes twice is passed
 * over; while the list changed or fewer came than there are, it is gone through again.
 * @param keyOf distinguishes rows; it keeps the key of every row in memory, about 100 bytes
 */
export async function* offsetPages(
  page: (offset: number) => Promise<Page>,
  // biome-ignore lint/suspicious/noExplicitAny: a row is what the source sent, and each source reads its own.
  keyOf: (row: any) => string,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const seen = new Set<string>();
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    const totals = new Set<number | undefined>();
    let withoutNews = 0;
    for (let offset = 0; withoutNews < mostPagesWithoutNews; ) {
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
    new BadRow('the list changed during every attempt to read it, so links may be missing: read it again'),
  ];
}

/** Pages that each name the next one. @throws SourceFailure when one names itself */
export async function* cursorPages(
  page: (cursor: string | undefined) => Promise<{ rows: readonly unknown[]; next: string | undefined }>,
): AsyncGenerator<readonly unknown[], void, undefined> {
  let cursor: string | undefined;
  do {
    const { rows, next } = await page(cursor);
    yield rows;
    if (next !== undefined && next === cursor)
      throw new SourceFailure('The source returns the same page repeatedly.');
    cursor = next;
  } while (cursor !== undefined);
}

/** Host and code of a short URL. @throws BadRow when it is none */
export function shortUrlIn(text: string): { domain: string; code: string } {
  const address = text.includes('://') ? text : `https://${text}`;
  if (!URL.canParse(address)) throw new BadRow('its short URL is invalid');
  const url = new URL(address);
  try {
    return { domain: url.host, code: decodeURIComponent(url.pathname.slice(1)).normalize() };
  } catch {
    throw new BadRow('its code is not percent-encoded UTF-8');
  }
}
