import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '../../support/server/command-line.ts';
import { alarmsOf } from '../../support/server/log.ts';
import { type Api, makeLink } from '../../support/server/records.ts';
import {
  as,
  call,
  type Server,
  startServer,
  type TestKey,
  temporaryFolder,
} from '../../support/server/server.ts';
import { until } from '../../support/until.ts';
import { words } from '../../support/words.ts';

describe('block lists', () => {
  const file = join(temporaryFolder('block-lists'), 'hosts.txt');
  const dataDir = temporaryFolder('block-lists-data');
  let answer: { status: number; body: string } = { status: 200, body: '' };
  const source = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
  let address = '';
  let server: Server;
  let api: Api;
  let owners: TestKey;
  const settings = () => ({
    BLOCK_LISTS: `${file}, ${address}/list?secret=hidden`,
    METRICS_TOKEN: 'a-token-for-the-scraper',
    LOG_LEVEL: 'info',
  });

  before(async () => {
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
    writeFileSync(
      file,
      '# phishing\r\nevil.example\r\n0.0.0.0 sink.example\r\nhttps://ok.example/one/page\r\n',
    );
    answer.body = 'remote.example\n||shop.example^\n';
    server = await startServer(settings(), dataDir);
    owners = await server.newKey();
    api = as(server, owners.key);
  });
  after(async () => {
    source.close();
    await server.stop();
  });

  const refusal = async (url: string): Promise<unknown> => {
    const { status, json } = await api.post('/api/v1/shorten', { url });
    return status === 201 ? status : [status, json.error.code];
  };
  const metric = async (name: string): Promise<string[]> => {
    const { text } = await call(server, 'GET', '/metrics', {
      headers: { authorization: 'Bearer a-token-for-the-scraper' },
    });
    return text.split('\n').filter((line) => line.startsWith(name));
  };

  test('refuses links, changes and rules to a listed host or its subdomains', async () => {
    const blocked = [422, 'DESTINATION_BLOCKED'];
    for (const host of words('evil.example a.evil.example SINK.example. remote.example www.shop.example'))
      assert.deepEqual(await refusal(`https://${host}/x`), blocked, host);
    // A list entry for a single page does not block its host.
    for (const host of ['ok.example', 'notevil.example', 'example'])
      assert.equal(await refusal(`https://${host}/`), 201, host);
    const id = await makeLink(api);
    const change = (fields: object) => api.patch(`/api/v1/links/${id}`, fields);
    assert.match(
      (await api.post('/api/v1/folders', { name: 'f', expiredUrl: 'https://evil.example/' })).text,
      /expiredUrl.*evil\.example, which the operator has blocked/,
    );
    for (const fields of [
      { expiredUrl: 'https://evil.example/' },
      { card: { image: 'https://evil.example/a.png' } },
      { rules: [{ when: [], to: { url: 'https://evil.example/' } }] },
      { rules: [{ when: [], to: { split: [{ url: 'https://evil.example/', weight: 1 }] } }] },
      ...[
        { appUrl: 'https://evil.example/a' },
        { appUrl: 'https://fine.example/', storeUrl: 'https://evil.example/' },
      ].map((ios) => ({ rules: [{ when: [], to: { url: 'https://fine.example/', apps: { ios } } }] })),
    ])
      assert.match((await change(fields)).text, /evil\.example, which the operator has blocked/);
  });

  test('metrics show lists and sizes without secrets in URLs', async () => {
    const hosts = await metric('linkfold_block_list_hosts{');
    assert.deepEqual(hosts.map((line) => line.split(' ').at(-1)).toSorted(), ['2', '2']);
    assert.ok(hosts.some((line) => line.includes(`list="${address}/list"`)));
    assert.doesNotMatch(server.output() + hosts.join(), /hidden/);
  });

  test('starts with the cached copy of a failing list, reports it, and finds newly listed links later', async () => {
    const old = await api.post('/api/v1/shorten', { url: 'https://later.example/x' });
    assert.equal(old.status, 201);
    const rule = await api.post('/api/v1/shorten', {
      url: 'https://fine.example/',
      rules: [{ when: [], to: { url: 'https://sub.later.example/' } }],
    });
    assert.equal(rule.status, 201);
    const ios = { appUrl: 'https://fine.example/app', storeUrl: 'https://store.later.example/' };
    const app = await api.post('/api/v1/shorten', {
      url: 'https://fine.example/',
      rules: [{ when: [], to: { url: 'https://fine.example/', apps: { ios } } }],
    });
    assert.equal(app.status, 201);
    const later = { expiredUrl: 'https://later.example/over' };
    const folder = await api.post('/api/v1/folders', { name: 'f', ...later });
    assert.deepEqual([folder.status, (await api.put('/api/v1/branding', later)).status], [201, 200]);
    const moved = await makeLink(api, { url: 'https://later.example/moved', title: 'Old', ...later });
    await api.patch(`/api/v1/links/${moved}`, { title: 'New', expiredUrl: null });
    await api.patch(`/api/v1/links/${moved}/destination`, { url: 'https://fine.example/moved' });
    await server.stop();
    answer = { status: 503, body: '' };
    writeFileSync(file, 'later.example\n');
    server = await startServer(settings(), dataDir);
    const owner = as(server, owners.key);
    api = as(server, (await server.newKey()).key);
    assert.deepEqual(await refusal('https://remote.example/'), [422, 'DESTINATION_BLOCKED']);
    assert.deepEqual(await refusal('https://later.example/'), [422, 'DESTINATION_BLOCKED']);
    await until('the links were checked', () =>
      alarmsOf(server).some(({ msg }) =>
        msg.startsWith('Links, folders or brandings redirect to hosts on a block list'),
      ),
    );
    assert.deepEqual(await metric('linkfold_listed_links '), ['linkfold_listed_links 5']);
    await until('the failure was logged', () =>
      alarmsOf(server).some(
        ({ msg, reason }) => /checked against its cached copy/.test(msg) && /503/.test(`${reason}`),
      ),
    );
    // The link is reported but still works.
    const { shortCode } = old.json.data;
    assert.equal((await call(server, 'GET', `/${shortCode}`)).status, 302);

    // Restoring a version restores the values that are allowed, and lists the fields that were not restored.
    const rolled = await owner.post(`/api/v1/links/${moved}/history/1/restore`, {});
    assert.deepEqual(rolled.json.data.kept, ['destinationUrl', 'expiredUrl']);
    const now = (await owner.get(`/api/v1/links/${moved}`)).json.data;
    assert.deepEqual([now.destinationUrl, now.title], ['https://fine.example/moved', 'Old']);

    const { code, out, err } = await run(['block-lists', 'check', '--json'], {
      env: { ...settings(), DATA_DIR: dataDir },
    });
    assert.equal(code, 1, err);
    const found = JSON.parse(out);
    const { account } = found.links[0];
    assert.deepEqual(found.fallbacks, [
      { folder: null, account, host: 'later.example', list: file },
      { folder: folder.json.folder.id, account, host: 'later.example', list: file },
    ]);
    type Found = Readonly<Record<'code' | 'host' | 'list', string>>;
    assert.deepEqual(
      found.links.map((link: Found) => [link.code, link.host, link.list]),
      [
        [shortCode, 'later.example', file],
        [rule.json.data.shortCode, 'sub.later.example', file],
        [app.json.data.shortCode, 'store.later.example', file],
      ],
    );
    assert.match(err, /3 links and 2 folders or brandings found, 1 lists? failed/);
  });

  test('reports a missing file and a list that was never loaded', async () => {
    const missing = await run(['config'], { env: { BLOCK_LISTS: '/no/such/file' } });
    assert.equal(missing.code, 2);
    assert.match(missing.err, /BLOCK_LISTS is \/no\/such\/file, which does not exist/);
    const secret = await run(['config'], {
      env: { BLOCK_LISTS: 'https://me:hidden@lists.example/a' },
    });
    assert.equal(secret.code, 2);
    assert.match(secret.err, /BLOCK_LISTS contains a URL with a username or password/);
    assert.doesNotMatch(secret.out + secret.err, /hidden/);
    const never = await run(['block-lists', 'check'], {
      env: { DATA_DIR: dataDir, BLOCK_LISTS: `${address}/never` },
    });
    assert.equal(never.code, 1);
    assert.match(
      never.err,
      /no cached copy exists\. Links are not checked against the list\. .*\/never: returned status 503/,
    );
  });
});
