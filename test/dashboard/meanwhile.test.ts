import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteOfItsOwn } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { call, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

// Changes while a page is open: in another tab, on the server, with a key, and for readers of a share.
describe('concurrent changes in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteOfItsOwn();
  const comeBack = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))");

  test("two tabs: shows one tab's changes in the other when it is opened", async () => {
    const { page, api, complaints, close } = await site.open();
    await makeLink(api, { customCode: 'two-tabs', title: 'Original' });
    const other = await page.context().newPage();
    await Promise.all([page.goto('/dashboard/links'), other.goto('/dashboard/links/two-tabs')]);
    await page.locator('.row', { hasText: 'Original' }).waitFor();
    await other.getByRole('button', { name: 'Original' }).click();
    await other.getByLabel('Edit title').fill('Renamed');
    await other.keyboard.press('Enter');
    await other.getByRole('button', { name: 'Renamed' }).waitFor();
    assert.equal(await page.locator('.row', { hasText: 'Renamed' }).count(), 0);
    await comeBack(page);
    await page.locator('.row', { hasText: 'Renamed' }).waitFor();
    await page.locator('.row').first().focus();
    await page.keyboard.press('Backspace');
    await page.getByText('1 link moved to the bin').waitFor();
    await until('the other tab knows that the link is gone', async () => {
      await comeBack(other);
      return other.getByRole('heading', { name: 'Link not found' }).isVisible();
    });
    assert.deepEqual(
      complaints.filter((one) => !one.includes('status of 404')),
      [],
    );
    await close();
  });

  test('removes a link deleted on its page from the list before the server confirms', async () => {
    const { page, api, close } = await site.open();
    for (const customCode of ['stays', 'leaves']) await makeLink(api, { customCode });
    await page.goto('/dashboard/links/leaves');
    await page.getByText('Add title').waitFor();
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/v1/links/bulk', async (route) => {
      await isRead;
      await route.continue();
    });
    const reading = page.waitForResponse((answer) => answer.url().includes('/api/v1/links?'));
    await page.keyboard.press('Backspace');
    assert.match(await (await reading).text(), /"leaves"/, 'the server still has it');
    await page.locator('.row', { hasText: 'stays' }).waitFor();
    assert.equal(await page.locator('.row', { hasText: 'leaves' }).count(), 0);

    const again = page.waitForResponse((answer) => answer.url().includes('/api/v1/links?'));
    resolve();
    await page.getByText('1 link moved to the bin').waitFor();
    assert.doesNotMatch(await (await again).text(), /"leaves"/);
    assert.equal(await page.locator('.row', { hasText: 'leaves' }).count(), 0);
    await close();
  });

  test('shows clicks and changes live; clicks even when the stream is refused', async () => {
    const { page, api, complaints, close } = await site.open();
    const path = `/api/v1/links/${await makeLink(api, { customCode: 'as-it-happens' })}`;
    const click = () =>
      call(site.server, 'GET', '/as-it-happens', { headers: { referer: 'https://a.example/' } });
    const rows = page.locator('.last-clicks li');
    const opened = (): Promise<unknown> =>
      page.waitForResponse((answer) => answer.url().endsWith('/api/v1/events'));
    await Promise.all([opened(), page.goto('/dashboard')]);
    await page.getByText('0 in the last minute').waitFor();
    await click();
    await rows.filter({ hasText: '/as-it-happens' }).filter({ hasText: 'a.example' }).waitFor();
    await page.getByText('1 in the last minute').waitFor();

    await page.goto('/dashboard/links/as-it-happens');
    await page.getByText('Add title').waitFor();
    await api.patch(path, { title: 'Changed elsewhere' });
    await page.getByRole('button', { name: 'Changed elsewhere' }).waitFor();
    // A busy server may reject a request; the page retries.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('status of 503')),
      [],
    );

    const error = { code: 'TOO_MANY_STREAMS', message: 'Too many.', requestId: 'r' };
    await page.route('**/api/v1/events', (route) =>
      route.fulfill({ status: 429, json: { success: false, error } }),
    );
    await Promise.all([opened(), page.goto('/dashboard')]);
    await rows.nth(0).waitFor();
    await click();
    await rows.nth(1).waitFor();
    await close();
  });

  test('a share: created, read by a stranger on its own page, ended', async () => {
    const { page, api, complaints, close } = await site.open();
    const id = await makeLink(api, {
      customCode: 'shared-1',
      title: 'For readers',
      description: 'Not for strangers',
      url: 'https://example.com/secret',
    });
    await call(site.server, 'GET', '/shared-1', { headers: { referer: 'https://news.example.com/' } });
    await until('the click is counted', async () => {
      const { json } = await api.get(`/api/v1/links/${id}/stats`);
      return json.data.totals.clicks === 1;
    });
    await page.goto('/dashboard/links/shared-1');
    await page.getByRole('link', { name: 'Share' }).click();
    await page.getByRole('heading', { name: 'Share statistics for /shared-1' }).waitFor();
    assert.ok(page.url().endsWith('?share=shared-1'), page.url());
    await page.getByRole('button', { name: 'Create share link' }).click();
    const address = await page.locator('.shared-slip .mono').innerText();
    await page.getByText(/expires \d/).waitFor();

    const shown = await call(site.server, 'GET', new URL(address).pathname);
    assert.equal(shown.headers.get('x-robots-tag'), 'noindex');
    assert.equal(shown.headers.get('referrer-policy'), 'no-referrer');
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      const context = await site.browser.newContext({
        colorScheme,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
      });
      const stranger = await context.newPage();
      const asked: string[] = [];
      stranger.on('request', (request) => asked.push(new URL(request.url()).pathname));
      stranger.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await stranger.goto(address);
      await stranger.getByRole('heading', { name: 'For readers' }).waitFor();
      await stranger.locator('.breakdown').getByText('news.example.com').waitFor();
      assert.equal(await scrollsSideways(stranger), false);
      const text = await stranger.locator('body').innerText();
      assert.ok(!/Not for strangers|secret|Settings/.test(text), text);
      const api = asked.filter((path) => path.startsWith('/api/'));
      assert.ok(api.length > 0 && api.every((path) => path.startsWith('/api/v1/shared/')), String(api));
      await context.close();
    }

    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('button', { name: 'Confirm revoke' }).click();
    await page.getByText('No share links yet.').waitFor();
    const late = await site.browser.newPage({ locale: 'en-GB' });
    await late.goto(address);
    await late.getByRole('heading', { name: 'This share link no longer works' }).waitFor();
    await late.close();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('asks a new browser for a key without failing requests', async () => {
    const context = await site.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${site.server.url}/dashboard`);
    await page.getByLabel('API key').waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('ends the session in place when its key is revoked; another one continues there', async () => {
    const { page, api, id: keyId, close } = await site.open();
    await makeLink(api, { customCode: 'revoked-1' });
    await page.goto('/dashboard/links');
    await page.locator('.row', { hasText: 'revoked-1' }).waitFor();
    assert.equal((await api.delete(`/api/v1/keys/${keyId}`)).status, 204);
    await comeBack(page);
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    // The screen stays visible behind the dialog.
    assert.equal(await page.locator('.row', { hasText: 'revoked-1' }).count(), 1);
    await close();
  });

  test('shows a server restart and recovers automatically, with the session', async () => {
    const { page, api, close } = await site.open();
    await makeLink(api, { customCode: 'restart-1' });
    await page.goto('/dashboard/links');
    await page.locator('.row', { hasText: 'restart-1' }).waitFor();
    await site.server.stop();
    await comeBack(page);
    await page.getByText(/No connection to the server since/).waitFor();
    assert.equal(await page.locator('.row', { hasText: 'restart-1' }).count(), 1);
    site.server = await startServer({ PORT: String(site.server.port) }, site.server.dataDir);
    await makeLink(api, { customCode: 'restart-2' });
    await page.getByText(/No connection/).waitFor({ state: 'detached' });
    await page.locator('.row', { hasText: 'restart-2' }).waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('Destination').fill('https://example.com/after');
    await page.keyboard.press('Control+Enter');
    await until('a third link is made', async () => (await page.locator('.row').count()) === 3);
    await close();
  });
});
