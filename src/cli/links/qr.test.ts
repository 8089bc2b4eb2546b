import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { dir, faultIn, good, json, run } from '../../../test/support/server/command-line.ts';
import { makeLink } from '../../../test/support/server/records.ts';
import { as } from '../../../test/support/server/server.ts';
import { type SharedServer, sharedServer } from '../../../test/support/server/shared-server.ts';

describe('linkfold qr', () => {
  let server: SharedServer;
  let env: Record<string, string>;
  before(async () => {
    server = await sharedServer();
    const { key } = await server.newKey();
    env = { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key };
    await makeLink(as(server, key), { customCode: 'shown-code' });
  });

  test('draws in the terminal, and returns the modules with --json', async () => {
    const { code, out, err } = await run(['qr', 'shown-code'], { env });
    assert.deepEqual([code, err], [0, `${server.url}/shown-code?trigger=qr\n`]);
    const lines = out.trimEnd().split('\n');
    const { rows, ...facts } = await json(['qr', `${server.url}/shown-code`, '--level', 'H'], { env });
    assert.deepEqual(facts, { shortCode: 'shown-code', url: `${server.url}/shown-code?trigger=qr` });
    assert.ok(rows.length >= 25 && rows.every((row: string) => row.length === rows.length));
    assert.match(rows[0], /^1{7}0[01]+01{7}$/);
    assert.match(lines[2] ?? '', /^ {4}█▀{5}█ /);
  });

  test('writes files by extension, in the requested style', async () => {
    const file = (name: string): string => join(dir, name);
    await good(['qr', 'shown-code', '--out', file('a.svg'), '--color', '#1f4d41', '--margin', '2'], { env });
    assert.match(readFileSync(file('a.svg'), 'utf8'), /^<svg .* fill="#1f4d41" /);
    const told = await json(['qr', 'shown-code', '--out', file('a.PNG'), '--size', '300'], { env });
    await good(['qr', 'shown-code', '--out', file('a.pdf'), '--millimetres', '60', '--shape', 'dots'], {
      env,
    });
    assert.match(readFileSync(file('a.pdf'), 'latin1'), /^%PDF.*MediaBox\[0 0 170\.0787/s);
    assert.equal(told.file, file('a.PNG'));
    assert.equal(readFileSync(file('a.PNG')).readUInt32BE(16), 300);
  });

  test('rejects invalid options and writes nothing', async () => {
    for (const [args, exit, said] of [
      [['--out', 'a.gif'], 2, /must end in \.svg, \.png or \.pdf/],
      [['--size', '300'], 2, /--size requires an image file\. Pass --out\./],
      [['--level', 'Z'], 2, /Allowed choices are L, M, Q, H/],
      [['--out', 'b.svg', '--color', 'eee'], 1, /contrast of 1\.1 : 1/],
      [['--out', 'b.svg', '--size', '9'], 1, /--size must be between 64 and 4096/],
      [['--out', join(dir, 'none', 'b.svg')], 1, /no such file or directory/],
    ] as const) {
      const ended = await run(['qr', 'shown-code', ...args], { env });
      assert.equal(ended.code, exit, ended.err);
      assert.match(ended.err, said);
    }
    assert.throws(() => readFileSync(join(dir, 'b.svg')));
    const unknown = await run(['qr', 'nothing', '--json'], { env });
    assert.deepEqual([unknown.code, faultIn(unknown).code], [1, 'LINK_NOT_FOUND']);
  });
});
