/** One link to make, as a line of the paste says it. */
export interface Line {
  readonly number: number;
  readonly url: string;
  /** A host; empty for the one that was chosen for all. */
  readonly domain: string;
  readonly code: string;
  readonly title: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly expires: string;
}

export const mostLines = 1_000;

const names = ['url', 'domain', 'code', 'title', 'folder', 'tags', 'expires'] as const;
type Name = (typeof names)[number];

const otherNames: Readonly<Record<string, Name>> = {
  destination: 'url',
  destinationurl: 'url',
  customcode: 'code',
  shortcode: 'code',
  folderid: 'folder',
  tag: 'tags',
  expiresat: 'expires',
};

/**
 * Reads pasted lines: an address each, after a comma, semicolon or tab its code and title; or CSV whose first line names
 * the columns. Empty lines are passed over.
 */
export function readLines(text: string): Line[] {
  const separator = /\t/.test(text)
    ? '\t'
    : /^[^,\n]*;/.test(text) && !text.split('\n')[0]?.includes(',')
      ? ';'
      : ',';
  const records = readCsv(text.replace(/^\uFEFF/, ''), separator).filter(({ fields }) =>
    fields.some((field) => field.trim() !== ''),
  );
  const head = records[0]?.fields.map((field) => nameOf(field));
  const hasHead = head?.includes('url') ?? false;
  const columns = hasHead && head !== undefined ? head : ['url', 'code', 'title'];
  return records.slice(hasHead ? 1 : 0).map(({ line, fields }) => {
    const at = (name: Name) => fields[columns.indexOf(name)]?.trim() ?? '';
    const tags = at('tags');
    return {
      number: line,
      url: at('url'),
      domain: at('domain').toLowerCase(),
      code: at('code'),
      title: at('title'),
      folder: at('folder'),
      tags: tags === '' ? [] : tags.split(/[,;|]/).flatMap((tag) => tag.trim() || []),
      expires: at('expires'),
    };
  });
}

function nameOf(field: string): Name | undefined {
  const plain = field.toLowerCase().replaceAll(/[^a-z]/g, '');
  return names.find((name) => name === plain) ?? otherNames[plain];
}

/** Records of a CSV with quoted fields, which may hold line breaks. */
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

/** A table of results; what a spreadsheet would read as a formula is defused. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
