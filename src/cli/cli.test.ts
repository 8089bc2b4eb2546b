import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { temporaryFolder } from '../../test/temporary.ts';
import { includable } from '../client/client.ts';
import { idInToken } from '../domain/keys.ts';
import { createProgram } from './program.ts';

const linkfold = fileURLToPath(new URL('../../bin/linkfold', import.meta.url));
const dir = temporaryFolder('cli');
const bare = { PATH: process.env.PATH, DATA_DIR: join(dir, 'data'), LOG_LEVEL: 'silent' };

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const run = (
  args: readonly string[],
  { env = {}, input = '' }: { env?: object; input?: string } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(linkfold, args, { cwd: dir, env: { ...bare, ...env } as NodeJS.ProcessEnv });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    child.stdin.on('error', () => {}).end(input);
    child.on('close', (code) => resolve({ code, out, err }));
  });

const good = async (args: readonly string[], given?: Parameters<typeof run>[1]): Promise<string> => {
  const { code, out, err } = await run(args, given);
  assert.equal(code, 0, `linkfold ${args.join(' ')}: ${err}`);
  return out;
};

const json = async (args: readonly string[], given?: Parameters<typeof run>[1]) =>
  JSON.parse(await good([...args, '--json'], given));

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

describe('without a server', () => {
  const walk = (command: Command, path: readonly string[] = []): (readonly string[])[] =>
    command.commands.length === 0
      ? [path]
      : command.commands.flatMap((child) => walk(child, [...path, child.name()]));

  test('every command has help with examples and exit codes; every command with a result has --json', async () => {
    const commands = walk(createProgram());
    assert.ok(commands.length >= 27);
    await Promise.all(
      commands.map(async (path) => {
        const { code, out, err } = await run([...path, '--help']);
        assert.deepEqual([code, err], [0, ''], path.join(' '));
        assert.match(out, /\nExamples:\n {2}\S/);
        assert.match(out, /\nExit codes:\n {2}0 /);
        const isJsonAnyway = ['serve', 'openapi'].includes(path.join(' '));
        assert.equal(out.includes('--json '), !isJsonAnyway, path.join(' '));
      }),
    );
    assert.ok((await good(['links', 'list', '--help'])).includes(includable.join(',')));
  });

  test('a backup and a check let others have the processor first', async () => {
    const env = { ...bare, DATA_DIR: join(dir, 'polite') };
    await good(['db', 'migrate'], { env });
    for (const work of [`backup ${join(dir, 'polite.db')}`, 'check']) {
      // Nobody reads meanwhile, so that the command is met at work.
      const held = new DatabaseSync(join(env.DATA_DIR, 'linkfold.db'));
      held.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      const child = spawn(linkfold, ['db', ...work.split(' ')], { cwd: dir, env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      const isPolite = (): boolean => getPriority(child.pid) === constants.priority.PRIORITY_BELOW_NORMAL;
      for (let patience = 200; !isPolite() && patience > 0; patience -= 1) await sleep(20);
      assert.ok(isPolite(), work);
      held.close();
      assert.deepEqual(await ended, [0, null], work);
    }
  });

  test('usage errors say one clear thing and exit 2', async () => {
    for (const [args, said] of [
      [['kyes'], /unknown command 'kyes'\n\(Did you mean keys\?\)/],
      [
        ['keys', 'create', '--account', 'a', '--plan', 'gold'],
        /Allowed choices are free, starter, pro, enterprise/,
      ],
      [['keys', 'create', '--account', 'a', '--scopes', 'links:all'], /Allowed are links:read, links:write/],
      [['keys', 'create', '--account', 'a', '--expires', '2020-01-01'], /in the past/],
      [['keys', 'create', '--account', ' '], /1 to 100 characters/],
      [['keys', 'rotate', 'x', '--grace', 'soon'], /30m, 24h or 7d/],
      [['keys', 'check', join(dir, 'nothing')], /cannot be read: ENOENT/],
      [['links', 'show', 'x'], /No API key: set LINKFOLD_API_KEY/],
      [['links', 'show', 'x', '--key-file', join(dir, 'nothing')], /cannot be read: ENOENT/],
      [['links', 'shorten'], /Give a URL or --file/],
      [['links', 'update', 'x'], /Nothing to change/],
      [['links', 'rm'], /missing required argument 'ids'/],
    ] as const) {
      const { code, out, err } = await run(args);
      assert.deepEqual([code, out], [2, ''], args.join(' '));
      assert.match(err, said);
      assert.match(err, /^error: [^\n]+\n(\([^\n]+\)\n)?$/);
    }
    assert.equal((await run([])).code, 2);
    const both = { LINKFOLD_API_KEY: 'a', LINKFOLD_API_KEY_FILE: 'b' };
    assert.match((await run(['links', 'list'], { env: both })).err, /are both set; keep one/);
    const badKey = await run(['links', 'list'], { env: { LINKFOLD_API_KEY: 'lfk_secret word' } });
    assert.deepEqual([badKey.code, badKey.err.includes('secret')], [2, false]);
  });

  test('a server that is not there is exit 3', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { code, err } = await run(['links', 'list', '--server', url], { env: { LINKFOLD_API_KEY: 'k' } });
    assert.deepEqual([code, err], [3, `error: ${url} cannot be reached: ECONNREFUSED.\n`]);
  });

  test('config shows every setting and where it came from, and masks secrets', async () => {
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

  test('everything wrong with the settings is said at once, one a line', async () => {
    const env = { PORT: 'x', LOG_LEVEL: 'loud', TRUST_PROXY: '?' };
    for (const args of [['config'], ['serve'], ['keys', 'list'], ['db', 'status']]) {
      const { code, err } = await run(args, { env });
      assert.equal(code, 2);
      assert.equal(err.match(/^error: (PORT|LOG_LEVEL|TRUST_PROXY) must be .+$/gm)?.length, 3, err);
    }
  });

  test('replicas: one URL that is wrong is named, and none without a primary; no password is shown', async () => {
    const [primary, replica] = ['one', 'two'].map((host) => `postgres://me:hunter2@${host}.invalid/links`);
    const urls = { DATABASE_URL: primary, DATABASE_REPLICA_URLS: `${replica},\n ${replica}?sslmod=require` };
    const wrong: [object, RegExp][] = [
      [urls, /^error: URL 2 of DATABASE_REPLICA_URLS has the parameter "sslmod", .+\n$/],
      [{ ...urls, DATABASE_URL: '' }, /^error: DATABASE_REPLICA_URLS is for PostgreSQL; unset it, .+\n$/],
    ];
    for (const [env, message] of wrong) {
      const { code, err } = await run(['serve'], { env: { ...env, DATA_DIR: join(dir, 'replicas') } });
      assert.ok(code !== 0 && !err.includes('hunter2'), err);
      assert.match(err, message);
    }
    const shown = await good(['config'], { env: urls });
    assert.match(shown, /^DATABASE_REPLICA_URLS +\*{8} +environment/m);
    assert.ok(!shown.includes('hunter2'));
  });

  test('keys generate draws a key of our format', async () => {
    const token = (await good(['keys', 'generate'])).trim();
    assert.notEqual(idInToken(token), undefined);
    const { id, key } = await json(['keys', 'generate']);
    assert.equal(idInToken(key), id);
    assert.ok(!existsSync(bare.DATA_DIR));
  });

  test('keys check finds keys by shape and checksum, and never prints them', async () => {
    const token = (await good(['keys', 'generate'])).trim();
    const almost = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    const clear = await run(['keys', 'check'], { input: `${almost}\nx${token}x\nnothing\n` });
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
    assert.ok(!existsSync(bare.DATA_DIR), 'looking made no database');
  });

  test('openapi prints and writes the same document', async () => {
    const printed = await good(['openapi']);
    assert.match(JSON.parse(printed).openapi, /^3\.1/);
    await good(['openapi', '--out', join(dir, 'openapi.json')]);
    assert.equal(readFileSync(join(dir, 'openapi.json'), 'utf8'), printed);
    assert.equal((await run(['openapi', '--out', join(dir, 'no', 'where')])).code, 1);
  });

  test('a reader that goes away is no failure', async () => {
    const child = spawn('/bin/sh', ['-c', `${linkfold} openapi | head -c 10; exit 0`], {
      env: bare as NodeJS.ProcessEnv,
    });
    let err = '';
    child.stderr.on('data', (text) => (err += text));
    await new Promise((resolve) => child.on('close', resolve));
    assert.equal(err, '');
  });
});

describe('against a server that says odd things', () => {
  let odd: Server;
  let env: object;
  let asked: { url: string; idempotencyKey: string | undefined; body: string }[] = [];
  let answer: (body: string) => [status: number, body: object];

  before(async () => {
    odd = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
      asked.push({ url: request.url ?? '', idempotencyKey, body });
      const [status, said] = answer(body);
      response.writeHead(status).end(JSON.stringify(said));
    });
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    env = { LINKFOLD_URL: `http://127.0.0.1:${(odd.address() as AddressInfo).port}`, LINKFOLD_API_KEY: 'k' };
  });
  after(() => odd.close());

  const made = (body: string) => ({ id: 'i', shortUrl: `http://h/${JSON.parse(body).url.slice(-3)}` });
  const refusal = (code: string) => ({
    success: false,
    error: { code, message: `${code}.`, requestId: 'r' },
  });

  test('escape sequences in what others wrote do not reach the terminal', async () => {
    const evil = '\u001b[31mred\u001b]0;title\u0007\u009b2J\nnext\u202e';
    answer = () => [
      200,
      { success: true, folders: [{ id: 'i', name: evil, linkCount: 1, createdAt: new Date() }] },
    ];
    const table = await good(['folders', 'list'], { env });
    assert.match(table, /^i +red/m);
    for (const text of [table, await good(['folders', 'list', '--json'], { env })]) {
      assert.doesNotMatch(text.replaceAll('\n', ''), /\p{Cc}/u);
    }
    answer = () => [
      404,
      { success: false, error: { code: 'LINK_NOT_FOUND', message: evil, requestId: 'r' } },
    ];
    assert.doesNotMatch((await run(['links', 'show', 'x'], { env })).err, /[^\P{Cc}\n]/u);
  });

  test('a file: results in its order, failures with their lines, comments passed over', async () => {
    answer = (body) =>
      body.includes('bad') ? [400, refusal('INVALID_URL')] : [201, { success: true, data: made(body) }];
    const input =
      '\ufeff# list\n\nhttps://e.com/001\nbad\nhttps://e.com/002\tmine\r\n{"url":"https://e.com/003"}\n{oops\n';
    const { code, out, err } = await run(['links', 'shorten', '--file', '-', '--title', 'T'], { env, input });
    assert.equal(code, 1);
    assert.equal(
      out,
      'http://h/001\thttps://e.com/001\nhttp://h/002\thttps://e.com/002\nhttp://h/003\thttps://e.com/003\n',
    );
    assert.match(
      err,
      /^line 4: INVALID_URL\. .*\nline 7: .*\nerror: 3 links made, 2 failed, 0 left to do\.\n$/,
    );
    assert.ok(asked.some(({ body }) => body.includes('"customCode":"mine"') && body.includes('"title":"T"')));
    const lines = (await run(['links', 'shorten', '--file', '-', '--json'], { env, input })).out
      .trim()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).line),
      [3, 4, 5, 6, 7],
    );
  });

  test('a reason that holds for every line stops the run', async () => {
    answer = () => [401, refusal('INVALID_API_KEY')];
    asked = [];
    const input = 'https://e.com/\n'.repeat(100);
    const { code, err } = await run(['links', 'shorten', '--file', '-'], { env, input });
    assert.equal(code, 1);
    assert.match(
      err,
      /^error: line 1: INVALID_API_KEY\. .*\nerror: 0 links made, 0 failed, 100 left to do\.\n$/,
    );
    assert.ok(asked.length <= 8);
  });

  test('a named batch gives every line the same idempotency key again, equal lines different ones', async () => {
    answer = (body) => [201, { success: true, data: made(body) }];
    const keysOf = async (batch: string) => {
      asked = [];
      const input = 'https://e.com/001\nhttps://e.com/001\n';
      await good(['links', 'shorten', '--file', '-', '--batch', batch], { env, input });
      return asked.map((one) => one.idempotencyKey).sort();
    };
    const first = await keysOf('june');
    assert.equal(new Set(first).size, 2);
    assert.deepEqual(await keysOf('june'), first);
    assert.notDeepEqual(await keysOf('july'), first);
  });

  test('an interrupt waits for what is under way and prints it', async () => {
    const running = spawn(linkfold, ['links', 'shorten', '--file', '-'], {
      env: { ...bare, ...env } as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let answered = 0;
    answer = (body) => {
      answered += 1;
      if (answered === 20) running.kill('SIGINT');
      return [201, { success: true, data: made(body) }];
    };
    let out = '';
    running.stdout.on('data', (text) => {
      out += text;
    });
    running.stdin.end('https://e.com/001\n'.repeat(20_000));
    const [code] = await once(running, 'close');
    assert.equal(code, 130);
    assert.equal(out.split('\n').length - 1, answered);
    assert.ok(answered < 20_000);
  });
});

describe('with a server of its own', () => {
  const data = join(dir, 'own');
  let server: ChildProcess;
  let env: Record<string, string>;
  let url: string;

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    env = { DATA_DIR: data, PORT: String(port) };
    const { key } = await json(['keys', 'create', '--account', 'acme'], { env });
    const keyFile = join(dir, 'key');
    writeFileSync(keyFile, `${key}\n`);
    env = { ...env, LINKFOLD_URL: url, LINKFOLD_API_KEY_FILE: keyFile };
    server = await serve();
  });
  after(() => server.kill('SIGKILL'));

  const serve = async (): Promise<ChildProcess> => {
    const child = spawn(linkfold, ['serve'], { cwd: dir, env: { ...bare, ...env }, stdio: 'ignore' });
    for (let tries = 0; tries < 100; tries += 1) {
      const ready = await fetch(`${url}/readyz`).catch(() => undefined);
      if (ready?.ok) return child;
      assert.equal(child.exitCode, null, 'serve ended');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('serve did not become ready');
  };

  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    assert.deepEqual(await once(server, 'exit'), [0, null]);
  };

  test('200 lines of a file become 200 links that lead where they should, once however often the run is repeated', async () => {
    const urls = Array.from({ length: 200 }, (_, at) => `https://example.com/${at}?a=${at}&b=ü#f`);
    const file = join(dir, 'urls.txt');
    writeFileSync(file, `${urls.join('\n')}\n`);
    const args = ['links', 'shorten', '--file', file, '--batch', 'one'];
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

  test('a link from its making to its end', async () => {
    const made = await json(
      ['links', 'shorten', 'https://example.com/x', '--code', 'Spring', '--title', 'T'],
      { env },
    );
    assert.equal(made.shortUrl, `${url}/Spring`);
    assert.match(
      await good(['links', 'list'], { env }),
      new RegExp(`${made.id} +${url}/Spring +https://example.com/x +0 `),
    );
    const folder = (await good(['folders', 'create', 'Campaign'], { env })).trim();
    await good(['links', 'move', made.id, '--folder', folder], { env });
    assert.equal((await json(['links', 'list', '--folder', folder], { env })).pagination.total, 1);
    await good(
      [
        'links',
        'update',
        made.id,
        '--title',
        '',
        '--expires',
        '2999-01-01',
        '--url',
        'https://example.com/y',
      ],
      {
        env,
      },
    );
    const { title, expiresAt, destinationUrl, folderId } = await json(['links', 'show', made.id], { env });
    assert.deepEqual(
      { title, expiresAt, destinationUrl, folderId },
      {
        title: null,
        expiresAt: '2999-01-01T00:00:00.000Z',
        destinationUrl: 'https://example.com/y',
        folderId: folder,
      },
    );
    const open = await json(['links', 'update', made.id, '--no-expiry'], { env });
    assert.equal(open.expiresAt, null);
    await good(['folders', 'rename', folder, 'Other'], { env });
    assert.match(await good(['folders', 'list'], { env }), /Other +1 /);
    await good(['folders', 'rm', folder], { env });
    assert.equal((await json(['links', 'show', made.id], { env })).folderId, null);

    const removal = await run(['links', 'rm', made.id, 'unknown', '--json'], { env });
    assert.equal(removal.code, 1);
    assert.deepEqual(JSON.parse(removal.out), { deleted: [made.id] });
    assert.match(removal.err, /^unknown: There is no such link\./);
    assert.equal((await run(['links', 'show', made.id], { env })).code, 1);
    assert.equal((await json(['links', 'restore', made.id], { env })).id, made.id);
  });

  test('keys and accounts, beside the running server', async () => {
    const key = await json(
      ['keys', 'create', '--account', 'beta', '--plan', 'free', '--scopes', 'links:read'],
      { env },
    );
    assert.deepEqual(Object.keys(key), ['id', 'key', 'account', 'plan', 'scopes', 'name', 'expiresAt']);
    const as = { env: { ...env, LINKFOLD_API_KEY_FILE: '', LINKFOLD_API_KEY: key.key } };
    await good(['links', 'list'], as);
    assert.match((await run(['links', 'shorten', 'https://e.com/'], as)).err, /INSUFFICIENT_SCOPE/);

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
    assert.equal((await run(['accounts', 'resume', 'nobody'], { env })).code, 1);
  });

  test('back up while serving, prove, restore, check', async () => {
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

    server = await serve();
    assert.equal((await json(['links', 'list', '--limit', '1'], { env })).pagination.total, 201);
  });
});
