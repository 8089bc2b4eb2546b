import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dir, run } from '../../../test/support/server/command-line.ts';

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Runs `import read` on a file of links. */
async function readLinks(bytes: string | Uint8Array, args: readonly string[] = [], source = 'csv') {
  const path = join(dir, 'links.txt');
  writeFileSync(path, bytes);
  const ended = await run(['import', 'read', source, '--links', path, ...args]);
  const lines: Line[] = ended.out.split('\n').flatMap((text) => (text === '' ? [] : [JSON.parse(text)]));
  return { ...ended, lines, links: lines.filter(({ type }) => type === 'link') };
}

test('columns that are not used are named, in the file too; a value that cannot be read costs the value', async () => {
  const text =
    'code,url,Titel,createdAt,clicks\na,https://e.com/a,T,10/26/2020,"1,234"\nb,https://e.com/b,T,soon,many\nc,https://e.com/c,T,1/2/2020,-\n';
  const { code, err, lines, links } = await readLinks(text);
  assert.equal(code, 0, err);
  assert.match(err, /^Unused columns: Titel \(links\)$/m);
  assert.match(err, /^links line 3, createdAt: "soon" is not a date$/m);
  assert.match(err, /^links line 4, createdAt: .* use --dates dmy or --dates mdy$/m);
  assert.match(err, /^Read 3 links and 0 clicks; 0 could not be read\. 3 values left out/m);
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
    [{ type: 'unused', where: 'links', columns: ['Titel'] }],
  );
  const warnings = lines.flatMap(({ type, where, column }) => (type === 'warning' ? [[where, column]] : []));
  assert.deepEqual(warnings, [
    ['links line 3', 'createdAt'],
    ['links line 3', 'clicks'],
    ['links line 4', 'createdAt'],
  ]);
  const ordered = await readLinks(text, ['--dates', 'dmy', '--column', 'title=Titel', '--json', '--strict']);
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
