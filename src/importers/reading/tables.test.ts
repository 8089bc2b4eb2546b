import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, effort, type Random, withSeed } from '../../../test/support/random/random.ts';
import type { SourceRecord } from '../format.ts';
import type { Choices, ParseRow } from '../service.ts';
import { services } from '../services/services.ts';
import { mappingOf, tableRow } from '../services/table.ts';
import { foundInTable, type TableOptions } from './tables.ts';

const choices: Choices = {
  ...{ zone: 'UTC', domain: null, token: '', withClicks: true, readAt: '2026-06-01T00:00:00.000Z' },
  ...{ since: undefined, workspace: undefined },
};

async function foundIn(
  bytes: Buffer,
  parserOf: (columns: readonly string[]) => ParseRow,
  options: TableOptions = {},
  pieceLength = bytes.length,
): Promise<SourceRecord[]> {
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
  })();
  return Array.fromAsync(foundInTable({ name: 'links', chunks, choices, options, parserOf }));
}

/** Writes a cell as in RFC 4180, quoted if necessary or if `isAlways` is set. */
function rfcCell(cell: string, delimiter: string, isAlways: boolean): string {
  const isQuoted = isAlways || cell.includes(delimiter) || /["\r\n]|^ | $/.test(cell);
  return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Writes a cell as the `mysql` client does with --batch. */
function batchCell(cell: string): string {
  return cell.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/** Writes a cell as SELECT … INTO OUTFILE does with enclosed fields. */
function outfileCell(cell: string): string {
  return cell === '' ? '\\N' : `"${cell.replaceAll(/["\\\n]/g, '\\$&')}"`;
}

type Writer = (rows: readonly (readonly string[])[]) => Buffer;

/** Returns a function that writes tables in a randomly chosen format. */
function writerFrom({ pick, chance }: Random): Writer {
  const end = pick(['\n', '\r\n']);
  const form = pick(['rfc', 'rfc', 'rfc', 'batch', 'outfile', 'lines', 'list']);
  const text16 = form === 'rfc' && chance(0.3);
  const [delimiter, isAlways, hasEnd] = [pick([',', ';', '\t', '|']), chance(0.3), chance(0.8)];
  const start = chance(0.3) ? '\ufeff' : '';
  const encode = (text: string): Buffer => {
    if (!text16) return Buffer.from(text);
    const bytes = Buffer.from(text, 'utf16le');
    return chance(0.5) ? bytes.swap16() : bytes;
  };
  return (rows) => {
    if (form === 'rfc') {
      const lines = rows.map((cells) =>
        cells.map((cell) => rfcCell(cell, delimiter, isAlways)).join(delimiter),
      );
      return encode(start + lines.join(end) + (hasEnd ? end : ''));
    }
    if (form === 'batch')
      return Buffer.from(rows.map((cells) => `${cells.map(batchCell).join('\t')}\n`).join(''));
    if (form === 'outfile')
      return Buffer.from(rows.map((cells) => `${cells.map(outfileCell).join(',')}\n`).join(''));
    const [head = [], ...rest] = rows;
    // Empty fields are omitted, so that some fields first appear in a later line.
    const objects = rest.map((cells) =>
      Object.fromEntries(head.flatMap((name, at) => (cells[at] === '' ? [] : [[name, cells[at]]]))),
    );
    return Buffer.from(
      form === 'list'
        ? JSON.stringify(objects, null, 2)
        : objects.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
  };
}

test('reads or reports each row, and uses or names each column, of random tables in any format', async (t) => {
  const { count, seed } = effort(400);
  await withSeed(t, { count, seed }, async () => {
    for (let run = 0; run < count; run += 1) {
      const random = createRandom(seed + run);
      const { below, pick, chance } = random;
      const pieces = [
        'a',
        'B',
        'é',
        '漢',
        '😀',
        ' ',
        '"',
        "'",
        ',',
        ';',
        '\t',
        '|',
        '\n',
        '\r\n',
        '5',
        '://',
        'http',
      ];
      const text = () => Array.from({ length: below(9) }, () => pick(pieces)).join('');
      const columns = ['code', 'url', 'title', 'Anders', 'Noch etwas'].sort(() => below(3) - 1);
      const links = Array.from({ length: 1 + below(20) }, (_, at) => {
        const fields: Record<string, string> = {
          ...{
            code: chance(0.05) ? '' : `c${at}`,
            url: `https://e.com/${at}?q=${pick(['', 'a,b', 'a;b', 'a|b', '"'])}`,
          },
          ...{ title: text(), Anders: text(), 'Noch etwas': 'x' },
        };
        // The first row contains characters that the `mysql` client must escape.
        return at === 0 ? { ...fields, code: 'c0', title: `a\tb\\c${text()}\n"`, Anders: 'y' } : fields;
      });
      const isPlain = chance(0.5);
      const rows: Record<string, string | undefined>[] = isPlain
        ? links.map((row) => ({ ...row, title: row['title']?.replaceAll('\\', '') }))
        : links;
      const bytes = writerFrom(random)([
        columns,
        ...rows.map((row) => columns.map((name) => row[name] ?? '')),
      ]);
      const found = await foundIn(
        bytes,
        (names) => tableRow(mappingOf(names, {})),
        {},
        1 + below(bytes.length),
      );
      const message = `seed ${seed + run}: ${JSON.stringify(bytes.toString())}`;
      assert.deepEqual(
        found.flatMap((line) => (line.type === 'link' ? [[line.code, line.url, line.title]] : [])),
        rows.flatMap((row) =>
          row['code'] === '' ? [] : [[row['code'], row['url'], row['title']?.trim() || undefined]],
        ),
        message,
      );
      assert.equal(
        found.filter(({ type }) => type === 'problem').length,
        rows.filter((row) => row['code'] === '').length,
        message,
      );
      const [unused] = found.flatMap((line) => (line.type === 'unused' ? [line.columns.toSorted()] : []));
      assert.deepEqual(unused, ['Anders', 'Noch etwas'], message);
    }
  });
});

test('reads or reports each row, and uses or names each column, with every reader', async () => {
  for (const [name, { links, clicks }] of Object.entries(services))
    for (const parse of [links, clicks]) {
      if (parse === undefined) continue;
      const columns = ['short_url', 'keyword', 'url', 'timestamp', 'colour', 'soon'];
      const rows = ['a,a,https://e.com/,2024-01-01,red,x', ',,,,red,', 'b,b,nowhere,soon,,y'];
      const table = Buffer.from([columns.join(','), ...rows].join('\n'));
      const found = await foundIn(table, () => parse);
      const isRow = ({ type }: SourceRecord): boolean =>
        ['link', 'visit', 'bucket', 'problem'].includes(type);
      assert.equal(found.filter(isRow).length, rows.length, name);
      const unused = found.flatMap((line) => (line.type === 'unused' ? line.columns : []));
      assert.ok(unused.includes('colour') && unused.includes('soon'), name);
    }
});
