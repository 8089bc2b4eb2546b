import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteOfItsOwn, violationsOn } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { call } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { addMissedVisits, addPastClicks } from './past-clicks.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Asserts that a page has no accessibility violations in either theme. */
async function isFineInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violationsOn(page), [], colorScheme);
  }
}

describe('details of the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteOfItsOwn();
  const click = (code: string) => call(site.server, 'GET', `/${code}`);

  test('charts the last 60 minutes with clicks, and highlights growing bars', async () => {
    const { page, api, complaints, close } = await site.open();
    const linkId = await makeLink(api, { customCode: 'live-1' });
    await addPastClicks(site.server, [
      { linkId, at: Date.now() - 30 * 60_000, times: 3 },
      { linkId, at: Date.now() - 90 * 60_000, times: 9 },
    ]);
    const events = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/events'));
    await Promise.all([events, page.goto('/dashboard')]);
    const strip = page.getByRole('img', { name: /^Last 60 minutes: 3 clicks, peak at/ });
    await strip.waitFor();
    assert.equal(await strip.locator('.past').count(), 1, 'minutes without clicks are empty');
    assert.equal(await strip.locator('.tinted').count(), 0);
    await click('live-1');
    const grown = page.getByRole('img', { name: /^Last 60 minutes: 4 clicks/ });
    await grown.waitFor();
    assert.equal(await grown.locator('.tinted').count(), 1);
    await grown.locator('title', { hasText: '· 3 clicks' }).waitFor({ state: 'attached' });
    assert.deepEqual(complaints, []);
    await close();
  });

  test("shows a share's title, full short URL, logo, color and freshness, and prints without controls", async () => {
    const { page, api, close } = await site.open();
    const linkId = await makeLink(api, { customCode: 'shown-1', title: 'Spring launch' });
    await addPastClicks(site.server, [
      { linkId, at: Date.now() - hourMs, times: 3, referrer: 'news.example' },
    ]);
    const logo =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    await api.put('/api/v1/branding', { name: 'Acme Bikes', accent: '#7a1f5a', logo });
    const { token } = (await api.post(`/api/v1/links/${linkId}/share`, {})).json.data;
    const context = await site.browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    const reader = await context.newPage();
    await reader.goto(`${site.server.url}/dashboard/shared/${token}`);
    await reader.getByRole('heading', { level: 1, name: 'Spring launch' }).waitFor();
    const short = reader.getByRole('link', { name: `${new URL(site.server.url).host}/shown-1` });
    assert.equal(await short.getAttribute('href'), `${site.server.url}/shown-1`);
    await reader.getByRole('img', { name: 'Acme Bikes' }).waitFor();
    const colours = await short.evaluate((one) => {
      // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
      return (globalThis as any).getComputedStyle(one).color;
    });
    assert.equal(colours, 'rgb(122, 31, 90)');
    await reader.getByText('Linkfold', { exact: true }).waitFor();
    const clicks = reader.getByRole('button', { name: /^Clicks/ });
    await clicks.filter({ hasText: /^Clicks3/ }).waitFor();

    await click('shown-1');
    await until('the click is there once it is read again', async () => {
      await reader.getByRole('button', { name: /^Updated/ }).click();
      // Each press loads data, so wait for a slow response before the next press.
      const four = clicks.filter({ hasText: /^Clicks4/ });
      return four.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });

    await reader.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await reader.setViewportSize({ width: 700, height: 1_000 });
    const seen = (name: string | RegExp) => reader.getByRole('button', { name }).first().isVisible();
    assert.equal(await seen('Last 30 days'), true, 'the chosen range is printed');
    for (const name of [/^Filter/, 'Export', 'Show table', /^Updated/]) assert.equal(await seen(name), false);
    assert.equal(await reader.getByRole('tab').filter({ visible: true }).count(), 4, 'one of each breakdown');
    assert.equal(await reader.locator('.on-paper').isVisible(), true);
    assert.equal(await scrollsSideways(reader), false);
    const ground = await reader.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
      const { document, getComputedStyle } = globalThis as any;
      return getComputedStyle(document.documentElement).backgroundColor;
    });
    assert.equal(ground, 'rgb(251, 250, 248)', 'paper is light');
    await context.close();
    // Other pages are printed without their navigation.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.goto('/dashboard/links/shown-1');
    await page.getByRole('heading', { name: /shown-1$/ }).waitFor();
    assert.equal(await page.locator(':is(.sidebar, .bottom-bar):visible').count(), 0);
    await close();
  });

  test('shows 30 days of clicks for folders and tags, loaded at once, with links to statistics', async () => {
    const { page, api, close } = await site.open();
    const folderId = (await api.post('/api/v1/folders', { name: 'Winter' })).json.folder.id;
    await api.post('/api/v1/folders', { name: 'Empty' });
    const linkId = await makeLink(api, { folderId, tags: ['poster', 'mail'] });
    await addPastClicks(site.server, [
      { linkId, at: Date.now() - 3 * dayMs, times: 1_200 },
      { linkId, at: Date.now() - hourMs, times: 4 },
    ]);
    for (const [screen, name] of [
      ['folders', 'Winter'],
      ['tags', 'poster'],
    ] as const) {
      const asked: string[] = [];
      const note = (request: { url(): string }) => asked.push(request.url());
      page.on('request', note);
      await page.goto(`/dashboard/${screen}`);
      const row = page.locator('.ledger tbody tr', { hasText: name });
      await row.locator('.sparkline path:not(.none)').nth(1).waitFor();
      await row.getByRole('link', { name: '1,204' }).waitFor();
      const questions = asked.filter((url) => /clicksByDay|\/stats/.test(url));
      assert.deepEqual(
        new Set(questions.map((url) => new URL(url).pathname)),
        new Set([`/api/v1/${screen}`]),
        'one request for all of them',
      );
      page.off('request', note);
      // The name, the number and the clicks are on one line.
      const middles = await row.locator('b, td.number').evaluateAll((all) =>
        all
          .filter((one) => !one.querySelector('svg, a'))
          .map((one) => {
            // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
            const range = (globalThis as any).document.createRange();
            range.selectNodeContents(one);
            const { top, bottom } = range.getBoundingClientRect();
            return (top + bottom) / 2;
          }),
      );
      assert.ok(middles.length >= 2 && Math.max(...middles) - Math.min(...middles) <= 0.75, `${middles}`);
    }
    const empty = await page.goto('/dashboard/folders').then(() => page.locator('tr', { hasText: 'Empty' }));
    await empty.getByRole('img', { name: 'No clicks in 30 days' }).waitFor();
    await page.getByRole('link', { name: '1,204' }).click();
    await page.waitForURL(`**/dashboard/statistics?folder=${folderId}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/dashboard/folders');
    await page.getByRole('link', { name: '1,204' }).waitFor();
    assert.equal(await scrollsSideways(page), false);
    await close();
  });

  test('shows the title next to each code in the breakdown by link; the code opens the link, the row filters', async () => {
    const { page, api, close } = await site.open();
    const linkId = await makeLink(api, { customCode: 'titled-1', title: 'Mechanics wanted' });
    await addPastClicks(site.server, [{ linkId, at: Date.now() - hourMs, times: 5 }]);
    await page.goto('/dashboard/statistics?period=7d');
    const name = page.getByRole('link', { name: '/titled-1 Mechanics wanted' });
    await name.waitFor();
    await page.getByRole('button', { name: '/titled-1 5' }).click();
    await page.getByRole('button', { name: 'Invert filter: Link is /titled-1' }).waitFor();
    await name.click();
    await page.getByRole('heading', { name: /titled-1$/ }).waitFor();
    assert.equal(new URL(page.url()).search, '?period=7d', 'the same days, without the filter');
    await close();
  });

  test("explains data that requires the operator's database", async () => {
    const { page, api, close } = await site.open();
    const linkId = await makeLink(api);
    await addPastClicks(site.server, [{ linkId, at: Date.now() - hourMs, times: 5 }]);
    await page.goto('/dashboard/statistics');
    await page.getByRole('tab', { name: 'Networks' }).click();
    await page.getByRole('button', { name: 'Unknown 5' }).first().waitFor();
    await page
      .getByText('Not available. Ask the operator to set GEO_DATABASE to a database that includes this data.')
      .waitFor();
    await close();
  });

  test('starts an empty account with three steps, which disappear when done', async () => {
    const { page, api, complaints, close } = await site.open({ path: '/dashboard' });
    const steps = page.getByRole('list', { name: 'Getting started' }).getByRole('listitem');
    await page.getByRole('heading', { level: 1, name: 'Create your first link in three steps' }).waitFor();
    assert.equal(await steps.count(), 3);
    assert.equal(await page.locator('.home-figures, .home-side, .page-head').count(), 0);
    await page.locator('input:focus').fill('no address');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.locator('input:focus').fill('winter.invalid/rides');
    await page.keyboard.press('Enter');
    const open = page.getByRole('link', { name: 'Open', exact: true });
    await open.waitFor();
    assert.equal(await steps.count(), 2);
    await isFineInBothThemes(page);
    const address = (await open.getAttribute('href')) ?? '';
    const [window] = await Promise.all([page.waitForEvent('popup'), open.press('Enter')]);
    await page.getByText(/^Waiting for your click|^1 click$/).waitFor();
    assert.equal(await steps.count(), 1);
    await page.getByText('1 click', { exact: true }).waitFor();
    await window.close();
    await isFineInBothThemes(page);
    await page.getByRole('button', { name: 'Go to Home' }).click();
    await page.locator('.home-figures dd').first().filter({ hasText: /^1/ }).waitFor();
    assert.equal(await steps.count(), 0);
    const code = address.split('/').at(-1);
    assert.equal((await api.get(`/api/v1/links/by-code/${code}`)).json.data.clicks, 1);
    assert.deepEqual(complaints, []);
    await close();
    const reader = await site.open({ path: '/dashboard', scopes: 'links:read,analytics:read' });
    await reader.page.getByText('Clicks today').waitFor();
    await reader.close();
  });

  test('counts a first link opened before its page is listening', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard' });
    await page.route('**/api/v1/shorten', async (route) => {
      const response = await route.fetch();
      const { shortUrl } = JSON.parse(await response.text()).data;
      await fetch(shortUrl, { redirect: 'manual' });
      // Delays the response until the click is applied, because listeners that connect later are not notified of the
      // click.
      await until(
        'the click is applied',
        async () => (await api.get('/api/v1/stats')).json.data.totals.clicks === 1,
      );
      await route.fulfill({ response });
    });
    await page.locator('input:focus').fill('winter.invalid/early');
    await page.keyboard.press('Enter');
    await page.getByText('1 click', { exact: true }).waitFor();
    await close();
  });

  test('summarizes changes since the last visit on home: risen, fallen, ending, broken links, with counts', async () => {
    const { page, api, complaints, close } = await site.open();
    const now = Date.now();
    const link = (customCode: string, fields = {}) =>
      makeLink(api, { customCode, title: `Title of ${customCode}`, ...fields });
    const steady = await link('steady-1');
    const rising = await link('rising-1');
    const falling = await link('falling-1');
    const dead = await link('dead-1', { enabled: false });
    const ends = new Date(now + 14 * dayMs - hourMs).toISOString();
    const ending = await link('ending-1', { expiresAt: ends });
    await addPastClicks(site.server, [
      ...[hourMs, hourMs + 7 * dayMs].map((ago) => ({ linkId: steady, at: now - ago, times: 80 })),
      { linkId: rising, at: now - hourMs, times: 30, referrer: 'news.example' },
      { linkId: rising, at: now - hourMs, times: 12 },
      { linkId: rising, at: now - hourMs - 7 * dayMs, times: 10 },
      { linkId: falling, at: now - 2 * hourMs - 7 * dayMs, times: 40, referrer: 'old.example' },
      { linkId: ending, at: now - 30 * hourMs, times: 7 },
    ]);
    await addMissedVisits(site.server, dead, 2, 17);
    await page.addInitScript(
      `localStorage['linkfold.visit'] ??= JSON.stringify({ before: null, seenAt: ${now - 20 * hourMs} })`,
    );
    await page.goto('/dashboard');
    const section = page.getByRole('region', { name: 'Since your last visit' });
    await section.waitFor();
    await section.getByText('compared with the same time last week').waitFor();
    const lines = await section.getByRole('listitem').allInnerTexts();
    assert.deepEqual(
      lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()),
      [
        '/rising-1 Title of rising-1 42 clicks, previously 10; news.example +30',
        '/falling-1 Title of falling-1 0 clicks, previously 40; old.example −40',
        '/ending-1 Title of ending-1 expires in 14 days; 7 clicks in 30 days',
        '/dead-1 17 visitors could not be redirected: disabled',
      ],
    );
    // A reload does not count as a new visit to the dashboard, so the same changes are shown.
    await page.reload();
    await section.getByText('/falling-1').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await scrollsSideways(page), false);
    // The section stays visible during an outage, and is not rendered again when the connection is back.
    await section.evaluate("document.querySelector('.changed').dataset.mark = 'same'");
    await page.context().setOffline(true);
    await page.getByText(/No connection to the server since/).waitFor();
    const again = page.waitForResponse((answer) => answer.url().includes('sort=expiresAt'));
    await page.context().setOffline(false);
    await again;
    await page.getByText(/No connection to the server since/).waitFor({ state: 'detached' });
    assert.equal(await section.getAttribute('data-mark'), 'same');
    await section.getByRole('link', { name: /rising-1/ }).click();
    await page.getByRole('heading', { name: /rising-1$/ }).waitFor();
    assert.deepEqual(
      complaints.filter((one) => !/ERR_INTERNET_DISCONNECTED|ERR_NETWORK/.test(one)),
      [],
    );
    await close();
  });

  test('shows one row per link in a wide window, with destination, folder, tags and last click', async () => {
    const { page, api, close } = await site.open({ viewport: { width: 1800, height: 900 } });
    const folderId = (await api.post('/api/v1/folders', { name: 'Winter' })).json.folder.id;
    const linkId = await makeLink(api, {
      customCode: 'wide-1',
      title: 'Wide',
      url: 'https://example.com/a/path',
      folderId,
      tags: ['poster'],
    });
    await addPastClicks(site.server, [{ linkId, at: Date.now() - 3 * hourMs, times: 2 }]);
    await page.goto('/dashboard/links');
    const row = page.locator('.row', { hasText: 'wide-1' });
    await row.getByText(/^[34] hours ago$/).waitFor();
    const heads = await page.locator('.list-head').innerText();
    assert.deepEqual(heads.split(/\s*\n\s*/).filter(Boolean), [
      ...['Link', 'Destination', 'Folder', 'Tags', 'Last click', '30 days', 'Clicks', 'Created'],
    ]);
    const cells = ['.code', '.name', '.target', '.in', '.tag', '.last', '.days svg', '.clicks', '.date'];
    const boxes = await Promise.all(cells.map((cell) => row.locator(cell).boundingBox()));
    const lefts = boxes.map((box) => box?.x ?? 0);
    assert.deepEqual(
      lefts,
      lefts.toSorted((a, b) => a - b),
    );
    const middles = boxes.map((box) => (box?.y ?? 0) + (box?.height ?? 0) / 2);
    assert.ok(Math.max(...middles) - Math.min(...middles) <= 3, `one line: ${middles}`);
    assert.equal((await row.boundingBox())?.height, 44);
    await isFineInBothThemes(page);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemradio', { name: 'Last click' }).click();
    await row.locator('.last').waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await until('a row has two lines', async () => (await row.boundingBox())?.height === 58);
    assert.equal(await scrollsSideways(page), false);
    await close();
  });

  test('uses no font weight that fonts would synthesize', async () => {
    const { page, api, close } = await site.open();
    await makeLink(api, { customCode: 'weight-1', title: 'Weight' });
    for (const path of ['', '/links', '/links/weight-1', '/statistics', '/keys', '/settings']) {
      await page.goto(`/dashboard${path}`);
      await page.locator('h1').waitFor();
      const weights = await page.evaluate(() => {
        // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
        const { document, getComputedStyle } = globalThis as any;
        const all = [...document.querySelectorAll('*')];
        return [...new Set(all.map((one) => getComputedStyle(one).fontWeight as string))];
      });
      assert.ok(
        weights.every((weight) => ['400', '500', '600'].includes(weight)),
        `${path}: ${weights}`,
      );
    }
    await close();
  });
});
