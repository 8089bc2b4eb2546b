import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteForTests, violationsOn } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { call } from '../support/server/server.ts';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const pixel =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
const instagram = `${pixel.replace(') Apple', '; wv) Apple')} Instagram 350.0.0.0.0 Android`;
const phone = { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true };

describe('rules that open apps, in a browser', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test('are created in the dashboard: the scheme in the settings, the app in the editor', async () => {
    const { page, api, complaints, close } = await site.open({ viewport: { width: 360, height: 800 } });
    await makeLink(api, { customCode: 'opens-app', url: 'https://example.com/usual' });
    await page.goto('/dashboard/links/opens-app');
    await page.getByRole('heading', { name: /opens-app$/ }).waitFor();
    await page.keyboard.press('e');
    const dialog = page.locator('.dialog');
    await dialog.getByText('Rules', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await dialog.getByRole('button', { name: /^Remove condition/ }).click();
    await dialog.getByText('Open app', { exact: true }).click();
    await dialog.getByLabel('Web page for everyone else').fill('example.com/item/1');
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('Enter the URL that opens the app.').waitFor();
    await dialog.getByLabel('App URL (Android)').fill('acme://item/1');
    assert.equal(await scrollsSideways(page), false);
    assert.deepEqual(await violationsOn(page, { isOfTop: true }), []);
    await page.keyboard.press('Control+Enter');
    await dialog.getByText(/Uses the scheme acme, which the account does not allow/).waitFor();

    await page.goto('/dashboard/settings#apps');
    const field = page.locator('#apps').getByRole('combobox', { name: 'App schemes' });
    const saved = () => page.waitForResponse((response) => response.request().method() === 'PATCH');
    for (const [text, status] of [
      ['javascript:alert(1)', 400],
      ['ACME://item/1', 200],
    ] as const) {
      const response = saved();
      await field.fill(text);
      await page.keyboard.press('Enter');
      assert.equal((await response).status(), status);
    }
    await page.locator('#apps').getByText('javascript').waitFor({ state: 'detached' });
    assert.deepEqual((await api.get('/api/v1/account')).json.data.appSchemes, ['acme']);
    assert.deepEqual(
      complaints.filter((text) => !text.includes('400')),
      [],
    );
    await close();
  });

  const opened = async (userAgent: string, code: string) => {
    const context = await site.browser.newContext({ ...phone, userAgent, javaScriptEnabled: false });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const response = await page.goto(`${site.server.url}/${code}`).catch(() => undefined);
    return { page, asked, status: response?.status(), close: () => context.close() };
  };

  test('offer the app on iOS without script, accessibly and in both themes; desktops go to the web page', async () => {
    const { api, close } = await site.open();
    await api.patch('/api/v1/account', { appSchemes: ['acme'] });
    const apps = { ios: { appUrl: 'acme://item/1', storeUrl: 'https://apps.apple.com/app/id123' } };
    const to = { url: 'https://example.com/item/1', apps: { ...apps, android: { appUrl: 'acme://item/1' } } };
    await makeLink(api, { customCode: 'phone-app', url: 'https://example.com/', rules: [{ when: [], to }] });

    for (const agent of [iphone, instagram]) {
      const { page, status, asked, close: leave } = await opened(agent, 'phone-app');
      assert.equal(status, 200);
      await page.getByRole('heading', { name: 'Open in the app?' }).waitFor();
      const links = await page
        .locator('main a')
        .evaluateAll((found) => found.map((one) => (one as unknown as { href: string }).href));
      const store = agent === iphone ? ['https://apps.apple.com/app/id123'] : [];
      assert.deepEqual(links, ['acme://item/1', ...store, 'https://example.com/item/1']);
      assert.equal(await scrollsSideways(page).catch(() => false), false);
      assert.deepEqual(asked.slice(1), [], 'nothing else is loaded');
      await leave();
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await site.browser.newContext({ ...phone, userAgent: iphone, colorScheme });
      const page = await context.newPage();
      const blocked: string[] = [];
      page.on('console', (message) => blocked.push(message.text()));
      await page.goto(`${site.server.url}/phone-app`);
      assert.deepEqual(blocked, [], 'the policy blocks nothing');
      await page.keyboard.press('Tab');
      assert.equal(await page.locator('a:focus').innerText(), 'Open app');
      assert.equal(await scrollsSideways(page), false);
      await page.close();
      // The page allows no scripts, so axe must run on a copy of it.
      const copy = await context.newPage();
      const headers = { 'user-agent': iphone, accept: 'text/html' };
      await copy.setContent((await call(site.server, 'GET', '/phone-app', { headers })).text);
      assert.deepEqual(await violationsOn(copy), []);
      await context.close();
    }
    await close();
  });

  test('redirect Android browsers to an intent URL with the fallback', async () => {
    const { api, close } = await site.open();
    await api.patch('/api/v1/account', { appSchemes: ['acme'] });
    const to = { url: 'https://example.com/item/1', apps: { android: { appUrl: 'acme://item/1' } } };
    await makeLink(api, { customCode: 'robot-app', url: 'https://example.com/', rules: [{ when: [], to }] });
    const context = await site.browser.newContext({ ...phone, userAgent: pixel });
    const page = await context.newPage();
    const redirects: (string | undefined)[] = [];
    page.on('response', (response) => redirects.push(response.headers()['location']));
    await page.goto(`${site.server.url}/robot-app`).catch(() => undefined);
    assert.deepEqual(redirects, [
      'intent://item/1#Intent;scheme=acme;S.browser_fallback_url=https%3A%2F%2Fexample.com%2Fitem%2F1;end',
    ]);
    await context.close();
    await close();
  });
});
