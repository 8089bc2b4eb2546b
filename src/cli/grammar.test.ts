// Commands that users of other CLIs are likely to try. Each works as they expect, or its error names the right command.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../../test/support/http/ports.ts';
import { bare, dir, good, linkfold, run, serve } from '../../test/support/server/command-line.ts';

/**
 * Commands that users may guess, and their results: a string in the output; after `≡`, a command line with the same
 * output; after `?`, a string in the error message.
 */
const guesses: readonly (readonly [guess: string, result: string])[] = [
  // Links.
  ['shorten https://example.com/1', '/1-short'],
  ['shorten https://example.com/2 --code two', '/two'],
  ['https://example.com/3', '? Try: linkfold shorten https://example.com/3.'],
  ['example.com/3', '? Try: linkfold shorten example.com/3.'],
  ['create https://example.com/4', '? Try: linkfold links create,'],
  ['links create https://example.com/5 --code five', '/five'],
  ['links add https://example.com/6 --code six', '/six'],
  ['links new https://example.com/7 --code seven', '/seven'],
  ['link create https://example.com/8 --code eight', '/eight'],
  ['urls create https://example.com/9 --code nine', '/nine'],
  ['links shorten https://example.com/10 --code ten', '/ten'],
  ['links list', '≡ links list --limit 20'],
  ['links ls', '≡ links list'],
  ['link list', '≡ links list'],
  ['link ls', '≡ links list'],
  ['short-urls list', '≡ links list'],
  ['links get spring', '≡ links get spring'],
  ['links show spring', '≡ links get spring'],
  ['links view spring', '≡ links get spring'],
  ['link get spring', '≡ links get spring'],
  ['links search spring', '≡ links list --search spring'],
  ['links find spring', '≡ links list --search spring'],
  ['links list --tags easter', '≡ links list --tag easter'],
  ['links list --tag easter --tag autumn', '≡ links list --tag easter,autumn'],
  ['links update summer --title A', 'title'],
  ['links edit summer --title B', 'B'],
  ['links update summer --tags a,b', 'summer'],
  ['links get summer', 'a, b'],
  ['links update summer --folder Campaigns', 'folderId'],
  ['links disable summer', 'summer'],
  ['links list --status disabled', 'summer'],
  ['links enable summer', 'summer'],
  ['links rename summer winter', '? Try: linkfold links update LINK --code CODE,'],
  ['links tag summer hot', '? Try: linkfold links update LINK --tag TAGS,'],
  ['links open spring', '? Try: linkfold links get LINK,'],
  ['links count', '? Try: linkfold whoami,'],
  ['links qr spring', '≡ qr spring'],
  ['links stats spring', 'spring'],
  ['links delete six', 'Deleted six.'],
  ['links rm seven', 'Deleted seven.'],
  ['links remove eight', 'Deleted eight.'],
  ['link delete nine', 'Deleted nine.'],
  ['delete spring', '? linkfold links delete'],
  ['list', '? linkfold links list'],
  ['search spring', '? Try: linkfold links list --search WORDS,'],
  // Folders and tags.
  ['folders list', 'Campaigns'],
  ['folder list', '≡ folders list'],
  ['folders ls', '≡ folders list'],
  ['folders get Campaigns', 'Campaigns'],
  ['folders show Campaigns', '≡ folders get Campaigns'],
  ['folders add Winter', '-'],
  ['folders rename Winter Snow', 'Renamed folder Winter to Snow.'],
  ['folders delete Snow', 'Deleted folder Snow.'],
  ['tags list', 'easter'],
  ['tag ls', '≡ tags list'],
  ['tags create hot', 'Created tag hot.'],
  ['tags add cold', 'Created tag cold.'],
  ['tags rm cold', 'Deleted tag cold.'],
  // Account, keys and webhooks.
  ['keys list', 'default'],
  ['key ls', '≡ keys list'],
  ['keys rm nokey', '! No active key has this ID.'],
  ['keys delete nokey', '! No active key has this ID.'],
  ['webhooks create https://hooks.example.com/a', 'whsec_'],
  ['webhooks list', 'hooks.example.com'],
  ['webhooks delete hooks.example.com', 'Deleted webhook hooks.example.com.'],
  ['users', '? Usage: linkfold members'],
  ['users list', 'No members yet.'],
  ['people list', '≡ members list'],
  ['whoami', 'account'],
  ['me', '≡ whoami'],
  ['status', 'ready'],
  ['auth status', '≡ whoami'],
  ['auth login --json', '"url"'],
  ['login --json', '"url"'],
  // The CLI and its server.
  ['version', '≡ --version'],
  ['-v', '≡ --version'],
  ['--version', '.'],
  ['help', 'Usage: linkfold'],
  ['help link create', '≡ links create --help'],
  ['export', '≡ links export'],
  ['backup backup.db', 'sha256'],
  ['health', 'ready'],
  ['links:list', '≡ links list'],
  ['links help', '≡ help links'],
  ['api-key list', '≡ keys list'],
  ['visits spring', '≡ clicks spring'],
  ['analytics spring', 'spring'],
  ['qrcode spring', '≡ qr spring'],
  ['undelete five', '! five'],
  ['update spring', '? Try: linkfold links update LINK, linkfold upgrade,'],
  ['restore spring', '? Try: linkfold links restore LINK, linkfold db restore FILE,'],
  ['archive spring', '? Try: linkfold links update LINK --archived true,'],
  ['invite a@example.com', 'join'],
  ['versoin', '? Unknown command "versoin". Try: linkfold'],
  ['links lsit', '? Try: linkfold links list,'],
];

describe('suggestions', () => {
  let server: ChildProcess;
  const env: Record<string, string> = {
    DATA_DIR: join(dir, 'guessed'),
    XDG_CONFIG_HOME: join(dir, 'guessed'),
  };
  before(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    Object.assign(env, { LINKFOLD_API_KEY: (await good(['keys', 'generate'])).trim() });
    server = await serve(
      { ...env, PORT: String(port), BOOTSTRAP_API_KEY: env['LINKFOLD_API_KEY'] ?? '' },
      url,
    );
    await good(['folders', 'create', 'Campaigns'], { env });
    for (const code of ['spring', 'summer'])
      await good(['shorten', `https://example.com/${code}`, '--code', code, '--tag', 'easter'], { env });
  });
  after(() => server.kill('SIGKILL'));

  for (const [guess, result] of guesses)
    test(`${guess} ${result}`, async () => {
      const { code, out, err } = await run(guess.split(' '), { env });
      const mark = result.charAt(0);
      const wanted = result.slice(2);
      if (mark === '≡') {
        assert.equal(code, 0, err);
        assert.equal(out, await good(wanted.split(' '), { env }));
      } else if (mark === '?' || mark === '!') {
        assert.equal(code, mark === '?' ? 2 : 1, err);
        assert.ok(err.includes(wanted), err);
      } else {
        assert.equal(code, 0, err);
        assert.ok(`${out}${err}`.includes(result === '/1-short' ? '/' : result), `${out}${err}`);
      }
    });

  test('lists commands under headings in the help', async () => {
    const out = await good(['help']);
    for (const start of [/\nLinks:\n {2}shorten /, /\nAccount:\n {2}login /, /\nServer:\n {2}serve /])
      assert.match(out, start);
  });

  test('warns about old names on stderr, except with --json', async () => {
    const noted = await run(['people', 'list'], { env });
    assert.match(noted.err, /^"linkfold people" is now "linkfold members"\. The old name still works/);
    assert.doesNotMatch((await run(['people', 'list', '--json'], { env })).err, /is now/);
    assert.equal((await run(['link', 'ls'], { env })).err, '');
  });

  test('finds the server of its data directory, and reports where it searched', async () => {
    const elsewhere = { ...env, DATA_DIR: join(dir, 'nowhere') };
    const { code, err } = await run(['links', 'list'], { env: elsewhere });
    assert.equal(code, 3);
    assert.match(err, /This URL is from the default, because no server uses .*nowhere\. To use another/);
    // A killed server leaves its `server.json` behind.
    writeFileSync(join(dir, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', pid: 2 ** 22 + 1 }));
    const stale = await run(['status'], { env: { ...env, DATA_DIR: dir } });
    assert.match(stale.out, /^server +http:\/\/127\.0\.0\.1:3000\n/);
  });

  test("completes the server's codes and folders, expands nothing in them, and nothing without a server", async () => {
    const cache = { ...env, XDG_CACHE_HOME: join(dir, 'cache') };
    await good(['folders', 'create', '$(touch harm) now'], { env });
    const codes = await good(['completion', '--values', 'link'], { env: cache });
    assert.ok(codes.split('\n').includes('spring'), codes);
    assert.match(await good(['completion', '--values', 'folder'], { env: cache }), /^\$\(touch harm\) now$/m);
    const script = `linkfold() { '${linkfold}' "$@"; }; eval "$(linkfold completion bash)"
      COMP_WORDS=(linkfold links get spr); COMP_CWORD=3; _linkfold; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(linkfold links list --folder '$'); COMP_CWORD=4; _linkfold; echo "\${COMPREPLY[@]}"`;
    const options = { cwd: dir, env: { ...bare, ...cache } as NodeJS.ProcessEnv, encoding: 'utf8' } as const;
    assert.equal(execFileSync('bash', ['-c', script], options), 'spring\n\\$\\(touch\\ harm\\)\\ now\n');
    assert.ok(!existsSync(join(dir, 'harm')));
    const away = { ...cache, LINKFOLD_URL: `http://127.0.0.1:${await freePort()}` };
    assert.equal(await good(['completion', '--values', 'link'], { env: away }), '');
  });
});
