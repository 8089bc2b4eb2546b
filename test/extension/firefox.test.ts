// Tests the extension in Firefox: its manifest loads, its pages work, and it reaches the server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildExtension } from '../../scripts/build-extension.ts';
import { openFirefox, pagesOfExtension, whyNoFirefox } from '../support/http/firefox.ts';
import { as, temporaryFolder } from '../support/server/server.ts';
import { sharedServer } from '../support/server/shared-server.ts';
import { until } from '../support/until.ts';

test('Firefox connects to a server and shortens', { skip: whyNoFirefox() ?? false }, async () => {
  const built = temporaryFolder('extension');
  const [server] = await Promise.all([sharedServer(), buildExtension(built)]);
  const { key } = await server.newKey({ scopes: 'links:read,links:write' });
  const folder = join(built, 'firefox');
  const { gecko } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).browser_specific_settings;
  const firefox = await openFirefox(folder, gecko.id);
  const says = (words: string) =>
    until(`the page says "${words}"`, async () =>
      String(await firefox.value('document.body.innerText')).includes(words),
    );
  const fill = async (label: string, text: string) => {
    await firefox.click('label', label);
    await firefox.type(text);
  };
  try {
    await firefox.go(`${pagesOfExtension}/options.html`);
    await says('For example https://go.example.com');
    const reaches = `browser.permissions.contains({ origins: ['http://127.0.0.1/*'] })`;
    assert.equal(await firefox.value(reaches), false, 'no host is contacted without consent');
    await fill('Server URL', server.url);
    await fill('API key', key);
    await firefox.click('button', 'Connect');
    await says('links:read, links:write');
    assert.equal(await firefox.value(reaches), true);

    // Opens the popup in a tab, because Firefox opens no popup without a window. This tab has no URL that could be
    // shortened.
    await firefox.go(`${pagesOfExtension}/popup.html`);
    await says('Custom code');
    await fill('Page', 'https://example.com/from-firefox');
    await firefox.click('button', 'Shorten');
    await says('Save QR code');
    const [link] = (await as(server, key).get('/api/v1/links')).json.data;
    assert.equal(link.destinationUrl, 'https://example.com/from-firefox');
    await says(link.shortUrl.replace('http://', ''));
  } finally {
    await firefox.close();
  }
});
