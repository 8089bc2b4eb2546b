import { guessColumns } from '../../src/importers/columns.ts';
import { type SentUtm, type UtmName, utmNames } from '../data/links/utm.ts';

/** Link to create, parsed from a pasted line. */
export interface Line {
  readonly number: number;
  readonly url: string;
  /** Host of the domain. Empty means the domain selected for all lines. */
  readonly domain: string;
  readonly code: string;
  readonly title: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly expires: string;
  readonly utm: SentUtm;
}

export const maxLines = 1_000;
/** Columns of pasted text without a header line. */
const plainColumns = ['url', 'code', 'title'] as const;

/** Lines parsed from the pasted text, and the meaning of its columns. */
export interface Pasted {
  readonly lines: readonly Line[];
  /** Column names and their fields. Empty if there is no header line. */
  readonly columns: readonly (readonly [name: string, field: Field])[];
  /** Names of unused columns. */
  readonly unused: readonly string[];
}

/** Fields that a column can contain. */
export type Field =
  | 'url'
  | 'short'
  | 'code'
  | 'domain'
  | 'title'
  | 'folder'
  | 'tags'
  | 'expiresAt'
  | `utm_${UtmName}`;

const utmFields = utmNames.map((name) => `utm_${name}` as const);
const fields: readonly Field[] = [
  ...(['url', 'short', 'code', 'domain', 'title', 'folder', 'tags', 'expiresAt'] as const),
  ...utmFields,
];

/** Returns the column index for each detected field. Returns an empty map if no column contains destinations. */
function fieldsOf(names: readonly string[]): ReadonlyMap<Field, number> {
  const guessed = guessColumns(names);
  const found = new Map<Field, number>();
  for (const field of fields) {
    const [name] = guessed[field] ?? [];
    if (name !== undefined) found.set(field, names.indexOf(name));
  }
  const folder = names.findIndex((name) => /^(?:folder ?(?:id)?|ordner)$/i.test(name));
  if (folder !== -1) found.set('folder', folder);
  return found.has('url') ? found : new Map();
}

/**
 * Parses pasted text in one of two forms: one link per line (URL, code and title, separated by commas, semicolons or
 * tabs), or CSV with a header line in the export format of any supported service. Skips empty lines.
 */
export function readTable(text: string): Pasted {
  const separator = /\t/.test(text)
    ? '\t'
    : /^[^,\n]*;/.test(text) && !text.split('\n')[0]?.includes(',')
      ? ';'
      : ',';
  const records = readCsv(text.replace(/^\uFEFF/, ''), separator).filter(({ fields }) =>
    fields.some((field) => field.trim() !== ''),
  );
  const head = records[0]?.fields.map((field) => field.trim()) ?? [];
  const named = fieldsOf(head);
  const hasHead = named.size > 0;
  const places = hasHead ? named : new Map<Field, number>(plainColumns.map((field, at) => [field, at]));
  const lines = records.slice(hasHead ? 1 : 0).map(({ line, fields }): Line => {
    const at = (field: Field) => fields[places.get(field) ?? -1]?.trim() ?? '';
    const utm = utmNames.flatMap((name) => (at(`utm_${name}`) === '' ? [] : [[name, at(`utm_${name}`)]]));
    return {
      number: line,
      url: at('url'),
      domain: at('domain').toLowerCase(),
      code: at('code') || at('short').replace(/^(?:[a-z]+:\/\/)?[^/]*\.[^/]*\//i, ''),
      title: at('title'),
      folder: at('folder'),
      tags: at('tags')
        .split(/[,;|]/)
        .flatMap((tag) => tag.trim() || []),
      expires: at('expiresAt'),
      utm: Object.fromEntries(utm),
    };
  });
  const used = new Set(places.values());
  return {
    lines,
    columns: hasHead ? [...places].map(([field, at]) => [head[at] ?? '', field] as const) : [],
    unused: hasHead ? head.filter((name, at) => name !== '' && !used.has(at)) : [],
  };
}

export function readLines(text: string): readonly Line[] {
  return readTable(text).lines;
}

/** Parses CSV records with quoted fields, which may contain line breaks. */
function readCsv(text: string, separator: string): { readonly line: number; readonly fields: string[] }[] {
  const records: { line: number; fields: string[] }[] = [];
  let fields: string[] = [];
  let field = '';
  let isQuoted = false;
  let line = 1;
  let begin = 1;
  const endRecord = () => {
    fields.push(field);
    records.push({ line: begin, fields });
    fields = [];
    field = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\n') line += 1;
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && field.trim() === '') {
      field = '';
      isQuoted = true;
    } else if (character === separator) {
      fields.push(field);
      field = '';
    } else if (character === '\n') {
      endRecord();
      begin = line;
    } else if (character !== '\r') field += character;
  }
  if (field !== '' || fields.length > 0) endRecord();
  return records;
}
