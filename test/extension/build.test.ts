// Archives of the extension for the browsers' stores.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { golinkUrl, originOf } from '../../extension/data/origins.ts';
import { buildExtension } from '../../scripts/build-extension.ts';
import { temporaryFolder } from '../support/server/server.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'extension');
type Messages = Record<string, { readonly message: string }>;
function messagesIn(language: string): Messages {
  return JSON.parse(readFileSync(join(source, '_locales', language, 'messages.json'), 'utf8'));
}

describe('the build of the browser extension', () => {
  const built = temporaryFolder('extension');
  before(() => buildExtension(built));
  const manifestOf = (browser: string) =>
    JSON.parse(readFileSync(join(built, browser, 'manifest.json'), 'utf8'));

  test('builds the same bytes each time, in valid archives', async () => {
    const again = temporaryFolder('extension');
    await buildExtension(again);
    const digests = (folder: string) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.zip'))
        .map((name) =>
          createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex'),
        );
    assert.equal(digests(built).length, 2);
    assert.deepEqual(digests(built), digests(again));
  });

  test('builds with the documented command', () => {
    const page = readFileSync(join(root, 'docs/extension.md'), 'utf8');
    const [, line = ''] = /## Install[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
    execFileSync('bash', ['-euc', line], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    for (const [, path = ''] of page.matchAll(/`(dist\/extension\/[^`]+)`/g))
      assert.ok(existsSync(join(root, path)), path);
  });

  test('requests permissions only for the shortened page and storage, and for a server once it is named', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const browser of ['chrome', 'firefox']) {
      const manifest = manifestOf(browser);
      assert.equal(manifest.manifest_version, 3);
      assert.equal(manifest.version, version);
      assert.deepEqual(manifest.permissions, ['activeTab', 'storage']);
      for (const name of ['host_permissions', 'content_scripts', 'web_accessible_resources'])
        assert.equal(manifest[name], undefined, name);
      // There is one background script, because browsers send input after the keyword `go` only to background scripts.
      assert.deepEqual(manifest.omnibox, { keyword: 'go' });
      assert.deepEqual(manifest.background, {
        ...(browser === 'chrome' ? { service_worker: 'background.js' } : { scripts: ['background.js'] }),
        type: 'module',
      });
      const files = globSync('**/*.*', { cwd: join(built, browser) });
      const named = [
        manifest.action.default_popup,
        manifest.options_ui.page,
        'background.js',
        ...Object.values(manifest.icons),
      ];
      for (const name of named) assert.ok(files.includes(String(name)), String(name));
      // The stores do not allow code from other hosts.
      const code = files.filter((name) => /\.(js|html|css)$/.test(name));
      for (const name of code)
        assert.ok(
          !/\beval\(|new Function|(?:src|href)="https?:|import\("https?:|url\("?https?:/.test(
            readFileSync(join(built, browser, name), 'utf8'),
          ),
          name,
        );
    }
    assert.equal(manifestOf('chrome').browser_specific_settings, undefined);
    assert.ok(manifestOf('firefox').browser_specific_settings.gecko.id);
  });

  test('imports only the client, QR codes, and parts of the dashboard', () => {
    const known =
      /^\.\.\/\.\.\/(src\/client\/|src\/qr\/|dashboard\/(components\/(icon|select)\.tsx|data\/links\/addresses\.ts)$)/;
    for (const file of globSync('**/*.{ts,tsx}', { cwd: source }))
      for (const [, from = ''] of readFileSync(join(source, file), 'utf8').matchAll(/from '([^']+)'/g)) {
        const isOwn = /^\.\.?\/(?!\.\.\/)/.test(from);
        assert.ok(isOwn || known.test(from) || /^preact(\/hooks)?$/.test(from), `${file}: ${from}`);
      }
  });

  test('has icons in the declared sizes', () => {
    for (const [side, path] of Object.entries(manifestOf('chrome').icons)) {
      const png = readFileSync(join(built, 'chrome', String(path)));
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [Number(side), Number(side)]);
    }
  });

  test('has all texts in English and German, none unused, within store limits', () => {
    const [english, german] = [messagesIn('en'), messagesIn('de')];
    assert.deepEqual(Object.keys(german), Object.keys(english));
    const texts = globSync('**/*.{ts,tsx,json}', { cwd: source })
      .filter((name) => !name.startsWith('_locales'))
      .map((name) => readFileSync(join(source, name), 'utf8'))
      .join('\n');
    for (const [name, { message }] of Object.entries(english)) {
      assert.ok(texts.includes(`'${name}'`) || texts.includes(`__MSG_${name}__`), name);
      assert.equal(german[name]?.message.includes('$1'), message.includes('$1'), name);
    }
    for (const { description } of [english, german] as { description: { message: string } }[])
      assert.ok(description.message.length <= 132);
  });

  test('opens golinks on the host of their domain only', () => {
    const base = 'https://go.example.com';
    for (const [typed, path] of [
      ['jira/123?q=1', '/jira/123?q=1'],
      [' on call ', '/on%20call'],
      ['//evil.example/', '/evil.example/'],
      ['\\\\evil.example', '/evil.example'],
      ['../@evil.example:1', '/@evil.example:1'],
      ['', '/'],
    ] as const)
      assert.equal(golinkUrl(base, typed), base + path);
    assert.equal(originOf('go'), 'https://go');
    assert.equal(originOf('http://go/jira'), 'http://go');
    assert.equal(originOf('javascript:alert(1)'), undefined);
  });
});
