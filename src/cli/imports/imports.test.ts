import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type DnsServer, startDns } from '../../../test/support/dns/dns-server.ts';
import { shlinkOf, startService, token } from '../../../test/support/moving/service-server.ts';
import { emptyPostgresDatabase, noPostgres } from '../../../test/support/postgres/databases.ts';
import { dir, faultIn, run, runProcess } from '../../../test/support/server/command-line.ts';
import { as, type Server, startServer, temporaryFolder } from '../../../test/support/server/server.ts';
import { until } from '../../../test/support/until.ts';

const servers: { close(): void }[] = [];
after(() => {
  for (const server of servers) server.close();
});

function linesIn(out: string) {
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

describe('import read', () => {
  const link = { shortCode: 'a', shortUrl: 'https://s.example/a', longUrl: 'https://e.com/' };
  const visit = { date: '2024-06-01T10:00:00+00:00', referer: '', userAgent: '', potentialBot: false };
  const env = { LINKFOLD_IMPORT_TOKEN: token };

  test('API: reads the token from the environment, a file or stdin; prints data on stdout and counts on stderr', async () => {
    const server = await startService(shlinkOf({ links: [link], visits: { a: [visit] } }));
    servers.push(server);
    const args = ['import', 'read', 'shlink', '--at', server.url];
    const { code, out, err } = await run(args, { env });
    assert.equal(code, 0, err);
    const [head, ...rest] = linesIn(out);
    assert.deepEqual([head.version, head.source, head.instance], [1, 'shlink', server.url]);
    assert.deepEqual(
      rest.map(({ type }) => type),
      ['link', 'visit', 'end'],
    );
    assert.match(err, /^Read 1 link and 1 click; 0 could not be read\.\n$/);
    const path = file('token', `${token}\n`);
    const quiet = await run([...args, '--token-file', path, '--no-clicks', '--json']);
    const none = { visits: 0, buckets: 0, counters: 0, problems: 0, warnings: 0, unusedColumns: {} };
    assert.deepEqual(JSON.parse(quiet.err), { links: 1, ...none });
    assert.equal((await runProcess([...args, '--token-file', '-'], { input: token })).code, 0);
    const refused = await run(args, { env: { LINKFOLD_IMPORT_TOKEN: 'other-secret' } });
    assert.equal(refused.code, 1);
    assert.doesNotMatch(refused.err + refused.out, /other-secret/);
    // A truncated file has no end line.
    assert.deepEqual(
      linesIn(refused.out).map(({ type }) => type),
      ['import'],
    );
  });

  test('databases: reads SQLite files from Chhoto URL and Kutt', async () => {
    const chhoto = new DatabaseSync(join(dir, 'urls.sqlite'));
    chhoto.exec(`CREATE TABLE urls (id INTEGER PRIMARY KEY, short_url TEXT NOT NULL, long_url TEXT NOT NULL, hits INTEGER NOT NULL,
      expiry_time INTEGER, notes TEXT); INSERT INTO urls VALUES (1, 'a', 'https://e.com/a', 7, NULL, 'N')`);
    chhoto.close();
    const one = await run([
      'import',
      'read',
      'chhoto-url',
      '--database',
      join(dir, 'urls.sqlite'),
      '--domain',
      'c.example',
    ]);
    assert.equal(one.code, 0, one.err);
    assert.deepEqual(linesIn(one.out).slice(1, 3), [
      {
        ...{ type: 'link', url: 'https://e.com/a', description: 'N', redirectStatus: 308 },
        ...{ key: 'c.example/a', domain: 'c.example', code: 'a' },
      },
      { type: 'counter', key: 'c.example/a', clicks: 7 },
    ]);
    const older = new DatabaseSync(join(dir, 'older.sqlite'));
    older.exec(`CREATE TABLE urls (id INTEGER PRIMARY KEY AUTOINCREMENT, long_url TEXT NOT NULL, short_url TEXT NOT NULL,
      hits INTEGER NOT NULL); INSERT INTO urls VALUES (1, 'https://e.com/a', 'a', 7)`);
    older.close();
    const fromOlder = await run(
      ['import', 'read', 'chhoto-url', '--database', join(dir, 'older.sqlite'), '--redirect-status', '307'],
      {},
    );
    assert.equal(fromOlder.code, 0, fromOlder.err);
    assert.deepEqual(linesIn(fromOlder.out)[1], {
      ...{ type: 'link', url: 'https://e.com/a', redirectStatus: 307, key: '/a', domain: null, code: 'a' },
    });
    const golink = new DatabaseSync(join(dir, 'golink.db'));
    golink.exec(`CREATE TABLE Links (ID TEXT PRIMARY KEY, Short TEXT, Long TEXT, Created INTEGER, LastEdit INTEGER, Owner TEXT);
      CREATE TABLE Stats (ID TEXT, Created INTEGER, Clicks INTEGER);
      INSERT INTO Links VALUES ('foobar', 'Foo-Bar', 'https://e.com/', 1714979289, 1714979289, 'a@e.com');
      INSERT INTO Stats VALUES ('foobar', 1717236000, 3)`);
    golink.close();
    const fromGolink = await run(['import', 'read', 'golink', '--database', join(dir, 'golink.db')]);
    assert.equal(fromGolink.code, 0, fromGolink.err);
    assert.deepEqual(
      linesIn(fromGolink.out)
        .slice(1, 3)
        .map(({ key, createdAt, at, clicks }) => [key, createdAt ?? at, clicks]),
      [
        ['/foobar', '2024-05-06T07:08:09.000Z', undefined],
        ['/foobar', '2024-06-01T10:00:00.000Z', 3],
      ],
    );
    const kutt = new DatabaseSync(join(dir, 'kutt.sqlite'));
    kutt.exec(`CREATE TABLE domains (id INTEGER PRIMARY KEY, address TEXT); INSERT INTO domains VALUES (3, 'k.example');
      CREATE TABLE links (id INTEGER PRIMARY KEY, address TEXT, description TEXT, target TEXT, banned BOOLEAN, password TEXT,
        expire_in TEXT, visit_count INTEGER, created_at TEXT, domain_id INTEGER);
      INSERT INTO links VALUES (1, 'a', NULL, 'https://e.com/', 0, '$2a$10$x', NULL, 2, '2024-05-06 07:08:09', 3);
      CREATE TABLE visits (id INTEGER PRIMARY KEY, link_id INTEGER, created_at TEXT, total INTEGER, br_chrome INTEGER, countries TEXT,
        referrers TEXT);
      INSERT INTO visits VALUES (1, 1, '2024-06-01 10:00:00', 2, 2, '{"de":2}', '{"direct":2}')`);
    kutt.close();
    const two = await run(['import', 'read', 'kutt', '--database', join(dir, 'kutt.sqlite')]);
    assert.equal(two.code, 0, two.err);
    const [, read, , bucket] = linesIn(two.out);
    assert.deepEqual(
      [read.domain, read.createdAt, read.lost],
      ['k.example', '2024-05-06T07:08:09.000Z', ['password']],
    );
    assert.doesNotMatch(two.out, /\$2a/);
    const by = { country: { DE: 2 }, referrer: { '': 2 }, browser: { chrome: 2 } };
    assert.deepEqual(bucket, {
      type: 'bucket',
      key: '1',
      at: '2024-06-01T10:00:00.000Z',
      unit: 'hour',
      clicks: 2,
      by,
    });
    for (const path of [file('none.sqlite', 'no database'), join(dir, 'nowhere.sqlite')]) {
      const bad = await run(['import', 'read', 'kutt', '--database', path]);
      assert.equal(bad.code, 1);
      assert.match(bad.err, /Could not read the database: /);
    }
  });

  test('reads a Kutt PostgreSQL database in several fetches, and shows its URL in no message', async (t) => {
    const missing = await noPostgres();
    if (missing !== undefined) return t.skip(missing);
    const url = new URL(await emptyPostgresDatabase());
    url.searchParams.delete('durability');
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(`CREATE TABLE domains (id int PRIMARY KEY, address text);
      CREATE TABLE links (id serial PRIMARY KEY, address text, description text, target text, banned boolean, password text,
        expire_in timestamptz, visit_count int, created_at timestamptz, domain_id int);
      CREATE TABLE visits (id serial PRIMARY KEY, link_id int, created_at timestamptz, total int, br_chrome int, countries json,
        referrers json);
      INSERT INTO links (address, target, banned, visit_count, created_at)
        SELECT 'k' || n, 'https://e.com/', false, 2, '2024-05-06T07:08:09Z' FROM generate_series(1, 2500) n;
      INSERT INTO visits (link_id, created_at, total, br_chrome, countries, referrers)
        VALUES (1, '2024-06-01T10:00:00Z', 2, 2, '{"de":2}', '{"direct":2}')`);
    await client.end();
    const args = ['import', 'read', 'kutt'];
    const { code, out, err } = await run(args, { env: { LINKFOLD_IMPORT_DATABASE: url.href } });
    assert.equal(code, 0, err);
    assert.match(err, /Read 2,500 links and 1 sum; 0 could/);
    const { createdAt, key } = linesIn(out)[1];
    assert.deepEqual([key, createdAt], ['1', '2024-05-06T07:08:09.000Z']);
    const umami = new pg.Client({ connectionString: url.href });
    await umami.connect();
    const [link, session] = ['0c7e0000-0000-4000-8000-000000000001', '0c7e0000-0000-4000-8000-000000000002'];
    await umami.query(`CREATE TABLE link (link_id uuid PRIMARY KEY, name text, url text, slug text, created_at timestamptz, deleted_at timestamptz);
      CREATE TABLE session (session_id uuid PRIMARY KEY, browser text, os text, device text, country char(2), region text, language text);
      CREATE TABLE website_event (website_id uuid, session_id uuid, created_at timestamptz, referrer_domain text, event_type int);
      INSERT INTO link VALUES ('${link}', 'N', 'https://e.com/', 'sale', '2024-05-06T07:08:09Z', NULL);
      INSERT INTO session VALUES ('${session}', 'crios', 'iOS', 'mobile', 'DE', 'DE-BY', 'de');
      INSERT INTO website_event VALUES ('${link}', '${session}', '2024-06-01T10:00:00Z', 'r.example', 3),
        ('${link}', '${session}', '2024-06-01T10:00:00Z', '', 2), ('${session}', '${session}', '2024-06-01T10:00:00Z', '', 1)`);
    await umami.end();
    const links = await run(['import', 'read', 'umami'], { env: { LINKFOLD_IMPORT_DATABASE: url.href } });
    assert.equal(links.code, 0, links.err);
    const [, sale, visit, ...others] = linesIn(links.out);
    assert.deepEqual([sale.key, sale.code, sale.createdAt], [link, 'sale', '2024-05-06T07:08:09.000Z']);
    assert.deepEqual(
      [visit.key, visit.country, visit.region, visit.browser, visit.at],
      [link, 'DE', 'BY', 'chrome', '2024-06-01T10:00:00.000Z'],
    );
    assert.equal(others.length, 1);
    url.pathname = '/nowhere';
    const away = await run(args, { env: { LINKFOLD_IMPORT_DATABASE: url.href } });
    assert.match(away.err, /Could not read the database: 3D000/);
    assert.ok(!away.err.includes(url.password === '' ? url.host : url.password));
  });

  test('files: reads links and clicks, reports unreadable parts and used columns', async () => {
    const links = file('url.csv', 'keyword,url\na,https://e.com/a\nb,\n');
    const clicks = file('log.csv', 'click_time,shorturl\n2024-06-01 10:00:00,a\nsoon,a\n');
    const { code, out, err } = await run(['import', 'read', 'yourls', '--links', links, '--clicks', clicks]);
    assert.equal(code, 1);
    assert.match(
      err,
      /Read 1 link and 1 click; 2 could not be read\. See the lines with the type "problem"\./,
    );
    assert.deepEqual(linesIn(out).at(-1), {
      type: 'end',
      links: 1,
      visits: 1,
      buckets: 0,
      counters: 0,
      problems: 2,
      warnings: 0,
    });
    const key = { LINKFOLD_IMPORT_TOKEN: 'x', LINKFOLD_IMPORT_DATABASE: '' };
    const nowhere = await run(['import', 'read', 'kutt', '--at', 'http://127.0.0.1:9'], { env: key });
    assert.match(nowhere.err, /^Kutt's API returns only the links of the key's user\./);
    const bitly = await run(['import', 'read', 'bitly', '--links', '-'], {
      input: 'Link,Custom Link,Destination URL\nhttps://bit.ly/1,https://bit.ly/x,https://e.com/\n',
    });
    assert.equal(bitly.code, 0, bitly.err);
    assert.match(bitly.err, /short is in the column "Custom Link", "Link"/);
    const { code: printed, aliases, redirectStatus } = linesIn(bitly.out)[1];
    assert.deepEqual([printed, aliases, redirectStatus], ['x', ['1'], 301]);
    const input = 'Back half,Long URL\nx,https://e.com/x\n';
    const args = [
      'import',
      'read',
      'csv',
      '--links',
      '-',
      '--column',
      'code=Back half',
      '--domain',
      'c.example',
    ];
    const table = await run(args, { input });
    assert.equal(table.code, 0, table.err);
    assert.match(table.err, /code is in the column "Back half"\nurl is in the column "Long URL"/);
    assert.equal(linesIn(table.out)[1].key, 'c.example/x');
  });

  test('says what is missing and how to fix it', async () => {
    const cases: [string[], RegExp][] = [
      [['tinyurl'], /Unknown source "tinyurl"\. Sources: bitly, /],
      [['__proto__'], /Unknown source/],
      [['shlink'], /Specify the URL of Shlink: --at/],
      [['shlink', '--at', 's.example'], /Specify the URL of Shlink: --at/],
      [['dub'], /No token\. Set LINKFOLD_IMPORT_TOKEN, or pass --token-file/],
      [['dub', '--token-file', '/nowhere'], /Could not read the token: no such file/],
      [['polr'], /Polr has no API to read from\. Pass --links/],
      [['csv'], /The file has no API|Pass --links/],
      [['dub', '--clicks', 'x.csv'], /Dub files contain no clicks/],
      [['yourls', '--database', 'x'], /Reading the YOURLS database is not supported/],
      [['kutt', '--database', 'postgres://me:pw@db/kutt'], /Set LINKFOLD_IMPORT_DATABASE to the URL/],
      [['kutt', '--zone', 'Nowhere'], /Specify an IANA time zone/],
      [['csv', '--column', 'colour=x'], /Fields: url, short, code/],
    ];
    for (const [args, message] of cases) {
      const ended = await run(['import', 'read', ...args, '--json']);
      assert.equal(ended.code, 2, args.join(' '));
      assert.match(faultIn(ended).message, message);
    }
    const away = await run(['import', 'read', 'dub', '--at', 'file:///etc/passwd'], { env });
    assert.match(away.err, /not an http or https URL/);
    const closed = await run(['import', 'read', 'dub', '--at', 'http://127.0.0.1:1'], { env });
    assert.deepEqual([away.code, closed.code], [1, 3]);
  });
});

describe('import check', () => {
  let server: Server;
  before(async () => {
    server = await startServer({ LINK_QUOTAS: 'free=2' });
  });
  after(() => server.stop());
  const head = {
    type: 'import',
    version: 1,
    source: 'shlink',
    instance: null,
    readAt: '2026-06-01T00:00:00.000Z',
  };
  const end = { type: 'end', links: 0, visits: 0, buckets: 0, counters: 0, problems: 0 };
  const link = (code: string, more = {}) => ({
    type: 'link',
    key: `${code}-key`,
    domain: null,
    code,
    url: 'https://e.com/',
    ...more,
  });
  const checked = async (lines: readonly unknown[], ...args: string[]) => {
    const { key } = await server.newKey();
    const env = { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key };
    const host = `x${Date.now().toString(36)}.example`;
    await as(server, key).post('/api/v1/domains', { host, codes: 'exact' });
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const input = text.replaceAll('exact.example', host);
    const ended = await run(['import', 'check', '-', ...args], { env, input });
    return { ...ended, total: (await as(server, key).get('/api/v1/links')).json.pagination.total };
  };

  test('accepts a file without problems', async () => {
    const day = { type: 'bucket', key: 'sale-key', at: '2026-01-01T00:00:00.000Z', unit: 'day', clicks: 5 };
    const { code, out, err, total } = await checked([head, link('sale'), day, end]);
    assert.equal(code, 0, err);
    assert.equal(
      out,
      '1 link and 5 clicks; 0 could not be read from the source.\nthe default domain: 1 link\n',
    );
    assert.equal(total, 0);
  });

  test('repeats unused columns and omitted values; counts clicks as `apply` does', async () => {
    const day = { type: 'bucket', key: 'sale-key', at: '2026-01-01T00:00:00.000Z', unit: 'day', clicks: 5 };
    const counter = (key: string, clicks: number) => ({ type: 'counter', key: `${key}-key`, clicks });
    const notices = [
      { type: 'warning', where: 'links line 2', column: 'Created', reason: '"soon" is not a date' },
      { type: 'unused', where: 'links', columns: ['Ordner', 'Schlag\u001b[31mworte'] },
    ];
    const bad = link('bad', { url: 'ftp://e.com' });
    const lines = [head, link('sale'), link('autumn'), bad, day, counter('sale', 7), counter('autumn', 15)];
    const { code, out } = await checked([...lines, counter('bad', 9), ...notices, end]);
    assert.equal(code, 1);
    assert.match(out, /^3 links and 22 clicks; 0 could not be read from the source\.\n/);
    assert.match(out, /\nUnused columns: Ordner, Schlagworte \(links\)\n/);
    assert.match(
      out,
      /\n1 value could not be read and will be left out:\n {2}links line 2, Created: "soon" is not a date\n/,
    );
    assert.match(out, /\n9 clicks on rejected links\.\n/);
    const taken = [head, link('sale'), counter('sale', 7), notices[1], end];
    assert.deepEqual([(await checked(taken)).code, (await checked(taken, '--strict')).code], [0, 2]);
    const json = JSON.parse((await checked([...lines, ...notices, end], '--json')).out);
    const { clicks, clicksOfRefusedLinks, unusedColumns, warnings } = json;
    assert.deepEqual(
      [clicks, clicksOfRefusedLinks, Object.keys(unusedColumns), warnings.count],
      [22, 0, ['links'], 1],
    );
  });

  test('reports collisions, codes that need exact case, rejections by reason, losses and orphan clicks', async () => {
    const { code, out } = await checked(
      [
        head,
        ...[
          link('Sale', { lost: ['password'] }),
          link('sale', { key: 'other' }),
          link('sale', { key: 'third' }),
        ],
        ...[
          link('a.b'),
          link('login'),
          link('ok-1', { url: 'ftp://e.com' }),
          link('ok-2', { tags: ['x'.repeat(99)] }),
        ],
        ...[link('ok-3', { url: 'https://me:pw@e.com/', title: 'x'.repeat(300) }), link('b c')],
        // A duplicate line, as if the source had been read twice.
        link('ok-3'),
        ...[
          link('Sale', { key: 'e1', domain: 'exact.example' }),
          link('sale', { key: 'e2', domain: 'exact.example' }),
        ],
        link('Sale', { key: 'e3', domain: 'unknown.example' }),
        { type: 'visit', key: 'nowhere', at: '2026-01-01T00:00:00.000Z' },
        ...['{"type":"link"}', 'no json', end],
      ],
      '--json',
    );
    assert.equal(code, 1);
    const report = JSON.parse(out);
    const counts = Object.entries<{ count: number }>(report.refused).map(([name, { count }]) => [
      name,
      count,
    ]);
    assert.deepEqual(Object.fromEntries(counts), {
      ...{
        CUSTOM_CODE_TAKEN: 2,
        INVALID_CUSTOM_CODE: 2,
        CUSTOM_CODE_RESERVED: 1,
        INVALID_URL: 2,
        REPEATED_KEY: 1,
        UNREAD_LINE: 2,
      },
    });
    assert.equal(report.mended.count, 3);
    assert.match(
      report.mended.examples.join(),
      /Sale-key: password: .*ok-2-key: tags: .*ok-3-key: title: cut/,
    );
    const found = report.domains.map(({ codes, links, taken, needExact }: Record<string, unknown>) => [
      codes,
      links,
      taken,
      needExact,
    ]);
    assert.deepEqual(found, [
      // Three codes would be valid if the domain's codes were exact: "sale" (next to "Sale"), "a.b", and the reserved
      // word "login".
      ['folded', 9, 2, 3],
      ['exact', 2, 0, 0],
      [null, 1, 0, 0],
    ]);
    assert.deepEqual(report.lost, { password: { count: 1, examples: ['Sale-key'] } });
    assert.deepEqual([report.links, report.clicksOfUnknownLinks, report.isWhole], [12, 1, true]);
    assert.match(
      report.refused.UNREAD_LINE.examples.join(),
      /line 16: key: .*,line 17: the line is not valid JSON/,
    );
  });

  test("reports the plan's limits and its links' lifetime", async () => {
    const { key } = await server.newKey({ plan: 'free' });
    await as(server, key).post('/api/v1/shorten', { url: 'https://e.com/' });
    const input = [head, link('one'), link('two'), link('three'), end]
      .map((line) => JSON.stringify(line))
      .join('\n');
    const env = { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key };
    const { code, out } = await run(['import', 'check', '-'], { env, input });
    assert.equal(code, 1);
    assert.match(
      out,
      /\n2 links over the plan's limit\.\nNew links created with this key expire after 15 days\.\n/,
    );
  });

  test('rejects a truncated file and an unknown format', async () => {
    const cut = await checked([head, link('sale')]);
    assert.equal(cut.code, 1);
    assert.match(cut.err, /The file is incomplete\. Run "linkfold import read" again/);
    for (const lines of [['url,code'], [{ ...head, version: 2 }], [link('sale')]]) {
      const odd = await checked(lines);
      assert.equal(odd.code, 2);
      assert.match(odd.err, /The file is not in the import format/);
    }
  });
});

describe('import apply', () => {
  let server: Server;
  before(async () => {
    server = await startServer({ TAG_LIMIT: '4' });
  });
  after(async () => {
    await server.stop();
  });
  const head = {
    ...{ type: 'import', version: 1, source: 'shlink', instance: null, readAt: '2026-06-01T09:00:00.000Z' },
  };
  const link = (code: string, more: object = {}) => ({
    ...{ type: 'link', key: `s/${code}`, domain: null, code, url: 'https://e.com/', ...more },
  });
  const end = { type: 'end', links: 0, visits: 0, buckets: 0, counters: 0, problems: 0 };
  const textOf = (lines: readonly (object | string)[]): string =>
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const account = async () => ({ LINKFOLD_URL: server.url, LINKFOLD_API_KEY: (await server.newKey()).key });

  test('imports links and clicks from a service; reports, lists and undoes the import', async () => {
    const env = await account();
    const service = await startService(
      shlinkOf({
        links: [{ shortCode: 'apply-a', shortUrl: 'https://s.example/apply-a', longUrl: 'https://e.com/' }],
        visits: {
          'apply-a': [{ date: '2024-06-01T10:00:00+00:00', referer: '', userAgent: '', potentialBot: false }],
        },
      }),
    );
    servers.push(service);
    const read = await run(['import', 'read', 'shlink', '--at', service.url], {
      env: { LINKFOLD_IMPORT_TOKEN: token },
    });
    const lines = read.out.replaceAll('"s.example"', 'null');
    const path = file('apply.ndjson', lines);
    const taken = await run(['import', 'apply', path], { env });
    assert.match(taken.err, /Imported 1 link and 1 click; 0 unchanged; 0 rejected\.\n$/);
    const again = await run(['import', 'apply', path, '--json'], { env });
    assert.equal(JSON.parse(again.out).counts.unchanged, 1);
    const third = await run(['import', 'apply', path], { env });
    assert.match(third.err, /Imported 0 links and 0 clicks; 1 unchanged; 0 rejected\.\n$/);
    const report = await run(['import', 'report'], { env });
    assert.match(
      report.out,
      /^line,key,code,outcome,reason,linkId\r?\n1,.*apply-a,unchanged,The link was already imported\./,
    );
    const [, , first] = JSON.parse((await run(['import', 'list', '--json'], { env })).out);
    const undone = await run(['import', 'undo', first.id], { env });
    assert.equal(undone.err, 'Undid 1 link; kept 0 that were changed or deleted since.\n');
    assert.match((await run(['import', 'status', first.id], { env })).out, /undone/);
  });

  test('reads, previews, confirms and imports in one run; a second run continues with the saved data', async () => {
    const env = { ...(await account()), LINKFOLD_IMPORT_TOKEN: token };
    const links = ['one-a', 'one-b'].map((shortCode) => ({
      ...{ shortCode, shortUrl: `https://s.example/${shortCode}`, longUrl: 'https://e.com/' },
    }));
    const service = await startService(shlinkOf({ links, visits: {} }));
    servers.push(service);
    const args = ['import', 'shlink', '--at', service.url, '--into', '127.0.0.1'];
    const wrong = await run(args, { env: { ...env, LINKFOLD_IMPORT_TOKEN: 'other' } });
    assert.equal(wrong.code, 1);
    const kept = join(dir, 'linkfold-import-shlink.ndjson');
    assert.ok(!existsSync(kept));
    const asked = await run(args, { env });
    assert.equal(asked.code, 2, asked.err);
    assert.match(asked.err, /requires a terminal\. To skip confirmation, pass --yes/);
    assert.match(asked.out, /^2 links and 0 clicks.*\ns\.example: 2 links; not a domain of the account yet/);
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    const before = service.asked.length;
    const taken = await run([...args, '--yes'], { env });
    assert.deepEqual([taken.code, service.asked.length], [0, before], taken.err);
    assert.match(taken.err, /Continuing with.*\n.*Imported 2 links and 0 clicks/s);
    assert.ok(!existsSync(kept));
    const again = await run(['import', 'from', ...args.slice(1), '--yes', '--json'], { env });
    assert.equal(JSON.parse(again.out).counts.unchanged, 2);
    assert.match(
      (await run(['import', 'nothing', '--yes'], { env })).err,
      /Unknown source "nothing"\. Sources: bitly/,
    );
  });

  test('continues a truncated file where it ended, and reports unreadable lines', async () => {
    const env = await account();
    const codes = Array.from({ length: 1_500 }, (_, at) => `bulk-${at}`);
    const cut = [head, ...codes.slice(0, 1_200).map((code) => link(code))];
    const first = await run(['import', 'apply', '-'], { env, input: textOf(cut) });
    assert.equal(first.code, 1);
    assert.match(first.err, /read" again\. So far: Imported 1,200 links/);
    const whole = [...cut, 'no json', '[]', ...codes.slice(1_200).map((code) => link(code)), end];
    const rest = await run(['import', 'apply', '-', '--json'], { env, input: textOf(whole) });
    assert.equal(rest.code, 1);
    assert.match(rest.err, /Continuing after line 1200/);
    const { counts, position } = JSON.parse(rest.out);
    assert.deepEqual([counts.taken, counts.refused, counts.skipped, position], [1_500, 2, 0, 1_503]);
    const odd = await run(['import', 'apply', '-'], { env, input: 'url,code' });
    assert.equal(odd.code, 2);
  });

  test('apply and undo continue after a server restart: each line is processed once', async () => {
    const data = temporaryFolder('killed');
    let killed = await startServer({}, data);
    const { key } = await killed.newKey();
    const env = { LINKFOLD_URL: killed.url, LINKFOLD_API_KEY: key };
    const api = as(killed, key);
    const restart = async () => {
      await killed.stop('SIGKILL');
      killed = await startServer({ PORT: String(killed.port) }, data);
    };
    const codes = Array.from({ length: 3_000 }, (_, at) => `kill-${at}`);
    const visits = codes.map((code) => ({ type: 'visit', key: `s/${code}`, at: '2025-01-01T10:00:00.000Z' }));
    const path = file('killed.ndjson', textOf([head, ...codes.map((code) => link(code)), ...visits, end]));
    const applied = run(['import', 'apply', path, '--json'], { env });
    await until('some lines are imported', async () => {
      const [first] = (await api.get('/api/v1/imports')).json.data;
      return first?.position >= 1_000;
    });
    await restart();
    const { code, out, err } = await applied;
    assert.equal(code, 0, err);
    const { id, counts } = JSON.parse(out);
    assert.deepEqual([counts.taken, counts.skipped, counts.clicks], [3_000, 0, 3_000]);
    const clicks = async () =>
      (await api.get('/api/v1/stats?from=2025-01-01&to=2025-01-02&timezone=UTC')).json.data.totals.clicks;
    assert.equal(await clicks(), 3_000);
    const undone = run(['import', 'undo', id], { env });
    await until(
      'the undo began',
      async () => (await api.get(`/api/v1/imports/${id}`)).json.data.state !== 'done',
    );
    await restart();
    assert.match((await undone).err, /Undid 3,000 links; kept 0 that were changed/);
    assert.equal((await api.get('/api/v1/links?limit=1')).json.pagination.total, 0);
    assert.equal(await clicks(), 0);
    await killed.stop();
  });

  test('check reports what apply rejects and drops: reserved words, case twins, destinations, tags', async () => {
    const env = { ...(await account()), TAG_LIMIT: '4' };
    const tags = (...names: string[]) => ({ tags: names });
    const path = file(
      'agree.ndjson',
      textOf([
        head,
        ...[
          link('agree-1', tags('a', 'b', 'c')),
          link('agree-2', tags('C', 'd', 'e')),
          link('agree-3', tags('f')),
        ],
        ...[link('Agree-Twin'), link('agree-twin', { url: 'https://e.com/2' })],
        ...[link('login'), link('api/x'), link('a.b'), link('agree-4', { url: 'mailto:a@e.com' })],
        ...[
          link('agree-5', { title: 'a\nb' }),
          link('agree-6', { aliases: ['agree-1', 'Agree-6', 'login'] }),
        ],
        ...[link('agree-1'), link('agree-1', { url: 'https://e.com/other' }), end],
      ]),
    );
    const checked = JSON.parse((await run(['import', 'check', path, '--json'], { env })).out);
    const applied = await run(['import', 'apply', path, '--json'], { env });
    const { id, counts } = JSON.parse(applied.out);
    const report = await run(['import', 'report', id, '--format', 'ndjson'], { env });
    const keysOf = (outcome: string): string[] =>
      linesIn(report.out).flatMap((line) => (line.outcome === outcome ? line.key : []));
    const refused = Object.values<{ examples: string[] }>(checked.refused).flatMap(
      ({ examples }) => examples,
    );
    const keys = refused.map((example) => example.replace(/:.*/s, ''));
    assert.deepEqual(keys.sort(), keysOf('refused').sort(), report.out);
    assert.equal(checked.tagsBeyondLimit, 2);
    assert.equal(counts.taken, 6);
    assert.equal(keysOf('mended').length, counts.mended);
  });

  test('separates installations with the same row numbers, by their first link or by --source', async () => {
    const env = await account();
    const take = async (code: string, url: string, ...more: string[]) => {
      const [source, policy] = [more.slice(0, 2), more.slice(2)];
      const rows = `id,short_url,long_url,clicks,secret_key,is_disabled,created_at\n1,${code},${url},3,,0,2024-05-06 07:08:09\n`;
      const path = file('polr.csv', rows);
      const read = await run(['import', 'read', 'polr', '--links', path, ...source]);
      assert.equal(read.code, 0, read.err);
      const applied = await run(['import', 'apply', '-', '--json', ...policy], { env, input: read.out });
      const { taken, changed, unchanged, refused, undatedClicks } = JSON.parse(applied.out).counts;
      return { taken, changed, unchanged, refused, undatedClicks };
    };
    const none = { taken: 0, changed: 0, unchanged: 0, refused: 0, undatedClicks: 0 };
    const one = { ...none, taken: 1, undatedClicks: 3 };
    assert.deepEqual(await take('row-a', 'https://e.com/a'), one);
    assert.deepEqual(await take('row-b', 'https://e.com/b'), one);
    assert.deepEqual(await take('row-c', 'https://e.com/c', '--source', 'third'), one);
    assert.deepEqual(await take('row-d', 'https://e.com/d', '--source', 'third'), { ...none, refused: 1 });
    assert.deepEqual(await take('row-c', 'https://e.com/c', '--source', 'third'), { ...none, unchanged: 1 });
    const overwrite = ['--zone', 'UTC', '--on-conflict', 'overwrite'];
    assert.deepEqual(await take('row-a', 'https://e.com/new', ...overwrite), { ...none, changed: 1 });
    const api = as(server, env.LINKFOLD_API_KEY);
    for (const [code, url] of Object.entries({ a: 'new', b: 'b', c: 'c' }))
      assert.equal(
        (await api.get(`/api/v1/links/by-code/row-${code}`)).json.data.destinationUrl,
        `https://e.com/${url}`,
      );
  });
});

describe('import verify', () => {
  let server: Server;
  let dns: DnsServer;
  before(async () => {
    dns = await startDns();
    server = await startServer({ DNS_SERVERS: dns.address });
  });
  after(async () => {
    await server.stop();
    await dns.close();
  });

  test('requests each code at the old host without following redirects, and reports differences', async () => {
    const { key } = await server.newKey();
    const api = as(server, key);
    const env = { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key };
    const here = 'https://example.com/spring';
    const codes = ['verify-same', 'verify-other', 'verify-gone', 'verify-page', 'verify-slow', 'verify-head'];
    for (const customCode of codes) await api.post('/api/v1/shorten', { url: here, customCode });
    let isLimited = true;
    const old = await startService(({ path }) => {
      const to = (location: string) => ({ status: 301, headers: { location } });
      if (path === '/verify-gone') return { status: 404 };
      if (path === '/verify-raw') return to(Buffer.from('https://example.com/grün').toString('latin1'));
      if (path === '/verify-page') return { status: 200, text: 'a page' };
      if (path === '/verify-other') return to('https://example.com/autumn,"x"');
      if (path === '/verify-slow' && isLimited) {
        isLimited = false;
        return { status: 429, headers: { 'retry-after': '0' } };
      }
      return to(here);
    });
    servers.push(old);
    const { code, out, err } = await run(['import', 'verify', '--old', old.url], { env });
    assert.equal(code, 1);
    const [head, ...rows] = out.trim().split('\r\n');
    assert.equal(head, 'code,verdict,status,there,here,reason');
    assert.deepEqual(rows.sort(), [
      `verify-gone,missing,404,,${here},`,
      `verify-other,different,301,"https://example.com/autumn,%22x%22",${here},`,
      `verify-page,no-redirect,200,,${here},`,
    ]);
    assert.match(
      err,
      /Checked 6 codes: 3 equal, 1 different, 1 missing, 1 without redirect, 0 without response\./,
    );
    assert.ok(old.asked.every(({ headers }) => headers['authorization'] === undefined));
    const some = await run(['import', 'verify', '--old', old.url, '--sample', '2', '--all', '--json'], {
      env,
    });
    assert.equal(some.out.trim().split('\r\n').length, 3);
    const host = 'verify.example.com';
    const { id: domainId, records } = (await api.post('/api/v1/domains', { host })).json.data;
    for (const { type, name, value } of records) dns.zone[name] = { [type]: [value] };
    assert.equal((await api.post(`/api/v1/domains/${domainId}/verify`)).json.data.status, 'active');
    for (let at = 0; at < 8; at += 1)
      await api.post('/api/v1/shorten', { url: here, customCode: `verify-of-${at}`, domain: host });
    const within = await run(
      ['import', 'verify', '--old', old.url, '--domain', host, '--sample', '4', '--all'],
      { env },
    );
    assert.match(within.err, /Checked 4 codes: 4 equal/);
    assert.equal(within.out.match(/^verify-of-\d,same,/gm)?.length, 4, within.out);
    const fields = { source: 'csv', readAt: '2026-06-01T09:00:00Z' };
    const { id } = (await api.post('/api/v1/imports', fields)).json.data;
    const line = { type: 'link', key: '/verify-refused', domain: null, code: 'verify-refused' };
    await api.post(`/api/v1/imports/${id}/lines`, {
      position: 0,
      lines: [{ ...line, url: 'mailto:a@e.com' }],
    });
    const raw = 'https://example.com/grün';
    await api.post('/api/v1/shorten', { url: raw, customCode: 'verify-raw' });
    const again = await run(['import', 'verify', '--old', old.url, '--all'], { env });
    assert.match(again.out, /^verify-refused,different,301,https:\/\/example\.com\/spring,,/m);
    assert.match(again.out, /^verify-raw,same,301,/m);
    old.close();
    const closed = await run(
      ['import', 'verify', '--old', 'http://127.0.0.1:1', '--at-once', '32', '--json'],
      { env },
    );
    assert.equal(closed.code, 1);
    assert.match(closed.out, /verify-same,silent,,,/);
    for (const wrong of [
      ['--old', 'ftp://x'],
      ['--old', old.url, '--at-once', '33'],
      ['--old', old.url, '--sample', '0'],
    ])
      assert.equal((await run(['import', 'verify', ...wrong], { env })).code, 2, wrong.join(' '));
  });
});
