import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { dir, good, run } from '../../../test/support/server/command-line.ts';
import { type Api, freshCode } from '../../../test/support/server/records.ts';
import { as, call } from '../../../test/support/server/server.ts';
import { type SharedServer, sharedServer } from '../../../test/support/server/shared-server.ts';
import { readText } from './files.ts';

let files = 0;
function file(text: string, ending = 'yaml'): string {
  const path = join(dir, `links-${++files}.${ending}`);
  writeFileSync(path, text);
  return path;
}

describe('parsing a file', () => {
  const fields = (text: string) => readText('a.yaml', text).links.map((link) => link.fields);

  test('keeps strings as strings, whatever they look like; parses flags and numbers', () => {
    const text = `
manifest: m
defaults: { redirectStatus: 301, tags: [2027, yes] }
moved: { 007: 1e3, old: 0x1F }
links:
  - { customCode: 007, url: https://e.com/, title: 1e3, disabled: true, maxClicks: 10, archived: null }
  - { customCode: 0x1F, url: https://e.com/, title: null, description: ~, expiresAt: 2031-01-01, tags: [1.0, "x"] }
  - { "customCode": 12, "url": "https://e.com/", utm: { campaign: 2027, source: 1_0 }, title: }
  - customCode: on
    url: https://e.com/
    rules: [{ when: [{ fact: language, values: [no] }], to: { gone: true } }]
    title: "null"
`;
    const [one, two, three, four] = fields(text);
    const url = 'https://e.com/';
    assert.deepEqual(one, {
      customCode: '007',
      url,
      title: '1e3',
      disabled: true,
      maxClicks: 10,
      archived: null,
    });
    assert.deepEqual(two, {
      ...{
        customCode: '0x1F',
        url,
        title: null,
        description: null,
        expiresAt: '2031-01-01',
        tags: ['1.0', 'x'],
      },
    });
    assert.deepEqual(three, { customCode: '12', url, utm: { campaign: '2027', source: '1_0' }, title: null });
    assert.deepEqual(four?.['customCode'], 'on');
    assert.deepEqual(four?.['rules'], [{ when: [{ fact: 'language', values: ['no'] }], to: { gone: true } }]);
    assert.equal(four?.['title'], 'null');
    const read = readText('a.yaml', text);
    assert.deepEqual(read.defaults, { redirectStatus: 301, tags: ['2027', 'yes'] });
    assert.deepEqual(
      [...read.moved],
      [
        ['007', '1e3'],
        ['old', '0x1F'],
      ],
    );
  });

  test('rejects an invalid manifest with file and line', () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['manifest: m\nlinks:\n  - { customCode: a\n', /^a\.yaml:\d+: Flow map/],
      ['links: []', /^a\.yaml:1: manifest is required/],
      ['manifest: m', /^a\.yaml:1: links is required/],
      ['manifest: m\nlinks: []\nlink: []', /link is not a field of a manifest\. Fields: version/],
      ['manifest: m\nlinks: []\nversion: 2', /^a\.yaml:3: version 2/],
      ['manifest: m\nlinks:\n  - 5', /^a\.yaml:3: A link must be a map/],
      ['manifest: m\nmanifest: n\nlinks: []', /^a\.yaml:2: Map keys must be unique/],
      ['', /^a\.yaml:1: The file must be a map with the fields of a manifest: /],
      ['- a', /^a\.yaml:1: The file must be a map with the fields of a manifest: /],
      ['links: [', /^a\.yaml:1: Flow sequence [^:]*\.$/],
    ];
    for (const [text, message] of wrong) assert.throws(() => readText('a.yaml', text), { message }, text);
  });
});

describe('links as code', () => {
  let server: SharedServer;
  before(async () => {
    server = await sharedServer();
  });
  const account = async (): Promise<{ api: Api; env: Record<string, string> }> => {
    const { key } = await server.newKey();
    return { api: as(server, key), env: { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key } };
  };
  const leads = async (code: string): Promise<string | null> =>
    (await call(server, 'GET', `/${code}`)).headers.get('location');

  test('plan, apply, and an empty plan: exit codes 2, 0, 0; several files; folders by name', async () => {
    const { api, env } = await account();
    const [one, two] = [freshCode(), freshCode()];
    const folder = (await api.post('/api/v1/folders', { name: 'Spring' })).json.folder.id;
    const first = file(
      `manifest: m\nfolder: spring\nlinks:\n  - customCode: ${one}\n    url: https://e.com/1\n`,
    );
    const second = file(
      JSON.stringify({ manifest: 'm', links: [{ customCode: two, url: 'https://e.com/2' }] }),
      'json',
    );
    const plan = await run(['plan', first, second], { env });
    assert.deepEqual([plan.code, plan.err], [2, '']);
    assert.equal(
      plan.out,
      `+ ${one} will be created (${first}:4)\n    https://e.com/1\n+ ${two} will be created (${second}:1)\n    https://e.com/2\n` +
        'm: 2 to create; 0 links unchanged.\n',
    );
    const unasked = await run(['apply', first, second], { env });
    assert.equal(unasked.code, 2);
    assert.match(unasked.err, /To skip confirmation, pass --yes/);
    assert.match((await run(['apply', first, second, '--yes'], { env })).err, /^Applied: 2 created\.\n$/);
    assert.equal(await leads(two), 'https://e.com/2');
    const link = (await api.get(`/api/v1/links/by-code/${one}`)).json.data;
    assert.deepEqual([link.folderId, link.managedBy], [folder, 'm']);
    const again = await run(['plan', first, second], { env });
    assert.deepEqual([again.code, again.out], [0, 'm: nothing to do; 2 links unchanged.\n']);
    assert.equal((await run(['drift', first, second], { env })).code, 0);
    // A usage error must not look like pending changes (exit code 2).
    for (const args of [
      ['plan', first, '--prun'],
      ['plan', 'no-such-file'],
      ['drift', file('manifest: m')],
    ])
      assert.equal((await run(args, { env })).code, 1, args.join(' '));
    const other = file('manifest: n\nlinks: []');
    assert.match((await run(['plan', first, other], { env })).err, /several manifests \(m, n\)/);
  });

  test('reports rejected links with file and line', async () => {
    const { env } = await account();
    const path = file(
      `manifest: m\nlinks:\n  - { customCode: ${freshCode()}, url: https://e.com/ }\n  - { customCode: login, url: https://e.com/, titel: x }\n`,
    );
    const refused = await run(['plan', path], { env });
    assert.equal(refused.code, 1);
    assert.match(refused.err, new RegExp(`${path}:4: login: Unknown field titel`));
    const asJson = await run(['plan', path, '--json'], { env });
    assert.equal(JSON.parse(asJson.err).error.details[0].field, 'links[1].titel');
  });

  test('applies an earlier plan only if nothing has changed, with a limit for deletes', async () => {
    const { api, env } = await account();
    const codes = Array.from({ length: 8 }, () => freshCode());
    const text = (list: string[], url = 'https://e.com/') =>
      `manifest: m\nlinks:${list.length === 0 ? ' []' : ''}\n${list.map((code) => `  - { customCode: ${code}, url: ${url} }\n`).join('')}`;
    await good(['apply', file(text(codes)), '--yes'], { env });
    const changed = file(text(codes, 'https://e.org/'));
    const planned = await run(['plan', changed, '--json'], { env });
    assert.equal(planned.code, 2);
    const plan = file(planned.out, 'json');
    const { id } = (await api.get(`/api/v1/links/by-code/${codes[3]}`)).json.data;
    await api.patch(`/api/v1/links/${id}`, { title: 'by hand' });
    const refused = await run(['apply', changed, '--plan', plan, '--yes'], { env });
    assert.equal(refused.code, 1);
    assert.match(refused.err, /now has revision 2; in the plan it had 1.+MANIFEST_DRIFTED/s);
    assert.equal(await leads(codes[0] ?? ''), 'https://e.com/');
    const few = file(text(codes.slice(0, 2), 'https://e.org/'));
    assert.match(
      (await run(['apply', few, '--yes'], { env })).out,
      /is no longer in the files: --prune deletes the link/,
    );
    const many = await run(['apply', few, '--prune', '--yes'], { env });
    assert.match(many.err, /6 links would be deleted, but the limit is 5\. .+--max-deletes 6/);
    assert.match(
      (await run(['apply', few, '--prune', '--max-deletes', '6', '--yes'], { env })).err,
      /6 deleted/,
    );
    assert.match((await run(['apply', file(text([])), '--release', '--yes'], { env })).err, /2 released/);
    assert.equal(await leads(codes[0] ?? ''), 'https://e.org/');
  });

  test('drift exits with 2 and shows the changes; --accept writes them to the file and keeps comments', async () => {
    const { api, env } = await account();
    const [one, two, three, old] = [freshCode(), freshCode(), freshCode(), freshCode()];
    const [number, power] = [`00${Date.now()}`, `${Date.now()}e3`];
    const path = file(`# Links of the spring campaign.
manifest: m
defaults:
  tags: [spring] # all of them
links:
  # On the billboard.
  - customCode: ${one} # never change
    url: https://e.com/1 # the shop
    title: One
  - customCode: ${two}
    url: https://e.com/2
  - customCode: ${three}
    url: https://e.com/3
    title: 0x1F
  - { customCode: ${number}, url: https://e.com/4, title: 1.10 }
  - customCode: ${power}
    url: https://e.com/5
moved:
  ${old}: ${three}
`);
    await good(['apply', path, '--yes'], { env });
    const idOf = async (code: string) => (await api.get(`/api/v1/links/by-code/${code}`)).json.data.id;
    await api.patch(`/api/v1/links/${await idOf(one)}/destination`, { url: 'https://e.com/moved' });
    await api.patch(`/api/v1/links/${await idOf(one)}`, { title: null, tags: [], maxClicks: 7 });
    await api.delete(`/api/v1/links/${await idOf(two)}`);
    const drift = await run(['drift', path], { env });
    assert.equal(drift.code, 2, drift.err);
    assert.match(drift.out, new RegExp(`${one} differs on the server \\(${path}:7\\)`));
    assert.match(drift.out, /url: https:\/\/e\.com\/moved on the server, https:\/\/e\.com\/1 in the file/);
    assert.match(drift.out, new RegExp(`${two} was deleted on the server`));
    const accepted = await run(['drift', path, '--accept'], { env });
    assert.equal(accepted.code, 0, accepted.err);
    assert.equal(
      readFileSync(path, 'utf8'),
      `# Links of the spring campaign.
manifest: m
defaults:
  tags: [ spring ] # all of them
links:
  # On the billboard.
  - customCode: ${one} # never change
    url: https://e.com/moved # the shop
    maxClicks: 7
    tags: []
  - customCode: ${three}
    url: https://e.com/3
    title: 0x1F
  - { customCode: ${number}, url: https://e.com/4, title: 1.10 }
  - customCode: ${power}
    url: https://e.com/5
moved:
  ${old}: ${three}
`,
    );
    assert.equal((await run(['drift', path], { env })).code, 0);
    assert.equal((await run(['plan', path], { env })).code, 0);
    // In JSON too, a code that looks like a number remains a string.
    const json = join(dir, 'accepted.json');
    writeFileSync(
      json,
      `{"manifest": "j", "links": [{"customCode": ${power}1, "url": "https://e.com/6", "maxClicks": 9}]}`,
    );
    await good(['apply', json, '--yes'], { env });
    await api.patch(`/api/v1/links/${await idOf(`${power}1`)}`, { title: 'Six' });
    assert.equal((await run(['drift', json, '--accept'], { env })).code, 0);
    assert.deepEqual(JSON.parse(readFileSync(json, 'utf8')).links, [
      { customCode: `${power}1`, url: 'https://e.com/6', maxClicks: 9, title: 'Six' },
    ]);
    assert.equal((await run(['plan', json], { env })).code, 0);
    // Adds links that belong to the manifest but are missing from the file.
    const empty = file('# mine\nmanifest: m\nlinks: []\n');
    assert.equal((await run(['drift', empty, '--accept'], { env })).code, 0);
    assert.match(readFileSync(empty, 'utf8'), /^# mine\n/);
    assert.equal((await run(['plan', empty], { env })).code, 0);
  });

  test("keeps a moved link's ID", async () => {
    const { api, env } = await account();
    const [old, code] = [freshCode(), freshCode()];
    const links = (own: string): string =>
      `manifest: m\nlinks:\n  - { customCode: ${own}, url: https://e.com/ }\n`;
    await good(['apply', file(links(old)), '--yes'], { env });
    const { id } = (await api.get(`/api/v1/links/by-code/${old}`)).json.data;
    const moved = file(`${links(code)}moved: { ${old}: ${code} }\n`);
    assert.match((await run(['plan', moved], { env })).out, new RegExp(`customCode: ${old} -> ${code}`));
    await good(['apply', moved, '--prune', '--yes'], { env });
    assert.equal((await api.get(`/api/v1/links/by-code/${code}`)).json.data.id, id);
    assert.equal(await leads(old), 'https://e.com/');
    assert.equal((await run(['plan', moved], { env })).code, 0);
  });

  test('export writes a file that adopts the existing links and changes nothing else', async () => {
    const { api, env } = await account();
    const folder = (await api.post('/api/v1/folders', { name: 'Posters' })).json.folder.id;
    const [one, two] = [freshCode(), freshCode()];
    const fields = {
      folderId: folder,
      tags: ['a'],
      utm: { source: 'mail' },
      expiresAt: '2031-01-01',
      password: 'secret',
    };
    await api.post('/api/v1/shorten', { url: 'https://e.com/1', customCode: one, disabled: true, ...fields });
    await api.post('/api/v1/shorten', { url: 'https://e.com/2', customCode: two, folderId: folder });
    for (const ending of ['yaml', 'json']) {
      const path = join(dir, `exported.${ending}`);
      const { code, err } = await run(['export', 'm', '--folder', 'posters', '--out', path], { env });
      assert.equal(code, 0, err);
      assert.match(err, /^Exported 2 links\.\n1 link with a password/);
      const text = readFileSync(path, 'utf8');
      assert.match(text, ending === 'json' ? /"folder": "Posters"/ : /^folder: Posters$/m);
      assert.match(
        (await run(['plan', path], { env })).err,
        /The code belongs to a link that no manifest manages/,
      );
      const plan = await run(['plan', path, '--adopt', '--json'], { env });
      const { changes } = JSON.parse(plan.out);
      assert.deepEqual(
        changes.map((change: { action: string; changes: object }) => [change.action, change.changes]),
        [
          ['adopt', {}],
          ['adopt', {}],
        ],
        plan.out,
      );
    }
    await good(['apply', join(dir, 'exported.yaml'), '--adopt', '--yes'], { env });
    assert.match(await good(['export', 'm'], { env }), new RegExp(`customCode: ${one}\n`));
    assert.equal((await api.get(`/api/v1/links/by-code/${one}`)).json.data.hasPassword, true);
  });
});
