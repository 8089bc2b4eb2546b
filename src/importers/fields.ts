import { parseTimeIn } from '../model/zoned-times.ts';

/** A row of a source that cannot be taken, with the reason as a clause. The rows around it are. */
export class BadRow extends Error {
  override readonly name = 'BadRow';
}

const longestText = 65_536;
/** Seconds since the epoch are below this, milliseconds above it: 1973 as the one, the year 5138 as the other. */
const mostSeconds = 1e11;
/** How databases write that there is nothing. */
const nothing: ReadonlySet<unknown> = new Set([undefined, null, '', '\\N', 'NULL']);

/**
 * The fields of a row as a source gave it: an object of JSON, a row of a database or of a file. The first of several names that
 * has a value counts, as sources renamed their fields.
 */
export class Fields {
  readonly #row: object;
  readonly #zone: string;

  /** @param zone of times that say none @throws BadRow when it is no object */
  constructor(row: unknown, zone: string) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new BadRow('it is no object');
    this.#row = row;
    this.#zone = zone;
  }

  /** @returns undefined when none of the names has a value */
  any(...names: readonly string[]): unknown {
    for (const name of names) {
      const value = Object.hasOwn(this.#row, name) ? (this.#row as Record<string, unknown>)[name] : undefined;
      if (!nothing.has(value)) return value;
    }
    return undefined;
  }

  /** @throws BadRow when it is neither a text nor a number */
  text(...names: readonly string[]): string | undefined {
    const value = this.any(...names);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
      throw new BadRow(`${names[0]} is no text`);
    const text = String(value).trim();
    if (text.length > longestText) throw new BadRow(`${names[0]} is longer than ${longestText} characters`);
    if (text.includes('\ufffd')) throw new BadRow(`${names[0]} is not UTF-8`);
    return text === '' ? undefined : text.toWellFormed();
  }

  /** @throws BadRow when there is none */
  need(...names: readonly string[]): string {
    const text = this.text(...names);
    if (text === undefined) throw new BadRow(`${names[0]} is missing`);
    return text;
  }

  /** A whole number from 0. @throws BadRow when it is something else */
  number(...names: readonly string[]): number | undefined {
    const text = this.text(...names);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < 0) throw new BadRow(`${names[0]} is no whole number`);
    return number;
  }

  flag(...names: readonly string[]): boolean {
    return /^(?:true|t|1|yes)$/i.test(String(this.any(...names) ?? ''));
  }

  /** As ISO 8601 in UTC, from that, from `2027-01-31 09:00:00`, or from seconds or milliseconds since the epoch. @throws BadRow */
  time(...names: readonly string[]): string | undefined {
    const value = this.any(...names);
    if (value === undefined) return undefined;
    const at = value instanceof Date ? value.getTime() : this.#momentIn(String(value).trim());
    if (Number.isNaN(at) || Math.abs(at) > 8.64e15) throw new BadRow(`${names[0]} is no time`);
    const text = new Date(at).toISOString();
    if (text.length !== 24) throw new BadRow(`${names[0]} is no time`);
    return text;
  }

  #momentIn(text: string): number {
    if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return Number(text) * (Number(text) < mostSeconds ? 1_000 : 1);
    const iso = text.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T').replace(/ ?(?:UTC)$/, 'Z');
    return parseTimeIn(iso, this.#zone) ?? Number.NaN;
  }

  /** Words: a list of texts, of objects with a name, or one text with separators. */
  list(...names: readonly string[]): string[] | undefined {
    const value = this.any(...names);
    const all = typeof value === 'string' ? value.split(/[,;|]/) : Array.isArray(value) ? value : [];
    const words = all.map((one) =>
      typeof one === 'string' ? one : new Fields(one, this.#zone).need('name', 'tag'),
    );
    const found = [...new Set(words.map((word) => word.trim().toWellFormed()).filter((word) => word !== ''))];
    return found.length === 0 ? undefined : found;
  }

  /** @returns the fields of an object inside; undefined when there is none */
  inner(...names: readonly string[]): Fields | undefined {
    const value = this.any(...names);
    return value === undefined ? undefined : new Fields(jsonIn(value), this.#zone);
  }

  /** These fields, and besides those of an object inside. */
  over(name: string): Fields {
    const inside = this.any(name);
    return typeof inside === 'object' ? new Fields({ ...inside, ...this.#row }, this.#zone) : this;
  }

  names(): string[] {
    return Object.keys(this.#row);
  }

  /** Names and numbers of an object inside, or of its JSON. */
  counts(...names: readonly string[]): Record<string, number> {
    const value = jsonIn(this.any(...names));
    if (typeof value !== 'object' || value === null) return {};
    const pairs = Object.entries(value).map(([name, count]) => [name.toWellFormed(), Number(count)] as const);
    return Object.fromEntries(pairs.filter(([, count]) => Number.isSafeInteger(count) && count > 0));
  }
}

function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new BadRow('it holds what is no JSON');
  }
}

/** The rows of a list inside a source's answer. @throws BadRow when there is no list */
export function rowsIn(answer: unknown, ...names: readonly string[]): unknown[] {
  const value = names.length === 0 ? answer : new Fields(answer, 'UTC').any(...names);
  if (Array.isArray(value)) return value;
  if (names.length > 0 && value === undefined) return [];
  throw new BadRow(`the answer has no list${names.length > 0 ? ` ${names[0]}` : ''}`);
}

/** A two-letter code of a country; undefined for what is none, such as a name or `unknown`. */
export function countryOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return /^[a-z]{2}$/i.test(text) && !/^(?:xx|zz)$/i.test(text) ? text.toUpperCase() : codeOfName(text);
}

let codes: ReadonlyMap<string, string> | undefined;

/** By its English name, as some sources write countries. */
function codeOfName(name: string): string | undefined {
  if (codes === undefined) {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const pairs = letters.flatMap((a) =>
      letters.map((b) => [names.of(a + b)?.toLowerCase() ?? '', a + b] as const),
    );
    // The first of two codes with one name is the one in use; later ones are of former states.
    codes = new Map(pairs.reverse());
  }
  return codes.get(name.toLowerCase()) || undefined;
}
