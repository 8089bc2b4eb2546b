import { BadRow, type DateOrder, readCount, readTime } from './values.ts';

export { BadRow } from './values.ts';

const longestText = 65_536;
const yes = /^(?:true|t|1|yes|y|on|x|ja)$/i;
const no = /^(?:false|f|0|no|n|off|nein|none|null|n\/a|-)?$/i;

/** Options for reading a row's fields, and callbacks for warnings. */
export interface FieldsContext {
  /** Display name of the row. */
  readonly place?: string;
  readonly dates?: DateOrder | undefined;
  /** Maps the names that a parser uses to column names. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Collects the names of columns that a parser reads. */
  readonly used?: Set<string> | undefined;
  /** Called for values that cannot be parsed. Without this callback, such a value makes the row invalid. */
  readonly warn?: (column: string, reason: string) => void;
}

/**
 * Fields of a row from JSON, a database or a file. Methods accept several names, because services have renamed their
 * fields over time. The first name that has a value wins.
 */
export class Fields {
  readonly #row: object;
  readonly #zone: string;
  readonly #context: FieldsContext;

  /** @param zone time zone for times without an offset @throws BadRow if the row is not an object */
  constructor(row: unknown, zone: string, context: FieldsContext = {}) {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw new BadRow('the row is not an object');
    this.#row = row;
    this.#zone = zone;
    this.#context = context;
  }

  get place(): string {
    return this.#context.place ?? '';
  }

  /** Returns these fields, accessible under the names that a parser uses. */
  withColumns(columns: Readonly<Record<string, string>>): Fields {
    return new Fields(this.#row, this.#zone, { ...this.#context, columns });
  }

  #find(names: readonly string[]): readonly [name: string, value: unknown] | undefined {
    for (const given of names) {
      const name = this.#context.columns?.[given] ?? given;
      this.#context.used?.add(name);
      const value = Object.hasOwn(this.#row, name) ? (this.#row as Record<string, unknown>)[name] : undefined;
      if (!isNothing(value)) return [name, value];
    }
    return undefined;
  }

  /** Reports a value that cannot be parsed. @throws BadRow if the context has no `warn` */
  #warn(name: string, reason: string): void {
    const { warn } = this.#context;
    if (warn === undefined) throw new BadRow(`${name}: ${reason}`);
    warn(name, reason);
  }

  /** Parses a value. If `parse` throws BadRow, only the value is dropped, with a warning. */
  read<T>(names: readonly string[], parse: (value: unknown) => T): T | undefined {
    const [name, value] = this.#find(names) ?? [];
    if (name === undefined) return undefined;
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      this.#warn(name, error.message);
      return undefined;
    }
  }

  /** Parses a required value. @throws BadRow if the value is missing or invalid */
  #need<T>(names: readonly string[], parse: (value: unknown) => T | undefined): T {
    const [name, value] = this.#find(names) ?? [names[0]];
    try {
      const found = value === undefined ? undefined : parse(value);
      if (found !== undefined) return found;
    } catch (error) {
      throw error instanceof BadRow ? new BadRow(`${name}: ${error.message}`) : error;
    }
    throw new BadRow(`${name} is missing`);
  }

  /** Returns the unparsed value of the first name that has a value, or undefined if none has. */
  any(...names: readonly string[]): unknown {
    return this.#find(names)?.[1];
  }

  text(...names: readonly string[]): string | undefined {
    return this.read(names, textIn);
  }

  /** Returns a required string. @throws BadRow if it is missing */
  need(...names: readonly string[]): string {
    return this.#need(names, textIn);
  }

  /** Parses a non-negative integer with `readCount`. */
  number(...names: readonly string[]): number | undefined {
    return this.read(names, (value) => readCount(textIn(value) ?? ''));
  }

  flag(...names: readonly string[]): boolean {
    const [name = '', value = ''] = this.#find(names) ?? [];
    const text = String(value).trim();
    if (!yes.test(text) && !no.test(text))
      this.#context.warn?.(name, `${JSON.stringify(text.slice(0, 60).toWellFormed())} is not yes or no`);
    return yes.test(text);
  }

  /** Parses a date or time with `readTime`. Returns ISO 8601 in UTC. */
  time(...names: readonly string[]): string | undefined {
    return this.read(names, (value) => this.#timeIn(value));
  }

  /** Returns a required time as ISO 8601 in UTC. @throws BadRow if it is missing or invalid */
  needTime(...names: readonly string[]): string {
    return this.#need(names, (value) => this.#timeIn(value));
  }

  #timeIn(value: unknown): string | undefined {
    const rules = { zone: this.#zone, dates: this.#context.dates };
    const at = value instanceof Date ? value.getTime() : readTime(textIn(value) ?? '', rules);
    if (at === undefined) return undefined;
    const text = Number.isNaN(at) || Math.abs(at) > 8.64e15 ? '' : new Date(at).toISOString();
    if (text.length !== 24) throw new BadRow('the value is not a date');
    return text;
  }

  /**
   * Parses a list of names. The value may be an array of strings or of objects with a name, the JSON of such an array,
   * or a string with separators.
   */
  list(...names: readonly string[]): string[] | undefined {
    const [name = '', value] = this.#find(names) ?? [];
    const words = wordsIn(value).flatMap((one) => {
      try {
        return typeof one === 'object'
          ? new Fields(one, this.#zone).need('name', 'tag')
          : (textIn(one) ?? []);
      } catch (error) {
        if (!(error instanceof BadRow)) throw error;
        this.#warn(name, `an item of the list was skipped: ${error.message}`);
        return [];
      }
    });
    const found = [...new Set(words)];
    return found.length === 0 ? undefined : found;
  }

  /** Returns the fields of a nested object, or undefined if there is none. The value may also be the object's JSON. */
  inner(...names: readonly string[]): Fields | undefined {
    const context = { ...this.#context, columns: undefined, used: undefined };
    return this.read(names, (value) => new Fields(jsonIn(value), this.#zone, context));
  }

  /** Returns these fields merged with the fields of a nested object. */
  over(name: string): Fields {
    const inside = this.any(name);
    return typeof inside === 'object'
      ? new Fields({ ...inside, ...this.#row }, this.#zone, this.#context)
      : this;
  }

  names(): string[] {
    return Object.keys(this.#row);
  }

  /** Returns the positive integers in a nested object, by name. The value may also be the object's JSON. */
  counts(...names: readonly string[]): Record<string, number> {
    const value = this.read(names, jsonIn);
    if (typeof value !== 'object' || value === null) return {};
    const pairs = Object.entries(value).map(([name, count]) => [name.toWellFormed(), Number(count)] as const);
    return Object.fromEntries(pairs.filter(([, count]) => Number.isSafeInteger(count) && count > 0));
  }
}

/** Returns true if a value is missing, or represents NULL in a database's output. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === '\\N' || value === 'NULL';
}

/** Returns a value as a trimmed string. @throws BadRow if it is neither a string nor a number */
function textIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    throw new BadRow('the value is neither a string nor a number');
  const text = String(value).trim();
  if (text.length > longestText) throw new BadRow(`the value is longer than ${longestText} characters`);
  if (text.includes('\ufffd'))
    throw new BadRow('the value contains U+FFFD, the placeholder for lost characters');
  return text === '' ? undefined : text.toWellFormed();
}

function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new BadRow('the value is not JSON');
  }
}

/**
 * Splits a list into its items. The list may be an array, the JSON of an array, an array in PostgreSQL or Python
 * notation, or a string with separators.
 */
function wordsIn(value: unknown): unknown[] {
  if (typeof value !== 'string') return Array.isArray(value) ? value : value === undefined ? [] : [value];
  const [, inside] = /^\s*[[{](.*)[\]}]\s*$/s.exec(value) ?? [];
  if (inside === undefined) return value.split(/[,;|]/);
  if (inside.trim() === '') return [];
  try {
    return wordsIn(JSON.parse(value));
  } catch {
    return inside.split(',').map((word) => word.trim().replace(/^(["'])(.*)\1$/s, '$2'));
  }
}

/** Returns the rows of a list in a response. @throws BadRow if the response contains no list */
export function rowsIn(answer: unknown, ...names: readonly string[]): unknown[] {
  const value = names.length === 0 ? answer : new Fields(answer, 'UTC').any(...names);
  if (Array.isArray(value)) return value;
  if (names.length > 0 && value === undefined) return [];
  throw new BadRow(`the response has no list${names.length > 0 ? ` ${names[0]}` : ''}`);
}

/** Parses a country: a two-letter code or an English name. Returns undefined for other values, such as `unknown`. */
export function countryOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return /^[a-z]{2}$/i.test(text) && !/^(?:xx|zz)$/i.test(text) ? text.toUpperCase() : codeOfName(text);
}

let codes: ReadonlyMap<string, string> | undefined;

/** Returns the code for a country's English name, which some sources use. */
function codeOfName(name: string): string | undefined {
  if (codes === undefined) {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const pairs = letters.flatMap((a) =>
      letters.map((b) => [names.of(a + b)?.toLowerCase() ?? '', a + b] as const),
    );
    // The list is reversed, so that the first code wins if two codes have the same name. The first code is the current
    // country; later codes are former countries.
    codes = new Map(pairs.reverse());
  }
  return codes.get(name.toLowerCase()) || undefined;
}
