import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dir, run } from '../../../test/support/server/command-line.ts';

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Runs `import read` on a file with links. */
async function readLinks(bytes: string | Uint8Array, args: readonly string[] = [], source = 'csv') {
  const path = join(dir, 'links.txt');
  writeFileSync(path, bytes);
  const ended = await run(['import', 'read', source, '--links', path, ...args]);
  const lines: Line[] = ended.out.split('\n').flatMap((text) => (text === '' ? [] : [JSON.parse(text)]));
  return { ...ended, lines, links: lines.filter(({ type }) => type === 'link') };
}

test('names unused columns, in the file too; an unreadable value loses only the value', async () => {
  const text =
    'code,url,Besitzer,createdAt,clicks\na,https://e.com/a,T,10/26/2020,"1,234"\nb,https://e.com/b,T,soon,many\nc,https://e.com/c,T,1/2/2020,-\n';
  const { code, err, lines, links } = await readLinks(text);
  assert.equal(code, 0, err);
  assert.match(err, /^Unused columns: Besitzer \(links\)$/m);
  assert.match(err, /^links line 3, createdAt: "soon" is not a date$/m);
  assert.match(err, /^links line 4, createdAt: .* use --dates dmy or --dates mdy$/m);
  assert.match(err, /^Read 3 links and 1 click count; 0 could not be read\. 3 values left out/m);
  assert.deepEqual(
    links.map(({ code, createdAt }) => [code, createdAt]),
    [
      ['a', '2020-10-26T00:00:00.000Z'],
      ['b', undefined],
      ['c', undefined],
    ],
  );
  assert.deepEqual(
    lines.filter(({ type }) => type === 'counter').map(({ clicks }) => clicks),
    [1_234],
  );
  assert.deepEqual(
    lines.filter(({ type }) => type === 'unused'),
    [{ type: 'unused', where: 'links', columns: ['Besitzer'] }],
  );
  const warnings = lines.flatMap(({ type, where, column }) => (type === 'warning' ? [[where, column]] : []));
  assert.deepEqual(warnings.sort(), [
    ['links line 3', 'clicks'],
    ['links line 3', 'createdAt'],
    ['links line 4', 'createdAt'],
  ]);
  const ordered = await readLinks(text, [
    '--dates',
    'dmy',
    '--column',
    'title=Besitzer',
    '--json',
    '--strict',
  ]);
  assert.equal(ordered.links[2]?.['createdAt'], '2020-02-01T00:00:00.000Z');
  assert.equal(ordered.code, 2);
  for (const [line, exit] of [
    ['a,https://e.com/a,', 2],
    ['a,https://e.com/a', 0],
  ] as const) {
    const head = exit === 2 ? 'code,url,Ordner' : 'code,url';
    assert.equal((await readLinks(`${head}\n${line}\n`, ['--strict'])).code, exit);
  }
});

test('reads files as written by programs: quotes, escapes, encodings, shapes', async () => {
  const rows = (...lines: string[]): string => `${lines.join('\n')}\n`;
  const a = { code: 'a', url: 'https://e.com/a' };
  const b = { code: 'b', url: 'https://e.com/b' };
  const cases: [name: string, bytes: string | Uint8Array, links: object[], args?: string[], err?: RegExp][] =
    [
      [
        'a quote that closes nothing, and one at the end of a later title',
        rows('code,url,title,clicks', 'a,https://e.com/a,"Hi,5', 'b,https://e.com/b,ho",5'),
        [
          { ...a, title: '"Hi' },
          { ...b, title: 'ho"' },
        ],
      ],
      [
        'quoted line breaks and delimiters',
        rows('code,url,title', 'a,https://e.com/a,"x\ny,z,w"', '"b","https://e.com/b","say ""hi"", ok"'),
        [
          { ...a, title: 'x\ny,z,w' },
          { ...b, title: 'say "hi", ok' },
        ],
      ],
      [
        'mysql -B',
        rows(
          'code\turl\ttitle\tdescription',
          'a\thttps://e.com/a\t"one" \\n two\tNULL',
          'b\thttps://e.com/b\t"x\tback\\\\slash',
        ),
        [
          { ...a, title: '"one" \n two' },
          { ...b, title: '"x', description: 'back\\slash' },
        ],
        [],
        /backslash escapes, as written by mysql -B\. .+ pass --dialect csv/,
      ],
      [
        'INTO OUTFILE',
        '"a","https://e.com/a","say \\"hi\\", ok"\n"b","https://e.com/b",\\N\n',
        [{ ...a, title: 'say "hi", ok' }, b],
        ['--no-header', '--column', 'code=1', '--column', 'url=2', '--column', 'title=3'],
      ],
      [
        'backslashes of Windows',
        rows('code\turl\ttitle', 'a\thttps://e.com/a\tC:\\Users\\new'),
        [{ ...a, title: 'C:\\Users\\new' }],
      ],
      [
        'backslashes that are said to be text',
        rows('code\turl\ttitle', 'a\thttps://e.com/a\tC:\\new'),
        [{ ...a, title: 'C:\\new' }],
        ['--dialect', 'csv'],
      ],
      [
        'both styles of quotes',
        rows('code,url,title', 'a,https://e.com/a,"say ""hi"", ok"', 'b,https://e.com/b,"say \\"hi\\", ok"'),
        [
          { ...a, title: 'say "hi", ok' },
          { ...b, title: 'say "hi", ok' },
        ],
      ],
      [
        'cells that are missing or empty',
        'code;url;title;;\r\na;https://e.com/a;T;;;\r\nb;https://e.com/b\r\n;;;\r\n',
        [{ ...a, title: 'T' }, b],
      ],
      [
        'sep=',
        '\ufeffsep=;\r\ncode;url;title\r\na;https://e.com/a;\x22x;y\x22\r\nb;https://e.com/b\r\n',
        [{ ...a, title: 'x;y' }, b],
      ],
      [
        'a column without a name',
        'code,url,,\na,https://e.com/a,x,\n',
        [a],
        [],
        /^Unused columns: column 3 \(links\)$/m,
      ],
      ['pipes', rows('code|url', 'a|https://e.com/a'), [a]],
      [
        'lists',
        rows('code\turl\ttags', 'a\thttps://e.com/a\t["x","y, z"]', 'b\thttps://e.com/b\t{x,"y z"}'),
        [
          { ...a, tags: ['x', 'y, z'] },
          { ...b, tags: ['x', 'y z'] },
        ],
      ],
      [
        'UTF-16 LE with a mark',
        Buffer.from('\ufeffcode\turl\ttitle\r\na\thttps://e.com/a\tZürich 漢\r\n', 'utf16le'),
        [{ ...a, title: 'Zürich 漢' }],
      ],
      [
        'UTF-16 BE without a mark',
        Buffer.from('code\turl\ttitle\r\na\thttps://e.com/a\tZürich\r\n', 'utf16le').swap16(),
        [{ ...a, title: 'Zürich' }],
      ],
      [
        'Windows-1252',
        Buffer.from('code,url,title\na,https://e.com/a,Z\xfcrich \x80\n', 'latin1'),
        [{ ...a, title: 'Zürich €' }],
        [],
        /^Line 2 is not UTF-8\. It is read as Windows-1252/m,
      ],
      [
        'UTF-8 with one line that is not',
        Buffer.concat([
          Buffer.from('code,url,title\na,https://e.com/a,漢\n'),
          Buffer.from('b,https://e.com/b,\xfc\n', 'latin1'),
        ]),
        [
          { ...a, title: '漢' },
          { ...b, title: 'ü' },
        ],
      ],
      [
        'an encoding that is named',
        Buffer.from('code,url,title\na,https://e.com/a,\x82\xa0\n', 'latin1'),
        [{ ...a, title: 'あ' }],
        ['--encoding', 'shift_jis'],
      ],
      [
        'lines of JSON with fields that come later',
        rows(JSON.stringify(a), JSON.stringify({ ...b, title: 'T', tags: ['x'] })),
        [a, { ...b, title: 'T', tags: ['x'] }],
      ],
      ['a list in JSON', JSON.stringify([a, { ...b, title: 'T' }], null, 2), [a, { ...b, title: 'T' }]],
      ['a list inside an object', JSON.stringify({ total: 2, links: [a, b] }), [a, b]],
      [
        'no header',
        rows('https://e.com/a,a', 'https://e.com/b,b'),
        [a, b],
        ['--no-header', '--column', 'url=1', '--column', 'code=2'],
      ],
      [
        'two columns of one name',
        rows('code,url,url', 'a,https://e.com/a,x'),
        [a],
        [],
        /^Unused columns: url \(column 3\) \(links\)$/m,
      ],
      [
        'a cell too many where no address can be cut',
        rows('code\turl\ttitle', 'a\thttps://e.com/a\tT\tmore'),
        [{ ...a, title: 'T' }],
        [],
        /^Unused columns: column 4 \(links\)$/m,
      ],
    ];
  for (const [name, bytes, expected, args, message] of cases) {
    const { code, err, links } = await readLinks(bytes, args);
    assert.deepEqual(
      links.map(({ type: _type, key: _key, domain: _domain, ...fields }) => fields),
      expected,
      `${name}: ${err}`,
    );
    assert.equal(code, 0, err);
    if (message !== undefined) assert.match(err, message, name);
  }
  // A comma may be part of a URL, so a row with too many cells could have a wrong destination.
  const cut = await readLinks(rows('url,code,title', 'https://e.com/a,b,a,T', 'https://e.com/b,b,'));
  assert.deepEqual([cut.code, cut.links.map(({ code }) => code)], [1, ['b']]);
  assert.match(cut.out, /"links line 2","reason":"the row has 4 cells, but the table has 3 columns"/);
  // With `--column`, every source accepts columns with other names.
  const german = rows('Kurzcode,url,Titel', 'a,https://e.com/a,T');
  const { links } = await readLinks(
    german,
    ['--column', 'keyword=Kurzcode', '--column', 'title=3'],
    'yourls',
  );
  assert.deepEqual([links[0]?.['code'], links[0]?.['title']], ['a', 'T']);
});

test('rejects a file that is not a table with advice and a non-zero exit code', async () => {
  const cases: [string | Uint8Array, RegExp][] = [
    ['', /is empty/],
    [' \r\n\r\n', /is empty/],
    ['code,url,title\r\n', /has no rows/],
    ['[]', /has no rows/],
    ['PK\x03\x04\x14\0[Content_Types].xml', /spreadsheet workbook \(\.xlsx, \.ods\): save it as CSV UTF-8/],
    ['PK\x03\x04\x14\0links.csv', /ZIP archive: unpack it/],
    [Buffer.from('\x1f\x8b\x08\0', 'latin1'), /gzip: unpack it/],
    [Buffer.from('\xd0\xcf\x11\xe0\xa1', 'latin1'), /Excel workbook: in Excel/],
    ['SQLite format 3\0\x10', /SQLite database: use --database/],
    ['%PDF-1.7\n', /PDF document/],
    ['<!DOCTYPE html><html>', /HTML or XML/],
    ['-- MySQL dump 10.13\nCREATE TABLE x (y int);\n', /SQL dump/],
    ['\0\0\0\x01abc\x07\0', /binary data/],
    ['[{"url":"https://e.com/","code":"a"},', /The links file is not valid JSON/],
    [
      'https://e.com/a,a\nhttps://e.com/b,b\n',
      /has no header row\. .*--no-header --column url=1 --column code=2/,
    ],
    ['Name,Wohin\nx,https://e.com/\n', /No column found for url. Use --column url=NAME/],
  ];
  for (const [bytes, message] of cases) {
    const { code, err, links } = await readLinks(bytes);
    assert.deepEqual([code, links.length], [1, 0], err);
    assert.match(err, message);
  }
  assert.equal((await readLinks('code,url\n', ['--encoding', 'klingon'])).code, 2);
  assert.equal((await readLinks('code,url\n', ['--column', 'colour=x'])).code, 2);
});
