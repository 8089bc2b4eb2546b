import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { freePort } from '../../test/support/http/ports.ts';
import {
  dropPostgresDatabase,
  emptyPostgresDatabase,
  noPostgres,
} from '../../test/support/postgres/databases.ts';
import {
  bare,
  dir,
  faultIn,
  good,
  json,
  linkfold,
  run,
  serve,
} from '../../test/support/server/command-line.ts';
import { includable } from '../client/client.ts';
import { ApiError } from '../client/errors.ts';
import { idInToken } from '../model/accounts/keys.ts';
import { createProgram } from './program.ts';
import { Stop } from './terminal/exits.ts';
import { referencesIn, withCode } from './terminal/references.ts';

const withoutPostgres = await noPostgres();

describe('without a server', () => {
  const walk = (command: Command, path: readonly string[] = []): (readonly string[])[] =>
    command.commands.length === 0
      ? [path]
      : command.commands.flatMap((child) => walk(child, [...path, child.name()]));

  test('shows examples and exit codes in the help of every command; every command with a result has --json', async () => {
    const commands = walk(await createProgram());
    assert.ok(commands.length >= 27);
    await Promise.all(
      commands.map(async (path) => {
        const { code, out, err } = await run([...path, '--help']);
        assert.deepEqual([code, err], [0, ''], path.join(' '));
        assert.match(out, /\nExamples:\n {2}\S/);
        assert.match(out, /\nExit codes:\n {2}0 /);
        const isJsonAnyway = ['serve', 'ready', 'openapi', 'completion', 'help'].includes(path.join(' '));
        assert.equal(out.includes('--json '), !isJsonAnyway, path.join(' '));
      }),
    );
    assert.ok((await good(['links', 'list', '--help'])).includes(includable.join(',')));
  });

  test('runs backup and check at a lower priority', async () => {
    const env = { ...bare, DATA_DIR: join(dir, 'polite') };
    await good(['db', 'migrate'], { env });
    for (const work of [`backup ${join(dir, 'polite.db')}`, 'check']) {
      // The command waits for this lock, so that its priority can be read while it runs.
      const held = new DatabaseSync(join(env.DATA_DIR, 'linkfold.db'));
      held.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      const child = spawn(linkfold, ['db', ...work.split(' ')], { cwd: dir, env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      const isPolite = (): boolean => getPriority(child.pid) === constants.priority.PRIORITY_BELOW_NORMAL;
      for (let patience = 1_500; !isPolite() && patience > 0; patience -= 1) await sleep(20);
      assert.ok(isPolite(), work);
      held.close();
      assert.deepEqual(await ended, [0, null], work);
    }
  });

  test('accepts a Unicode code, or its short URL, escaped or not', () => {
    for (const text of ['☕-é', 'https://go.example/%E2%98%95-%C3%A9', 'go.example/☕-é/'])
      assert.equal(referencesIn(text)[0]?.code, '☕-é');
    assert.deepEqual(referencesIn('https://go.example/%E2%98'), []);
  });

  test('accepts a code with slashes, or its short URL', async () => {
    for (const text of ['https://go.example/shop/sale/', 'go.example/shop/sale', 'go.example/shop%2Fsale'])
      assert.deepEqual(referencesIn(text), [{ code: 'shop/sale', host: 'go.example' }]);
    assert.deepEqual(referencesIn('go/sale'), [{ code: 'go/sale' }, { code: 'sale', host: 'go' }]);
    const missing = new ApiError('Link not found.', { status: 404, code: 'LINK_NOT_FOUND' });
    const askFor = (there: string, fault: Error = missing) =>
      withCode('go/sale', async ({ code }) => (code === there ? code : Promise.reject(fault)));
    for (const code of ['go/sale', 'sale']) assert.equal(await askFor(code), code);
    await assert.rejects(askFor('none'), missing);
    await assert.rejects(askFor('sale', new Error('no answer')), /no answer/);
    const absent = ({ code }: { code: string }) => Promise.reject(new Stop(1, code));
    await assert.rejects(withCode('go/sale', absent), /^Stop: go\/sale$/, 'the code as it was typed');
    for (const text of ['shop//sale', 'https://go.example//sale', '/sale'])
      assert.deepEqual(referencesIn(text), [], text);
    // On domains with case-sensitive codes, a code may also contain dots and slashes.
    const url = 'go.example/a/b.c/d/e/f/g';
    assert.deepEqual(referencesIn(url), [{ code: 'a/b.c/d/e/f/g', host: 'go.example' }]);
  });

  test('reports usage errors with one clear message and exit code 2', async () => {
    for (const [args, said] of [
      [['kyes'], /Unknown command "kyes"\. Try: linkfold keys, /],
      [
        ['keys', 'create', '--account', 'a', '--plan', 'gold'],
        /Allowed choices are free, starter, pro, enterprise/,
      ],
      [
        ['keys', 'create', '--account', 'a', '--scopes', 'links:all'],
        /Allowed scopes: links:read, links:write/,
      ],
      [['keys', 'create', '--account', 'a', '--expires', '2020-01-01'], /in the past/],
      [['keys', 'create', '--account', ' '], /1 to 100 characters/],
      [['keys', 'rotate', 'x', '--grace', 'soon'], /30m, 24h or 7d/],
      [['keys', 'check', join(dir, 'nothing')], /Could not read .+: no such file or directory \(ENOENT\)\./],
      [
        ['links', 'get', 'x'],
        /No API key for http.*: linkfold login .* set LINKFOLD_API_KEY.* linkfold keys create --account NAME$/m,
      ],
      [
        ['links', 'get', 'x', '--key-file', join(dir, 'nothing')],
        /Could not read the key file .+: no such file or directory \(ENOENT\)\./,
      ],
      [
        ['links', 'update', 'x', '--password-file', join(dir, 'nothing')],
        /Could not read the file .+nothing\./,
      ],
      // An empty shell variable must not remove a password by mistake.
      [['links', 'update', 'x', '--password-file', ''], /Specify the path of a file, or - for stdin/],
      [['shorten'], /Specify either a URL or --file/],
      [['links', 'update', 'x'], /Nothing to change/],
      [['links', 'list', '--limit', '0'], /Specify an integer from 1 to 100\./],
      [['clicks', '--limit', '1001'], /Specify an integer from 1 to 1000\./],
      [['links', 'delete'], /missing required argument 'links'/],
      [['links', 'upsert', '', 'https://e.com/'], /other than "", "\."/],
      [['shares', 'delete', '..'], /other than "", "\."/],
    ] as const) {
      const { code, out, err } = await run(args);
      assert.deepEqual([code, out], [2, ''], args.join(' '));
      assert.match(err, said);
      assert.match(err, /^error: [^\n]+\n$/);
      const asJson = await run([...args, '--json']);
      const fault = faultIn(asJson);
      assert.deepEqual(
        [asJson.code, asJson.out, fault.code, Object.keys(fault)],
        [2, '', 'USAGE', ['code', 'message']],
      );
      assert.match(fault.message, said);
    }
    assert.equal((await run([])).code, 2);
    const both = { LINKFOLD_API_KEY: 'a', LINKFOLD_API_KEY_FILE: 'b' };
    assert.match((await run(['links', 'list'], { env: both })).err, /are both set\. Unset one/);
    const badKey = await run(['links', 'list'], { env: { LINKFOLD_API_KEY: 'lfk_secret word' } });
    assert.deepEqual([badKey.code, badKey.err.includes('secret')], [2, false]);
  });

  test('rejects an invalid entry in BLOCKED_HOSTS at startup', async () => {
    const env = { BLOCKED_HOSTS: 'evil.example, https://evil.example' };
    for (const command of ['serve', 'config']) {
      const { code, err } = await run([command], { env });
      assert.equal(code, 2);
      assert.match(
        err,
        /^error: BLOCKED_HOSTS contains "https:\/\/evil.example", which is not a host such as /m,
      );
    }
  });

  test('exits with 3 if the server is unreachable', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const env = { LINKFOLD_API_KEY: 'k' };
    const { code, err } = await run(['links', 'list', '--server', url], { env });
    assert.deepEqual([code, err], [3, `error: Cannot reach ${url}: ECONNREFUSED.\n`]);
    const asJson = await run(['links', 'list', '--server', url, '--json'], { env });
    assert.equal(asJson.code, 3);
    assert.deepEqual(faultIn(asJson), {
      code: 'UNREACHABLE',
      message: `Cannot reach ${url}: ECONNREFUSED.`,
    });
  });

  test('config shows every setting with its source and masks secrets', async () => {
    const secretFile = join(dir, 'secret');
    const token = await good(['keys', 'generate']);
    writeFileSync(secretFile, token);
    const env = { PORT: '8080', BOOTSTRAP_API_KEY_FILE: secretFile };
    const settings: { name: string; value: string; source: string }[] = await json(['config'], { env });
    const facts = Object.fromEntries(settings.map(({ name, value, source }) => [name, `${source} ${value}`]));
    assert.equal(facts.PORT, 'environment 8080');
    assert.equal(facts.HOST, 'default 127.0.0.1');
    assert.equal(facts.BOOTSTRAP_API_KEY, 'file ********');
    const table = await good(['config'], { env });
    assert.match(table, /^SETTING +VALUE +FROM +MEANING\n/);
    assert.ok(!table.includes(token.trim()) && !table.includes('\u001b'));
    assert.equal(table.split('\n').length - 2, settings.length);
  });

  test('reports all problems with the settings at once, one per line', async () => {
    const env = { PORT: 'x', LOG_LEVEL: 'loud', TRUST_PROXY: '?' };
    for (const args of [['config'], ['serve'], ['keys', 'list'], ['db', 'status']]) {
      const { code, err } = await run(args, { env });
      assert.equal(code, 2);
      assert.equal(err.match(/^error: (PORT|LOG_LEVEL|TRUST_PROXY) must be .+$/gm)?.length, 3, err);
      if (args[0] === 'serve') continue;
      const { code: kind, message } = faultIn(await run([...args, '--json'], { env }));
      assert.deepEqual([kind, message.split('\n').length], ['USAGE', 3]);
    }
  });

  test('keys generate prints a key in our format', async () => {
    const token = (await good(['keys', 'generate'])).trim();
    assert.notEqual(idInToken(token), undefined);
    const { id, key } = await json(['keys', 'generate']);
    assert.equal(idInToken(key), id);
    assert.ok(!existsSync(bare.DATA_DIR));
  });

  test('keys check finds keys by format and checksum, and never prints them', async () => {
    const token = (await good(['keys', 'generate'])).trim();
    const almost = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    const clear = await run(['keys', 'check'], {
      input: `${almost}\nlfk_${token.slice(5)}\nlfk_\nnothing\n`,
    });
    assert.deepEqual([clear.code, clear.out], [0, '']);

    const input = `first line\r\nAPI_KEY="${token}"; ${almost}\n`;
    const found = await run(['keys', 'check', '-', '--json'], { input });
    assert.equal(found.code, 1);
    assert.deepEqual(JSON.parse(found.out), [
      { file: '-', line: 2, column: 10, id: idInToken(token), state: 'not checked' },
    ]);
    const path = join(dir, 'leak.txt');
    writeFileSync(path, input);
    const table = await run(['keys', 'check', path]);
    assert.equal(table.code, 1);
    assert.ok(table.out.includes(`${path}:2:10`) && !(table.out + table.err).includes(token));
    assert.ok(!existsSync(bare.DATA_DIR), 'checking created no database');
  });

  test('keys check finds a key between any characters, in UTF-16, and in a line without an end', async () => {
    const token = (await good(['keys', 'generate'])).trim();
    const id = idInToken(token);
    const disguises = [
      `Authorization: Bearer%20${token}`,
      JSON.stringify({ log: `first\n${token}\nlast` }),
      `MY_${token}`,
      `${token}_old and ${token}abc`,
      `lfk_lfk_${token}`,
      `https://example.com/?key=${token}&x=1`,
      `"key":"${token}"`,
      'x'.repeat(70_000) + token + 'y'.repeat(70_000),
    ];
    for (const text of disguises) {
      const found = await run(['keys', 'check', '--json'], { input: `one\r\n${text}\nlast` });
      assert.equal(found.code, 1, text.slice(0, 40));
      const [first, ...others] = JSON.parse(found.out);
      assert.deepEqual([first.line, first.column, first.id], [2, text.indexOf(token) + 1, id]);
      assert.equal(others.length, text.split(token).length - 2);
    }
    const wide = await run(['keys', 'check', '--json'], {
      input: Buffer.from(`\ufeffa\n${token}\n`, 'utf16le'),
    });
    assert.deepEqual(JSON.parse(wide.out)[0]?.line, 2);
    // Keys on adjacent lines, across many chunks of input. The position of each key is reported.
    const many = Array.from({ length: 5_000 }, (_, at) => `${'-'.repeat(at % 97)}${token}`);
    const all = await run(['keys', 'check', '--json'], { input: many.join('\n') });
    const places = JSON.parse(all.out).map(({ line, column }: { line: number; column: number }) => [
      line,
      column,
    ]);
    assert.deepEqual(
      places,
      many.map((text, at) => [at + 1, text.indexOf('lfk') + 1]),
    );
  });

  test('shows help and version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    for (const flag of ['--version', '-V']) assert.equal(await good([flag]), `${version}\n`);
    assert.equal(await good(['help']), await good(['--help']));
    assert.equal(await good(['help', 'links']), await good(['links', '--help']));
    assert.equal(await good(['help', 'shorten']), await good(['shorten', '--help']));
    const { code, err } = await run(['help', 'links', 'shorter']);
    assert.deepEqual(
      [code, err],
      [
        2,
        'error: Unknown command "links shorter". Try: linkfold links share, linkfold links shares, linkfold links get.\n',
      ],
    );
    const group = await run(['links']);
    assert.deepEqual([group.code, group.out], [2, '']);
    assert.match(group.err, /^Usage: linkfold links /);
  });

  test('creates a database only with serve and db migrate; each command says which one it opened', async () => {
    const data = join(dir, 'elsewhere');
    const env = { DATA_DIR: data };
    const file = join(data, 'linkfold.db');
    const opening = [
      ['keys', 'create', '--account', 'a'],
      ['keys', 'list', '--account', 'a'],
      ['accounts', 'create', 'a'],
      ['accounts', 'list'],
      ['accounts', 'suspend', 'a'],
    ];
    for (const args of opening) {
      const { code, out, err } = await run(args, { env });
      assert.deepEqual([code, out], [2, ''], args.join(' '));
      assert.match(
        err,
        new RegExp(`^error: There is no Linkfold database at ${file}\\. .*DATA_DIR or DATABASE_URL\\.\n$`),
      );
      assert.equal(faultIn(await run([...args, '--json'], { env })).code, 'USAGE');
      assert.ok(!existsSync(data), args.join(' '));
    }
    // If a file exists but cannot be opened, the error does not claim that the file is missing.
    symlinkSync('loop.db', join(dir, 'loop.db'));
    const refused = await run(['keys', 'list'], { env: { DATABASE_URL: `sqlite:${join(dir, 'loop.db')}` } });
    assert.match(
      refused.err,
      /Could not open the database .+loop\.db: the path contains a loop of symbolic links \(ELOOP\)\.\n$/,
    );
    assert.equal(refused.code, 3);
    const migrated = await run(['db', 'migrate'], { env });
    assert.match(migrated.err, new RegExp(`^Database: ${file}\n`));
    for (const args of [
      ...opening.slice(0, 2),
      ['db', 'status'],
      ['db', 'check'],
      ['db', 'backup', join(dir, 'else.db')],
    ]) {
      assert.ok((await run(args, { env })).err.startsWith(`Database: ${file}\n`), args.join(' '));
      const { err } = await run(
        [...args.slice(0, 2), '--json', ...args.slice(2), '--overwrite'].filter(
          (word) => word !== '--overwrite' || args[1] === 'backup',
        ),
        { env },
      );
      assert.ok(!err.includes('Database'), args.join(' '));
    }
    const away = { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/links' };
    const { code, err } = await run(['db', 'check'], { env: away });
    assert.equal(code, 3);
    assert.ok(err.startsWith('Database: postgres://me@127.0.0.1:1/links\n') && !err.includes('hunter2'), err);
  });

  test('reports an empty PostgreSQL database as missing, without its password', {
    skip: withoutPostgres ?? false,
  }, async (t) => {
    const url = new URL(await emptyPostgresDatabase());
    t.after(() => dropPostgresDatabase(url.href));
    const env = { DATABASE_URL: url.href, DATA_DIR: join(dir, 'beside-postgres') };
    const name = `postgres://${url.username}@${url.host}${url.pathname}`;
    const { code, err } = await run(['keys', 'create', '--account', 'a'], { env });
    assert.equal(code, 2);
    assert.ok(err.startsWith(`error: There is no Linkfold database at ${name}.`), err);
    for (const args of [
      ['db', 'migrate'],
      ['keys', 'create', '--account', 'a'],
      ['db', 'check'],
    ]) {
      const ended = await run(args, { env });
      assert.equal(ended.code, 0, ended.err);
      assert.ok(ended.err.startsWith(`Database: ${name}\n`), ended.err);
      assert.ok(url.password === '' || !ended.err.includes(url.password));
    }
    assert.equal((await json(['keys', 'list'], { env })).length, 1);
  });

  test('rejects account names that differ only in case', async () => {
    const env = { DATA_DIR: join(dir, 'names') };
    await good(['db', 'migrate'], { env });
    await good(['accounts', 'create', 'acme'], { env });
    for (const args of [
      ['accounts', 'create', 'Acme'],
      ['keys', 'create', '--account', 'ACME'],
    ]) {
      const { code, err } = await run(args, { env });
      assert.equal(code, 1);
      assert.match(err, /There is already an account "acme", which differs from "A\w+" only in case\./);
    }
    await good(['keys', 'create', '--account', 'acme'], { env });
    for (const args of [
      ['keys', 'list', '--account', 'ACME'],
      ['accounts', 'suspend', 'Acme'],
    ]) {
      const { code, err } = await run(args, { env });
      assert.equal(code, 1);
      assert.match(err, /There is no account "A\w+"\. Did you mean "acme"\?/);
    }
    // Adds an account whose name differs from an existing name only in case, which an older version allowed. Both
    // accounts remain usable.
    const database = new DatabaseSync(join(env.DATA_DIR, 'linkfold.db'));
    database.exec("INSERT INTO accounts (name, created_at) VALUES ('Acme', 1)");
    database.close();
    for (const account of ['acme', 'Acme']) {
      assert.equal((await json(['keys', 'create', '--account', account], { env })).account, account);
    }
  });

  test('openapi prints and writes the same document', async () => {
    const printed = await good(['openapi']);
    assert.match(JSON.parse(printed).openapi, /^3\.1/);
    await good(['openapi', '--out', join(dir, 'openapi.json')]);
    assert.equal(readFileSync(join(dir, 'openapi.json'), 'utf8'), printed);
    assert.equal((await run(['openapi', '--out', join(dir, 'no', 'where')])).code, 1);
  });

  test('does not fail when the reader of its output exits', async () => {
    const child = spawn('/bin/sh', ['-c', `${linkfold} openapi | head -c 10; exit 0`], {
      env: bare as NodeJS.ProcessEnv,
    });
    let err = '';
    child.stderr.on('data', (text) => (err += text));
    await new Promise((resolve) => child.on('close', resolve));
    assert.equal(err, '');
  });
});

describe('with its own server', () => {
  const data = join(dir, 'own');
  let server: ChildProcess;
  let env: Record<string, string>;
  let url: string;

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    env = { DATA_DIR: data, PORT: String(port) };
    await good(['db', 'migrate'], { env });
    const { key } = await json(['keys', 'create', '--account', 'acme'], { env });
    const keyFile = join(dir, 'key');
    writeFileSync(keyFile, `${key}\n`);
    env = { ...env, LINKFOLD_URL: url, LINKFOLD_API_KEY_FILE: keyFile };
    server = await serve(env, url);
  });
  after(() => server.kill('SIGKILL'));

  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    assert.deepEqual(await once(server, 'exit'), [0, null]);
  };

  test('creates 200 links from 200 lines once, however often it runs', async () => {
    const urls = Array.from({ length: 200 }, (_, at) => `https://example.com/${at}?a=${at}&b=ü#f`);
    const file = join(dir, 'urls.txt');
    writeFileSync(file, `${urls.join('\n')}\n`);
    const args = ['shorten', '--file', file, '--batch', 'one'];
    const out = await good(args, { env });
    const pairs = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    assert.deepEqual(
      pairs.map(([, to]) => to),
      urls,
    );
    for (const [shortUrl = '', to = ''] of pairs.slice(0, 10)) {
      const answer = await fetch(shortUrl, { redirect: 'manual' });
      assert.equal(answer.headers.get('location'), new URL(to).href);
    }
    assert.equal(await good(args, { env }), out);
    const all = (await good(['links', 'list', '--all', '--json'], { env })).trim().split('\n');
    assert.equal(all.length, 200);
    assert.equal((await json(['links', 'list', '--limit', '5'], { env })).pagination.total, 200);
  });

  test('creates, changes and deletes a link', async () => {
    const created = await json(['shorten', 'https://example.com/x', '--code', 'Spring', '--title', 'T'], {
      env,
    });
    assert.equal(created.shortUrl, `${url}/Spring`);
    assert.match(
      await good(['links', 'list'], { env }),
      new RegExp(`${created.id} +${url}/Spring +https://example.com/x +0 `),
    );
    const folder = (await good(['folders', 'create', 'Campaign'], { env })).trim();
    await good(['links', 'move', created.id, '--folder', folder], { env });
    assert.equal((await json(['links', 'list', '--folder', folder], { env })).pagination.total, 1);
    await good(
      [
        'links',
        'update',
        created.id,
        '--title',
        '',
        '--expires',
        '2999-01-01',
        '--url',
        'https://example.com/y',
      ],
      { env },
    );
    const { title, expiresAt, destinationUrl, folderId } = await json(['links', 'get', created.id], { env });
    assert.deepEqual(
      { title, expiresAt, destinationUrl, folderId },
      {
        title: null,
        expiresAt: '2999-01-01T00:00:00.000Z',
        destinationUrl: 'https://example.com/y',
        folderId: folder,
      },
    );
    const open = await json(['links', 'update', created.id, '--no-expiry'], { env });
    assert.equal(open.expiresAt, null);
    const secret = join(dir, 'secret.txt');
    writeFileSync(secret, 'open sesame\n');
    await good(['links', 'update', created.id, '--password-file', secret], { env });
    assert.equal((await json(['links', 'get', created.id], { env })).hasPassword, true);
    const given = await fetch(`${url}/Spring`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password: 'open sesame' }),
    });
    assert.equal(given.status, 303, 'without the line break at the end of the file');
    await good(['links', 'update', created.id, '--no-password'], { env });
    assert.equal((await json(['links', 'get', created.id], { env })).hasPassword, false);
    await good(['folders', 'rename', folder, 'Other'], { env });
    assert.match(await good(['folders', 'list'], { env }), /Other +1 /);
    await good(['folders', 'update', 'Other', '--expired-url', 'https://example.com/over'], { env });
    assert.match(
      await good(['folders', 'list'], { env }),
      /EXPIRED URL\n.* Other +1 .* https:\/\/example\.com\/over/,
    );
    await good(['folders', 'update', 'Other', '--name', 'Others', '--expired-url', ''], { env });
    assert.match(await good(['folders', 'list'], { env }), /CREATED\n.* Others +1 /);
    const gone = await run(['folders', 'delete', folder], { env });
    const [again = ''] = gone.err.match(/(?<=linkfold )folders restore \S+/) ?? [];
    assert.match((await run(again.split(' '), { env })).err, /^Restored folder Others with \d+ links?\.\n$/);
    assert.equal((await json(['folders', 'restore', folder], { env })).id, folder);
    await good(['folders', 'delete', folder], { env });
    assert.equal((await json(['links', 'get', created.id], { env })).folderId, null);

    const removal = await run(['links', 'delete', created.id, 'unknown', '--json'], { env });
    assert.equal(removal.code, 1);
    const { failed, ...removed } = JSON.parse(removal.out);
    assert.deepEqual(removed, { deleted: [created.id], left: [] });
    assert.deepEqual(
      [failed[0].link, failed[0].error.code, failed[0].error.status],
      ['unknown', 'LINK_NOT_FOUND', 404],
    );
    assert.deepEqual(faultIn(removal), { code: 'REFUSED', message: '1 of 2 failed.' });
    assert.equal((await run(['links', 'get', created.id], { env })).code, 1);
    assert.equal((await json(['links', 'restore', created.id], { env })).id, created.id);
  });

  test('accepts code, short URL or ID wherever a link is named', async () => {
    const created = await json(['shorten', 'https://example.com/named', '--code', 'Na-Med'], { env });
    const host = url.replace('http://', '');
    const names = ['Na-Med', 'na-med', `${url}/NA-MED`, `${url}/na-med/?x=1#y`, `${host}/na-med`, created.id];
    for (const name of names) {
      assert.equal((await json(['links', 'get', name], { env })).id, created.id, name);
      assert.equal((await json(['links', 'update', name, '--title', name], { env })).title, name);
    }
    const table = await good(['links', 'delete', names[2] ?? ''], { env });
    assert.equal(table, '');
    assert.match(
      await good(['links', 'list', '--deleted'], { env }),
      new RegExp(`${created.id} +${url}/Na-Med +https://example.com/named`),
    );
    for (const name of ['na-med', `${url}/na-med`, created.id]) {
      assert.equal((await json(['links', 'restore', name], { env })).id, created.id);
      const again = await run(['links', 'restore', name], { env });
      assert.deepEqual([again.code, again.out], [1, '']);
      assert.match(again.err, new RegExp(`${url}/Na-Med is not deleted\\.`));
      assert.deepEqual((await json(['links', 'delete', name], { env })).deleted, [created.id]);
    }
    const heir = await json(['shorten', 'https://example.com/heir', '--code', 'na-med'], { env });
    const conflict = await run(['links', 'restore', created.id], { env });
    assert.match(
      conflict.err,
      /"Na-Med" is taken\. Another link in this account uses the code now\. Delete that link first\./,
    );
    assert.match(
      (await run(['links', 'restore', 'na-med'], { env })).err,
      new RegExp(`${url}/na-med is not deleted\\.`),
    );

    await good(['links', 'alias', 'na-med', 'na-too'], { env });
    for (const [name, message] of [
      ['https://bit.ly/na-too', /is not a short URL of this server/],
      ['none/na-too', /Alias not found\./],
    ] as const) {
      const { code, err } = await run(['links', 'unalias', name], { env });
      assert.equal(code, 1, name);
      assert.match(err, message);
    }
    assert.deepEqual(await json(['links', 'unalias', `${host}/NA-too/`], { env }), { removed: 'NA-too' });

    for (const [name, message] of [
      ['..', /"\.\." is not a link\. Specify a code, a short URL or an ID\./],
      ['.', /is not a link/],
      ['a b', /is not a link/],
      [`${url}//a`, /is not a link/],
      [
        'https://bit.ly/na-med',
        new RegExp(
          `https://bit\\.ly/na-med is not a short URL of this server\\. Its short URLs begin with ${url}/\\.`,
        ),
      ],
      ['nothing', /Link not found\./],
    ] as const) {
      for (const verb of ['show', 'rm']) {
        const { code, out, err } = await run(['links', verb, name], { env });
        assert.deepEqual([code, out], [1, ''], name);
        assert.match(err, message);
        assert.doesNotMatch(err, /\n {4}at /);
      }
    }
    assert.match(
      (await run(['links', 'restore', 'nothing'], { env })).err,
      /No deleted link has the code "nothing"\./,
    );
    assert.deepEqual((await json(['links', 'delete', 'na-med'], { env })).deleted, [heir.id]);
  });

  test('lists all deleted links, page by page', async () => {
    const input = Array.from({ length: 25 }, (_, at) => `https://example.com/${at}\tgone-${at}`).join('\n');
    await good(['shorten', '--file', '-'], { env, input });
    const codes = Array.from({ length: 25 }, (_, at) => `gone-${at}`);
    await good(['links', 'delete', ...codes], { env });
    const shown = await run(['links', 'list', '--deleted'], { env });
    assert.match(shown.err, /^There are more links\. To list all links, pass --all\.\n$/);
    assert.equal(shown.out.trim().split('\n').length, 21);
    const all = (await good(['links', 'list', '--deleted', '--all', '--json', '--limit', '10'], { env }))
      .trim()
      .split('\n');
    const found = all.map((line) => JSON.parse(line).shortCode).slice(0, 25);
    assert.deepEqual(found, codes.toReversed());
    assert.equal((await json(['links', 'list', '--deleted', '--limit', '2'], { env })).data.length, 2);
  });

  test("accepts a folder's name or ID; lists the candidates for an ambiguous name", async () => {
    const id = (await good(['folders', 'create', 'Straße'], { env })).trim();
    const created = await json(['shorten', 'https://example.com/f', '--folder', 'straße'], { env });
    assert.equal((await json(['links', 'get', created.id], { env })).folderId, id);
    for (const name of ['Straße', 'STRAßE', ' straße ', id]) {
      assert.equal((await json(['links', 'list', '--folder', name], { env })).pagination.total, 1, name);
    }
    await good(['links', 'move', created.id, '--folder', 'none'], { env });
    assert.deepEqual(await json(['links', 'move', created.shortCode, '--folder', 'Straße'], { env }), {
      moved: [created.id],
      folderId: id,
      failed: [],
      left: [],
    });
    const second = (await good(['folders', 'create', 'Straße'], { env })).trim();
    const third = (await good(['folders', 'create', 'straße'], { env })).trim();
    assert.equal(
      (await json(['links', 'list', '--folder', 'straße'], { env })).pagination.total,
      0,
      'the exact name',
    );
    for (const args of [
      ['links', 'list', '--folder', 'Straße'],
      ['folders', 'delete', 'Straße'],
      ['folders', 'rename', 'Straße', 'x'],
    ]) {
      const { code, out, err } = await run(args, { env });
      assert.deepEqual([code, out], [1, '']);
      assert.match(
        err,
        new RegExp(
          `^error: 2 folders match "Straße"\\. Specify the ID of one: ${id} \\("Straße", 1 link, .*\\); ${second} `,
        ),
      );
      assert.ok(!err.includes(third));
    }
    await good(['folders', 'rename', second, 'Other'], { env });
    await good(['folders', 'delete', 'other'], { env });
    await good(['folders', 'delete', third], { env });
    for (const args of [
      ['shorten', 'https://e.com/', '--folder', 'nowhere'],
      ['folders', 'delete', '..'],
    ]) {
      const { code, err } = await run(args, { env });
      assert.equal(code, 1);
      assert.match(
        err,
        /^error: There is no folder "(nowhere|\.\.)"\. To list all: linkfold folders list\n$/,
      );
    }
    await good(['folders', 'delete', 'Straße'], { env });
    await good(['links', 'delete', created.shortCode], { env });
  });

  test('sets, shows and clears branding', async () => {
    const logo = join(dir, 'logo.png');
    const bytes = Buffer.alloc(33);
    bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10', 'latin1');
    writeFileSync(logo, bytes);
    const set = ['branding', 'update'];
    const first = await json([...set, '--name', 'Acme', '--accent', 'FD0', '--logo', logo], { env });
    assert.deepEqual([first.name, first.accent, first.message], ['Acme', '#ffdd00', null]);
    assert.equal(first.logo, `data:image/png;base64,${bytes.toString('base64')}`);
    const second = await json([...set, '--message', 'Over.', '--name', ''], { env });
    assert.deepEqual({ ...second, updatedAt: '' }, { ...first, name: null, message: 'Over.', updatedAt: '' });
    assert.equal(
      await good(['branding', 'get'], { env }),
      'accent: #ffdd00\nmessage: Over.\nlogo: image/png, 33 bytes\n',
    );
    assert.equal((await json(['branding', 'delete'], { env })).updatedAt, null);
    writeFileSync(logo, Buffer.alloc(32_769));
    writeFileSync(join(dir, 'no.png'), 'GIF89a');
    for (const [args, code, sentence] of [
      [[...set], 2, /Nothing to change\. Specify at least one of --name, /],
      [[...set, '--logo', logo], 2, /is larger than 32 KiB/],
      [[...set, '--logo', join(dir, 'none.png')], 2, /Could not read .+none\.png: /],
      [[...set, '--logo', join(dir, 'no.png')], 2, /no\.png is not a PNG or WebP image\./],
      [[...set, '--contact', 'acme.example'], 1, /^error: --contact must be a URL such as mailto:/],
    ] as const) {
      const { code: ended, err } = await run(args, { env });
      assert.equal(ended, code, err);
      assert.match(err, sentence);
    }
  });

  test('translates server errors into options and commands', async () => {
    await good(['shorten', 'https://e.com/', '--code', 'worded', '--tag', 'worded,other'], { env });
    for (const [args, sentence] of [
      [['stats', '--from', 'yesterday'], /^error: --from must be an ISO 8601/],
      [['clicks', '--class', 'robot'], /^error: --class must contain only: human,/],
      [['links', 'list', '--created-after', 'soon'], /^error: --created-after must be/],
      [['links', 'list', '--host', 'a b'], /^error: --host must be a host/],
      [['links', 'simulate', 'worded', '--country', 'Austria'], /^error: --country must be/],
      [
        ['links', 'update', 'worded', '--starts', '2031-01-01', '--expires', '2030-01-01'],
        /^error: --starts must be earlier than --expires\./,
      ],
      [
        ['links', 'update', 'worded', '--redirect-status', '200'],
        /must be (?:one of: )?301, 302, 307,? (?:or )?308\. \(/,
      ],
      [['links', 'update', 'worded', '--code', 'admin'], /another --code\. Available: admin-2, /],
      [['tags', 'rename', 'other', 'worded'], /To combine two tags, use linkfold tags merge\. \(/],
    ] as const) {
      const { code, err } = await run(args, { env });
      assert.equal(code, 1, err);
      assert.match(err, sentence);
    }
    await good(['links', 'delete', 'worded'], { env });
  });

  test('finishes a command when the reader of stderr exits', async () => {
    const ids = (
      await good(['shorten', '--file', '-'], {
        env,
        input: 'https://example.com/1\thalf-1\nhttps://example.com/2\thalf-2\n',
      })
    )
      .trim()
      .split('\n');
    assert.equal(ids.length, 2);
    const child = spawn(
      '/bin/sh',
      ['-c', `${linkfold} links rm no-1 no-2 half-1 no-3 half-2 2>&1 | head -1`],
      { env: { ...bare, ...env } as NodeJS.ProcessEnv },
    );
    await once(child, 'close');
    for (const code of ['half-1', 'half-2'])
      assert.equal((await run(['links', 'get', code], { env })).code, 1, code);
  });

  test('manages keys and accounts while the server is running', async () => {
    const key = await json(
      ['keys', 'create', '--account', 'beta', '--plan', 'free', '--scopes', 'links:read'],
      { env },
    );
    assert.deepEqual(Object.keys(key), ['id', 'key', 'account', 'plan', 'scopes', 'name', 'expiresAt']);
    const as = { env: { ...env, LINKFOLD_API_KEY_FILE: '', LINKFOLD_API_KEY: key.key } };
    await good(['links', 'list'], as);
    assert.match((await run(['shorten', 'https://e.com/'], as)).err, /INSUFFICIENT_SCOPE/);

    const next = await json(['keys', 'rotate', key.id, '--grace', '0'], { env });
    assert.deepEqual([next.account, next.plan, next.replaces], ['beta', 'free', key.id]);
    const found = await run(['keys', 'check', '--json'], { env, input: `${key.key} ${next.key}` });
    assert.deepEqual(
      JSON.parse(found.out).map((one: { state: string }) => one.state),
      ['expired', 'live'],
    );
    assert.equal((await run(['keys', 'revoke', next.id], { env })).code, 0);
    assert.equal((await run(['keys', 'revoke', next.id], { env })).code, 1);
    assert.equal((await run(['keys', 'rotate', next.id], { env })).code, 1);
    const over = await run(['keys', 'rotate', key.id], { env });
    assert.deepEqual([over.code, over.out], [1, '']);
    assert.match(over.err, /expired.*linkfold keys create/);
    const flags = ['--account', 'beta', '--expires', '2100-01-01'];
    const { id: bounded } = await json(['keys', 'create', ...flags], { env });
    const bound = await json(['keys', 'rotate', bounded], { env });
    assert.equal(bound.expiresAt, '2100-01-01T00:00:00.000Z', 'a rotation does not extend the expiry');
    assert.match((await run(['keys', 'rotate', bounded], { env })).err, new RegExp(`rotated.*${bound.id}`));
    assert.match(
      await good(['keys', 'list', '--account', 'beta'], { env }),
      new RegExp(`${next.id} .*revoked`),
    );

    assert.equal((await run(['accounts', 'create', 'beta'], { env })).code, 1);
    await good(['accounts', 'suspend', 'acme'], { env });
    assert.match(await good(['accounts', 'list'], { env }), /acme .*suspended/);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.match((await run(['links', 'list'], { env })).err, /ACCOUNT_SUSPENDED/);
    await good(['accounts', 'resume', 'acme'], { env });
    assert.equal((await run(['accounts', 'resume', 'unknown'], { env })).code, 1);
  });

  test('backs up while serving, verifies, restores, checks', async () => {
    const file = join(dir, 'backup.db');
    const facts = await json(['db', 'backup', file], { env });
    assert.deepEqual([facts.links, facts.accounts], [201, 2]);
    assert.equal((await run(['db', 'backup', file], { env })).code, 1);
    await good(['db', 'backup', file, '--overwrite'], { env });
    assert.equal((await json(['db', 'restore', file, '--verify'], { env })).links, 201);
    assert.deepEqual(await json(['db', 'check'], { env }), { ok: true, problems: [] });
    assert.deepEqual((await json(['db', 'status'], { env })).pending, []);
    assert.equal((await run(['db', 'restore', file, '--yes'], { env })).code, 1, 'not while the server runs');

    await stop();
    assert.match((await run(['db', 'restore', file], { env })).err, /--yes/);
    const restored = await json(['db', 'restore', file, '--yes'], { env });
    assert.equal(restored.links, 201);
    assert.ok(statSync(restored.previous).size > 0);
    const broken = join(dir, 'broken.db');
    writeFileSync(broken, readFileSync(file).subarray(0, 20_000));
    assert.equal((await run(['db', 'restore', broken, '--verify'], { env })).code, 1);
    assert.equal((await run(['db', 'restore', broken, '--yes'], { env })).code, 1);
    assert.deepEqual(await json(['db', 'check'], { env }), { ok: true, problems: [] });

    server = await serve(env, url);
    assert.equal((await json(['links', 'list', '--limit', '1'], { env })).pagination.total, 201);
  });
});
