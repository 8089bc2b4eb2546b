// Uses the browser extension as a user would, in a real browser with a real server.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import jsQR from 'jsqr';
import type { BrowserContext, Page } from 'playwright-core';
import { buildExtension } from '../../scripts/build-extension.ts';
import { type DnsServer, startDns } from '../support/dns/dns-server.ts';
import { scrollsSideways, violationsOn } from '../support/http/dashboard.ts';
import { type Extended, openExtended, whyNoExtension, whyNoPopup } from '../support/http/extension.ts';
import { freePort } from '../support/http/ports.ts';
import { freshCode } from '../support/server/records.ts';
import { as, type Server, startServer, type TestKey, temporaryFolder } from '../support/server/server.ts';

const decode = jsQR as unknown as typeof jsQR.default;
const pictures = process.env['LINKFOLD_PICTURES'];

const noPopup = (await whyNoPopup()) ?? false;

describe('the browser extension', { skip: whyNoExtension() ?? false }, () => {
  const asBuilt = temporaryFolder('extension');
  const reaching = temporaryFolder('extension');
  let dns: DnsServer;
  let server: Server;
  /** A page on another site, which the tests shorten. */
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>A long read</title><p>It goes on and on.');
  });
  let siteUrl: string;
  before(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/read?page=1`;
    dns = await startDns();
    [server] = await Promise.all([
      startServer({ DNS_SERVERS: dns.address, RATE_LIMITS: 'free=30' }),
      buildExtension(asBuilt),
      buildExtension(reaching),
    ]);
    // The test grants the permission, because it cannot accept the browser's prompt.
    const path = join(reaching, 'chrome', 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...manifest, host_permissions: ['http://127.0.0.1/*'] }));
  });
  after(async () => {
    site.close();
    await server.stop();
    await dns.close();
  });

  const withExtension = async (
    work: (extended: Extended, page: Page) => Promise<void>,
    options: Parameters<typeof openExtended>[1] & { folder?: string } = {},
  ) => {
    const { folder = reaching, ...how } = options;
    const extended = await openExtended(join(folder, 'chrome'), how);
    try {
      const [page = assert.fail('there is no tab')] = extended.context.pages();
      await page.goto(siteUrl);
      await work(extended, page);
    } finally {
      await extended.close();
    }
  };
  const keep = async (extended: Extended, key: string, url = server.url) => {
    const page = await extended.open('options.html');
    await page.evaluate(`chrome.storage.local.set(${JSON.stringify({ server: { url, key } })})`);
    await page.close();
  };
  const good = async (page: Page, name: string) => {
    assert.deepEqual(await violationsOn(page), [], name);
    assert.equal(await scrollsSideways(page), false, name);
    if (pictures !== undefined)
      await page.locator('body').screenshot({ path: join(pictures, `${name}.png`) });
  };
  /** Creates a key with only the scopes that the extension needs. */
  const leastKey = (): Promise<TestKey> =>
    server.newKey({ account: freshCode(), scopes: 'links:read,links:write' });

  /** Asserts that the URL opened by the extension shows the dialog for a new key, with the right values. */
  const requireFilledDialog = async (context: BrowserContext, address: string): Promise<void> => {
    const { key } = await server.newKey({ account: freshCode() });
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await context.request.post(`${server.url}/api/v1/session`, { headers })).status(), 201);
    const keys = await context.newPage();
    await keys.addInitScript("localStorage.setItem('linkfold.signed-in', '1')");
    await keys.goto(address);
    const dialog = keys.getByRole('dialog');
    await dialog.waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Browser extension');
    const rights = dialog.locator('.rights input');
    const given = await rights.evaluateAll((all) => all.map((one) => (one as { checked?: boolean }).checked));
    assert.deepEqual(given, [true, true, ...Array(given.length - 2).fill(false)]);
    await keys.close();
  };

  test('opens golinks typed after the keyword, on the domain in the settings', async () => {
    const code = freshCode();
    const api = as(server, (await server.newKey({ account: freshCode() })).key);
    await api.post('/api/v1/shorten', { url: `${siteUrl}&of={1}`, customCode: code, template: true });
    for (const [language, colorScheme] of [
      ['en', 'light'],
      ['de', 'dark'],
    ] as const)
      await withExtension(
        async ({ context, complaints, ...extended }) => {
          const options = await extended.open('options.html');
          const field = options.getByLabel(language === 'en' ? 'Golinks domain' : 'Golinks-Domain');
          const save = () => options.getByRole('button', { name: /^(Save|Speichern)$/ }).click();
          await field.fill('what is this');
          await save();
          await options.getByRole('alert').waitFor();
          await field.fill(`${server.url}/anything`);
          await save();
          await options.getByText(/^(Saved|Gespeichert)$/).waitFor();
          assert.equal(await field.inputValue(), server.url);
          await good(options, `options-golinks-${language}`);
          const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
          const opened = context.waitForEvent('page');
          await worker.evaluate(`chrome.omnibox.onInputEntered.dispatch('${code}/123', 'newForegroundTab')`);
          await (await opened).waitForURL(`${siteUrl}&of=123`);
          assert.deepEqual(complaints, []);
        },
        { language, colorScheme, folder: asBuilt },
      );
  });

  test('creates a link with folder, code and title from a new browser, copies it, and draws its QR code', {
    skip: noPopup,
  }, async () => {
    const { key } = await leastKey();
    const api = as(server, key);
    const folder = (await api.post('/api/v1/folders', { name: 'Reading' })).json.folder;
    await withExtension(async (extended, page) => {
      const { context, complaints } = extended;
      const empty = await extended.press(page);
      await good(empty, 'popup-empty');
      const [options] = await Promise.all([
        context.waitForEvent('page'),
        empty.getByRole('button', { name: 'Connect to a server' }).click(),
      ]);
      const connect = () => options.getByRole('button', { name: 'Connect', exact: true }).click();
      const type = (label: string, text: string) => options.getByLabel(label, { exact: true }).fill(text);
      for (const bad of ['', 'http://go.example.com', 'what is this']) {
        await type('Server URL', bad);
        await connect();
        await options.getByText('Enter a URL that starts with https://').waitFor();
      }
      await type('Server URL', server.url);
      await connect();
      await options.getByText('Enter an API key.').waitFor();
      for (const [bad, said] of [
        ['lfk_none', 'rejected the API key'],
        ['a key with spaces', 'rejected the API key'],
        [(await server.newKey({ account: freshCode(), scopes: 'links:read' })).key, 'permissions. Create'],
      ] as const) {
        await type('API key', bad);
        await connect();
        await options.getByText(said).waitFor();
        assert.deepEqual(await options.evaluate('chrome.storage.local.get()'), {});
      }
      const made = await options.getByRole('link', { name: 'Create an API key' }).getAttribute('href');
      assert.equal(
        made,
        `${server.url}/dashboard/keys?key=links%3Aread%2Clinks%3Awrite&title=Browser+extension`,
      );
      await good(options, 'options-fault');
      await requireFilledDialog(context, made ?? '');
      await type('API key', key);
      await connect();
      await options.getByText('links:read, links:write').waitFor();
      await good(options, 'options-connected');
      await options.close();

      const popup = await extended.press(page);
      assert.equal(await popup.getByLabel('Page').inputValue(), siteUrl);
      assert.equal(await popup.getByLabel('Title').inputValue(), 'A long read');
      assert.equal(await popup.getByLabel('Domain').count(), 0, 'there is nothing to choose');
      const code = freshCode();
      await popup.getByLabel('Folder').selectOption({ label: 'Reading' });
      await popup.getByLabel('Custom code').fill(code);
      await good(popup, 'popup-filled');
      await popup.keyboard.press('Enter');
      await popup.getByRole('img').waitFor();
      await good(popup, 'popup-made');
      const shortUrl = `${server.url}/${code}`;
      const [link] = (await api.get('/api/v1/links?include=title,folderId')).json.data;
      assert.deepEqual(
        [link.shortUrl, link.destinationUrl, link.title, link.folderId],
        [shortUrl, siteUrl, 'A long read', folder.id],
      );
      assert.equal(await readCode(popup), `${shortUrl}?trigger=qr`);
      await popup.getByRole('button', { name: /Copy|Copied/ }).click();
      await popup.getByRole('status').getByText('Copied').waitFor({ state: 'attached' });
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), shortUrl);
      await popup.close();

      // When the popup is opened again, the folder is still selected, and the link is listed as the most recent one.
      const again = await extended.press(page);
      await again.getByRole('link', { name: shortUrl.slice('http://'.length) }).waitFor();
      assert.equal(await again.getByLabel('Folder').inputValue(), folder.id);
      await good(again, 'popup-again');
      await again.getByLabel('Custom code').fill(code);
      await again.getByRole('button', { name: 'Shorten' }).click();
      await again.getByText('This code is taken.').waitFor();
      await good(again, 'popup-taken');
      await again.getByRole('button', { name: `Copy ${shortUrl}` }).click();
      await again.getByRole('status').getByText('Copied').waitFor({ state: 'attached' });
      // The browser logs error responses, some of which are expected.
      assert.deepEqual(
        complaints.filter((one) => !/status of (401|409)/.test(one)),
        [],
      );
      await again.close();

      const settings = await extended.open('options.html');
      await settings.getByRole('button', { name: 'Disconnect' }).click();
      await settings.getByLabel('Server URL').waitFor();
      assert.deepEqual(await settings.evaluate('chrome.storage.local.get()'), {});
    });
  });

  test('chooses between several domains, starting with one allowed for a restricted key', {
    skip: noPopup,
  }, async () => {
    const { key } = await server.newKey({ account: freshCode() });
    const api = as(server, key);
    const made = async (): Promise<string> => {
      const host = `go.${freshCode()}.example`.toLowerCase();
      const { id, records } = (await api.post('/api/v1/domains', { host })).json.data;
      for (const { type, name, value } of records) dns.zone[name] = { [type]: [value] };
      await api.post(`/api/v1/domains/${id}/verify`);
      return host;
    };
    const [one, other] = [await made(), await made()];
    const domains = [one, other];
    const bound = await api.post('/api/v1/keys', {
      name: 'Some',
      scopes: ['links:read', 'links:write'],
      domains,
    });
    assert.equal(bound.status, 201, bound.text);
    await withExtension(async (extended, page) => {
      const shorten = async (by: string, host?: string): Promise<string> => {
        await keep(extended, by);
        const popup = await extended.press(page);
        const domain = popup.getByLabel('Domain');
        if (host === undefined) await domain.waitFor();
        else await domain.selectOption(host);
        await popup.getByRole('button', { name: 'Shorten' }).click();
        await popup.getByRole('img').waitFor();
        await popup.close();
        const [link] = (await api.get('/api/v1/links')).json.data;
        return new URL(link.shortUrl).hostname;
      };
      assert.ok([one, other].includes(await shorten(bound.json.data.key)));
      assert.equal(await shorten(key, other), other);
      assert.equal(await shorten(key), other, 'the last choice');
    });
  });

  test('explains failures with a fix: no access, no connection, no response, too many requests, a revoked key', {
    skip: noPopup,
  }, async () => {
    const { key, id } = await server.newKey({ account: freshCode(), plan: 'free' });
    await withExtension(
      async (extended, page) => {
        await keep(extended, key);
        const popup = await extended.press(page);
        await popup.getByRole('button', { name: 'Allow access' }).waitFor();
        await good(popup, 'popup-no-access');
      },
      { folder: asBuilt },
    );
    await withExtension(async (extended, page) => {
      const shows = async (words: string, name: string) => {
        const popup = await extended.press(page);
        await popup.getByRole('alert').getByText(words).waitFor();
        await good(popup, name);
        return popup;
      };
      await keep(extended, key, `http://127.0.0.1:${await freePort()}`);
      await (await shows('is not responding', 'popup-unreachable')).close();
      await keep(extended, key);
      const popup = await extended.press(page);
      await popup.getByRole('button', { name: 'Shorten' }).waitFor();
      await extended.context.setOffline(true);
      await popup.getByRole('button', { name: 'Shorten' }).click();
      await popup.getByRole('alert').getByText('You are offline').waitFor();
      await extended.context.setOffline(false);
      await popup.close();
      const asked = () => as(server, key).get('/api/v1/me');
      const answers = await Promise.all(Array.from({ length: 40 }, asked));
      assert.ok(answers.some(({ status }) => status === 429));
      await (await shows('Too many requests', 'popup-too-many')).close();
      await server.command('keys', 'revoke', id);
      await page.goto('about:blank');
      const refused = await shows('rejected the API key', 'popup-refused');
      assert.equal(await refused.getByLabel('Page').inputValue(), '', 'nobody else can open this page');
      await refused.getByRole('button', { name: 'Shorten' }).click();
      await refused.getByText('Enter one.').waitFor();
    });
  });

  test('supports German and dark mode', { skip: noPopup }, async () => {
    const { key } = await leastKey();
    await as(server, key).post('/api/v1/folders', { name: 'Lesen' });
    const url = 'https://example.com/{1}/{path?search?q={path}}';
    await as(server, key).post('/api/v1/shorten', { url, template: true });
    await withExtension(
      async (extended, page) => {
        const options = await extended.open('options.html');
        await options.getByRole('heading', { name: 'Einstellungen der Erweiterung' }).waitFor();
        assert.equal(await options.getAttribute('html', 'lang'), 'de');
        await good(options, 'options-dark');
        await keep(extended, key);
        const popup = await extended.press(page);
        await popup.getByLabel('Ordner').waitFor();
        const recent = await popup.locator('.recent li').innerText();
        assert.match(recent, /https:\/\/example\.com\/1\/path\?search\?q=path$/);
        await good(popup, 'popup-dark');
        await popup.getByRole('button', { name: 'Kürzen' }).click();
        await popup.getByRole('img').waitFor();
        await good(popup, 'popup-created-dark');
      },
      { language: 'de', colorScheme: 'dark' },
    );
  });
});

/** Scans a popup's QR code. */
async function readCode(popup: Page): Promise<string | undefined> {
  const { side, bytes } = await popup.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
    const { document } = globalThis as any;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 320;
    const context = canvas.getContext('2d');
    context.drawImage(document.querySelector('img'), 0, 0, 320, 320);
    return { side: 320, bytes: [...context.getImageData(0, 0, 320, 320).data] as number[] };
  });
  return decode(new Uint8ClampedArray(bytes), side, side)?.data;
}
