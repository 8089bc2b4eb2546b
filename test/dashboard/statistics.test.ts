import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ask } from '../support/http/ask.ts';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { as, type TestKey } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** Seven clicks, with their dimensions and counts. */
const clicks = [
  { times: 3, path: '/autumn', agent: iphone, referrer: 'https://instagram.com/' },
  { times: 1, path: '/autumn?trigger=qr', agent: iphone, referrer: '' },
  { times: 2, path: '/winter?utm_source=letter', agent: windows, referrer: 'https://www.google.com/' },
  { times: 1, path: '/autumn', agent: 'curl/8.14.1', referrer: '' },
] as const;

describe('statistics in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();
  let key: TestKey;
  before(async () => {
    key = await site.server.newKey({ scopes: 'links:read,links:write,analytics:read' });
    const api = as(site.server, key.key);
    await makeLink(api, { customCode: 'autumn', title: '<img src=x onerror=alert(1)>' });
    await makeLink(api, { customCode: 'winter' });
    for (const { times, path, agent, referrer } of clicks) {
      for (let time = 0; time < times; time += 1) {
        const headers = {
          'user-agent': agent,
          'accept-language': 'de-DE,de',
          ...(referrer !== '' && { referer: referrer }),
        };
        assert.equal((await ask(site.server, { path, headers })).status, 302);
      }
    }
    await until('the clicks are in the statistics', async () => {
      const { json } = await api.get('/api/v1/stats');
      return json.data.totals.clicks === 7;
    });
  });

  const open = (path: string, options: BrowserContextOptions = {}) =>
    site.open({ key, path: `/dashboard${path}`, reducedMotion: 'reduce', ...options });
  const figure = (page: Page, name: string) =>
    page.getByRole('group', { name: 'Metric' }).getByRole('button', { name });
  const isCounted = (page: Page, name: string, count: number) =>
    figure(page, name)
      .filter({ hasText: new RegExp(`^${name}${count}(?!\\d)`) })
      .waitFor();
  const queryOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

  test('shows clicks: totals, classes, breakdowns, and the table of the chart', async () => {
    const { page, complaints, close } = await open('/statistics');
    await isCounted(page, 'Clicks', 7);
    await isCounted(page, 'QR scans', 1);
    const kinds = page.getByRole('group', { name: 'Traffic types' });
    assert.match((await kinds.textContent()) ?? '', /People 6.*Bots 1.*Previews 0.*Prefetches 0/);
    await page.getByRole('button', { name: '/autumn 5' }).waitFor();
    await page.getByRole('button', { name: 'instagram.com 3' }).waitFor();
    await page.getByRole('tab', { name: 'Languages' }).click();
    await page.getByRole('button', { name: 'German 7' }).waitFor();
    await page.getByRole('button', { name: 'Show table' }).click();
    const rows = await page.getByRole('region', { name: 'Clicks' }).locator('tbody tr').allTextContents();
    assert.equal(rows.length, 30);
    assert.match(rows.at(-1) ?? '', /610070$/, 'people, bots, previews, prefetch, all, before');
    // The state is in the URL, so it survives a reload.
    await page.reload();
    await isCounted(page, 'Clicks', 7);
    await page.getByRole('button', { name: 'instagram.com 3' }).waitFor();
    await page.getByRole('button', { name: 'German 7' }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: 'Export' })
        .click()
        .then(() => page.getByRole('menuitem', { name: /^CSV/ }).click()),
    ]);
    const csv = readFileSync(await saved.path(), 'utf8');
    assert.match(csv, /\r\nbreakdown,language,de,7,/);
    assert.match(csv, /\r\nbreakdown,referrer,instagram\.com,3,/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('filters by a click on a row, excludes with Shift; Back undoes it', async () => {
    const { page, close } = await open('/statistics');
    await page.getByRole('button', { name: 'instagram.com 3' }).click();
    await isCounted(page, 'Clicks', 3);
    assert.deepEqual(queryOf(page).getAll('filter'), ['referrer:is:instagram.com']);
    await page.getByRole('button', { name: 'Invert filter: Referrer is instagram.com' }).click();
    await isCounted(page, 'Clicks', 4);
    await page.goBack();
    await page.goBack();
    await isCounted(page, 'Clicks', 7);
    await page.getByRole('button', { name: 'Windows 2' }).click({ modifiers: ['Shift'] });
    await isCounted(page, 'Clicks', 5);
    assert.deepEqual(queryOf(page).getAll('filter'), ['os:is-not:windows']);
    await page.getByRole('button', { name: 'Remove filter' }).click();
    await isCounted(page, 'Clicks', 7);
    await close();
  });

  test('works by keyboard only: classes, periods, filter, into a bar and back', async () => {
    const { page, close } = await open('/links/autumn');
    await isCounted(page, 'Clicks', 5);
    await page.keyboard.press('1');
    await isCounted(page, 'Clicks', 4);
    assert.equal(queryOf(page).get('class'), 'human');
    await page.keyboard.press('1');
    await isCounted(page, 'Clicks', 5);

    await page.keyboard.press('f');
    await page.getByRole('combobox', { name: 'Filter' }).pressSequentially('dev');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Device' }).pressSequentially('mob');
    await page.getByRole('option', { name: 'Mobile' }).waitFor();
    await page.keyboard.press('Enter');
    await isCounted(page, 'Clicks', 4);
    assert.deepEqual(queryOf(page).getAll('filter'), ['device:is:mobile']);
    await page.keyboard.press('Escape');

    await page.getByRole('group', { name: /^Clicks from/ }).focus();
    await page.keyboard.press('End');
    await page
      .getByRole('status')
      .filter({ hasText: /^\w+ \d+ \w+: 4/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/period=today|period=\d{4}-\d\d-\d\d/);
    await page.getByText('Hourly').waitFor();
    await isCounted(page, 'Clicks', 4);
    await page.keyboard.press('Backspace');
    await page.waitForURL((url) => !url.searchParams.has('period'));
    await page.keyboard.press('w');
    await page.waitForURL(/period=7d/);
    await page.keyboard.press('x');
    await page.waitForURL(/compare=none/);
    await page.keyboard.press('a');
    await page.waitForURL(/period=all/);
    await isCounted(page, 'Clicks', 4);
    await close();
  });

  test('handles no clicks, no permission, and the first click', async () => {
    const empty = await site.open({ scopes: 'links:read,links:write,analytics:read' });
    await makeLink(empty.api, { customCode: 'unseen' });
    await empty.page.goto('/dashboard/links/unseen');
    await empty.page.getByText('No clicks yet.').waitFor();
    assert.deepEqual(empty.complaints, []);
    await empty.close();
    const forbidden = await site.open({ path: '/dashboard/statistics', scopes: 'links:read' });
    await forbidden.page.getByText('You don’t have permission to view statistics.').waitFor();
    await forbidden.close();
    // If loading fails, the controls remain, so that the user can choose another range.
    const { page, close } = await open('/links/autumn');
    await isCounted(page, 'Clicks', 5);
    await page.route('**/stats?*', (route) => route.abort(), { times: 50 });
    await page.keyboard.press('w');
    await page.getByText('Could not load the statistics').first().waitFor();
    await page.unroute('**/stats?*');
    await page.keyboard.press('m');
    await isCounted(page, 'Clicks', 5);
    await close();
  });

  test('shows today, top links, and links that end soon on home', async () => {
    const api = as(site.server, key.key);
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await makeLink(api, { customCode: 'ending', expiresAt });
    const { page, complaints, close } = await open('');
    await page.getByText('Clicks today').waitFor();
    await page.locator('.home-figures dd').first().filter({ hasText: /^7/ }).waitFor();
    await page
      .getByRole('region', { name: /^Top links/ })
      .getByRole('link', { name: '/autumn' })
      .waitFor();
    await page.getByText('expires in 5 days').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});
