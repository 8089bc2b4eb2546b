import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import type { Api } from '../support/server/records.ts';
import { makeLink } from '../support/server/records.ts';
import { until } from '../support/until.ts';

/** Returns a string for the focused element: its row, label or text content. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
    const { document } = globalThis as any;
    const { activeElement: one } = document;
    if (one === document.body) return 'nothing';
    if (one.getAttribute('role') === 'row') return one.querySelector('.code').textContent;
    return one.labels?.[0]?.textContent ?? one.getAttribute('aria-label') ?? one.textContent;
  });
}

function untilFocused(page: Page, wanted: string): Promise<number> {
  return until(`the focus is on ${wanted}`, async () => (await focused(page)) === wanted, {
    withinMs: 10_000,
    everyMs: 50,
  });
}

async function makeMany(api: Api, count: number): Promise<void> {
  for (let at = 0; at < count; at += 500) {
    const links = Array.from({ length: Math.min(500, count - at) }, (_, row) => ({
      url: `https://example.com/${at + row}`,
      title: 'Cargo',
    }));
    await api.post('/api/v1/links/bulk', { action: 'create', links });
  }
}

describe('using the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test('opens a dialog for all matches at once with keyboard focus; Esc keeps the selection', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    await makeMany(api, 230);
    await page.reload();
    await page.locator('.row').first().waitFor();
    // Delays the lazily loaded code of the screens and the later pages of the list.
    await page.route(/\/assets\/screens|cursor=[^&]/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+a');
    await page.getByText('All 230 links selected').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    await page.waitForTimeout(1_500);
    assert.equal(await page.locator('dialog').count(), 0, 'the action was canceled');
    await page.getByText('All 230 links selected').waitFor();
    assert.equal((await api.get('/api/v1/links?cursor=')).json.pagination.total, 230, 'nothing was deleted');

    await page.keyboard.press('t');
    await page.getByRole('heading', { name: 'Edit tags for 230 links' }).waitFor({ timeout: 500 });
    await page.getByRole('combobox', { name: 'Tags' }).fill('all-of-them');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Tags changed for 230 links').waitFor();
    assert.equal((await api.get('/api/v1/tags')).json.data[0].linkCount, 230);
    await close();
  });

  test('shows the count of several thousand matches, all of which can be selected', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    await makeMany(api, 4_600);
    await page.goto('/dashboard/links?q=cargo');
    await page.locator('.row').first().waitFor();
    await page.locator('.total', { hasText: '4,600' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+a');
    await page.getByText('All 4,600 links selected').waitFor();
    const bar = await page.locator('.bulk-bar').boundingBox();
    const side = await page.locator('.sidebar').boundingBox();
    assert.ok((bar?.x ?? 0) >= (side?.width ?? 0), 'the bar does not cover the sidebar');
    // A focused row scrolled out of view does not scroll back when more rows load.
    await page.keyboard.press('Escape');
    await page.locator('.row').nth(2).focus();
    await page.evaluate('scrollTo(0, 4000)');
    const loaded = () =>
      page.locator('.rows').evaluate((rows: { clientHeight: number }) => rows.clientHeight);
    await until('further rows are loaded', async () => (await loaded()) > 6_000, {
      withinMs: 10_000,
      everyMs: 20,
    });
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate('scrollY'), 4_000);
    await page.keyboard.press('j');
    await until('the next row has the focus', async () => {
      return (await page.locator('.row:focus').getAttribute('aria-rowindex')) === '5';
    });
    await close();
  });

  test('moves focus to the new row, the next one, or the first field, and never loses it', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    for (const customCode of ['row-3', 'row-2', 'row-1']) await makeLink(api, { customCode });
    await page.reload();
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('c');
    await untilFocused(page, 'Destination');
    await page.keyboard.type('https://example.com/new');
    await page.getByLabel('Code', { exact: true }).fill('row-0');
    await page.keyboard.press('Control+Enter');
    await untilFocused(page, '/row-0');
    await page.keyboard.press('Backspace');
    await untilFocused(page, '/row-1');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    await page.getByText('3 links moved to the bin').waitFor();
    await untilFocused(page, 'New linkC');
    await page.keyboard.press('z');
    await page.locator('.row').first().waitFor();
    await until('a row has the focus', async () => /^\/row-/.test(await focused(page)));

    await page.goto('/dashboard/links?many');
    await untilFocused(page, 'Paste links or CSV');
    await page.goto('/dashboard/links/row-1?share=row-1');
    await page.getByRole('dialog').getByText('Expires', { exact: true }).first().waitFor();
    await untilFocused(page, '30 days');
    await close();
  });

  test('opens a section of the link editor in place, scrolls to it with focus, with a heading', async () => {
    const { page, close } = await site.open({
      path: '/dashboard/links?new&url=https://example.com/fair',
      viewport: { width: 1280, height: 720 },
    });
    const dialog = page.getByRole('dialog');
    const top = async () => (await dialog.boundingBox())?.y;
    await dialog.waitFor();
    await page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished))');
    const start = await top();
    const part = (name: string) => dialog.locator('.part', { hasText: name });
    for (const [name, field] of [
      ['UTM', 'Source'],
      ['Schedule and limits', 'Never'],
      ['Social card', 'Title'],
      ['Description', 'Descriptionoptional'],
    ] as const) {
      await part(name).click();
      await until(`${name} has the focus`, async () => (await focused(page)).startsWith(field.slice(0, 5)));
      assert.equal(await top(), start, name);
      const place = await page.locator(':focus').boundingBox();
      const body = await dialog.locator('.dialog-body').boundingBox();
      assert.ok(place !== null && body !== null && place.y >= body.y, name);
      assert.ok(place.y + place.height <= body.y + body.height, name);
    }
    await dialog.getByRole('heading', { name: 'Social card' }).waitFor();
    await dialog.getByLabel('Source').fill('poster');
    await part('UTM').or(part('poster')).first().click();
    assert.equal(await dialog.getByLabel('Source').count(), 0);
    await part('poster').waitFor();
    await close();
  });

  test('starts a rule at its condition, shows its target, names its parts, and suggests codes only if needed', async () => {
    const { page, api, close } = await site.open();
    await makeLink(api, { customCode: 'builder-taken' });
    await page.goto('/dashboard/links?new&url=https://example.com/usual&part=rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await untilFocused(page, 'Country');
    const country = page.getByRole('combobox', { name: 'Country' });
    const { y = 0, height = 0 } = (await country.boundingBox()) ?? {};
    assert.ok(y > 0 && y + height < 720, 'in view');
    await page.keyboard.type('austria');
    await page.keyboard.press('Enter');
    await page.getByLabel('URL').fill('https://example.com/at');
    const arrive = page.locator('.arrive');
    await arrive.getByText('Country is Austria').waitFor();
    await arrive.getByText('example.com/at').waitFor();
    await arrive.getByText('Everyone else').waitFor();
    await page.getByRole('button', { name: /^UTM/ }).click();
    await page.getByRole('combobox', { name: 'Source' }).fill('mail');
    await page.getByRole('button', { name: 'UTM parameters', exact: true }).click();
    await page.getByRole('button', { name: /^UTM parameters\s*mail$/ }).waitFor();
    assert.equal(await page.locator('.parts kbd').count(), 0);
    await page.getByLabel('Code', { exact: true }).fill('builder-free');
    await page.getByText('Available', { exact: true }).waitFor();
    assert.equal(await page.locator('.proposals').count(), 0);
    await page.getByLabel('Code', { exact: true }).fill('builder-taken');
    await page.locator('.proposals').waitFor();
    await close();
  });

  test('selects a country by its first letters with Enter or Tab, and rejects unknown ones', async () => {
    const { page, close } = await site.open({
      path: '/dashboard/links?new&url=https://example.com/&part=rules',
    });
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('button', { name: 'Add condition' }).click();
    const country = page.getByRole('combobox', { name: /^Value/ }).or(page.getByLabel('Country').last());
    await country.first().fill('Germ');
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: 'Germany' }).waitFor();
    await page.keyboard.type('Aust');
    await page.keyboard.press('Tab');
    await until('a second one', async () => (await page.locator('.condition .chip').count()) === 2);
    await country.first().fill('Nowhere');
    await page.keyboard.press('Enter');
    await page.getByText('No results for “Nowhere”').waitFor();
    await close();
  });

  test('changes a code in the editor, keeps the old one redirecting, and undoes it', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    await makeLink(api, { customCode: 'before-1' });
    await page.goto('/dashboard/links/before-1');
    await page.getByRole('heading', { name: /before-1$/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Code', { exact: true }).fill('after-1');
    await page.getByText('/before-1 will keep redirecting here.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/dashboard/links/after-1');
    await page.getByRole('heading', { name: /after-1$/ }).waitFor();
    assert.equal((await api.get('/api/v1/links/by-code/before-1')).json.data.shortCode, 'after-1');
    await page.keyboard.press('z');
    await page.getByText('Change undone').waitFor();
    assert.equal((await api.get('/api/v1/links/by-code/before-1')).json.data.shortCode, 'before-1');
    await close();
  });

  test('draws no QR code for an invalid code, creates no links from no lines, warns about a duplicate folder name', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    await makeLink(api, { customCode: 'taken-1' });
    await page.goto('/dashboard/links?new&code=free-code-1');
    const drawing = page.locator('.qr-slip .qr-drawing');
    await drawing.waitFor();
    const code = page.getByLabel('Code', { exact: true });
    await code.fill('taken-1');
    await drawing.waitFor({ state: 'detached' });
    await code.fill('free-code-1');
    await drawing.waitFor();
    await code.fill('not a code');
    await drawing.waitFor({ state: 'detached' });
    await code.fill('');
    assert.equal(await code.getAttribute('placeholder'), null, 'nothing that reads like an address');

    await page.goto('/dashboard/links?many');
    const make = page.getByRole('button', { name: /^Create links/ });
    assert.equal(await make.getAttribute('aria-disabled'), 'true');

    await api.post('/api/v1/folders', { name: 'Winter' });
    await page.goto('/dashboard/folders?add');
    await page.getByLabel('Name').fill('winter');
    await page.getByText('Another folder has this name.').waitFor();
    await page.keyboard.press('Enter');
    await until('both are there', async () => (await page.locator('.ledger tbody tr').count()) === 2);
    await close();
  });

  test('isolates right-to-left text from the code and URL, and truncates it at its own end', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    await makeLink(api, {
      customCode: 'rtl-1',
      title: 'קיץ',
      url: 'https://example.com/ראשון/שני',
    });
    const long = 'מבצע קיץ גדול לכל הלקוחות שלנו '.repeat(3).trim().slice(0, 50);
    await api.post('/api/v1/folders', { name: long });
    await page.reload();
    await page.locator('.row').first().waitFor();
    const boxes = await page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
      const { document } = globalThis as any;
      const box = (one: { getBoundingClientRect(): { left: number; right: number } }) => {
        const { left, right } = one.getBoundingClientRect();
        return { left, right };
      };
      const row = document.querySelector('.row');
      return {
        code: box(row.querySelector('.code')),
        title: box(row.querySelector('.name')),
        parts: [...row.querySelectorAll('.target bdi')].map((one) => ({
          ...box(one),
          text: one.textContent,
        })),
      };
    });
    assert.ok(boxes.title.left - boxes.code.right >= 8, JSON.stringify(boxes));
    const places = boxes.parts.map(({ left }) => left);
    assert.ok(places.length >= 3, JSON.stringify(boxes.parts));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      'its parts are in order',
    );
    const folder = page.locator('.folder-places .cut');
    assert.equal(await folder.evaluate((one) => one.matches(':dir(rtl)')), true);
    assert.equal(await page.locator('.row [role=status]').count(), 0, 'a row announces nothing by itself');
    await page.locator('.row').first().focus();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.locator('.said', { hasText: 'Copied' }).waitFor({ state: 'attached' });
    await close();
  });

  test('on a phone, selects by long press without opening, then by tap, and shows actions on swipe', async () => {
    const { page, api, close } = await site.open({
      path: '/dashboard/links',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    for (const customCode of ['thumb-2', 'thumb-1']) await makeLink(api, { customCode });
    await page.reload();
    const row = (code: string) => page.locator('.row', { hasText: code });
    await row('thumb-1').waitFor();
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined || y === undefined ? [] : [{ x, y }],
      });
    const middleOf = async (code: string) => {
      const box = await row(code).boundingBox();
      return [(box?.x ?? 0) + 120, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const;
    };
    const [x, y] = await middleOf('thumb-1');
    await send('touchStart', x, y);
    await page.getByText('1 selected').waitFor();
    await send('touchEnd');
    await page.waitForTimeout(400);
    assert.ok(page.url().endsWith('/dashboard/links'), page.url());
    await page.touchscreen.tap(...(await middleOf('thumb-2')));
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).tap();

    await send('touchStart', x + 100, y);
    for (const step of [70, 30, -10]) await send('touchMove', x + step, y);
    await send('touchEnd');
    await page.locator('.swipe-tools').getByRole('button', { name: 'Copy' }).waitFor();
    // The browser may treat an immediate tap as part of the swipe and a slow tap as a long press, so the test retries.
    const remove = page.getByRole('menuitem', { name: 'Delete' });
    await until('the menu of the row opens', async () => {
      await page.locator('.swipe-tools').getByRole('button', { name: 'More' }).tap();
      return await remove.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    });
    await remove.tap();
    await page.getByText('1 link moved to the bin').waitFor();
    await close();
  });

  test('on a phone, shows the chart on the first screen with large enough controls', async () => {
    const { page, api, close } = await site.open({
      path: '/dashboard/links',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await makeLink(api, { customCode: 'chart-1', title: 'A title', tags: ['one', 'two'] });
    await page.goto('/dashboard/links/chart-1');
    await page.locator('.chart-place :is(svg, .chart-empty)').first().waitFor();
    const place = await page.locator('.chart-place').boundingBox();
    assert.ok((place?.y ?? 999) < 844 * 0.65, `${place?.y}`);
    for (const button of await page.locator('.stat-bar .button:visible, .chart-foot .button').all())
      assert.ok(((await button.boundingBox())?.height ?? 0) >= 44, await button.innerText());
    await close();
  });

  test('shows a lost connection at once, writes nothing, and continues when the server is back', async () => {
    const { page, api, close } = await site.open({
      path: '/dashboard/links?new&url=https://example.com/later',
    });
    await page.getByLabel('Code', { exact: true }).fill('later-1');
    await page.getByText('Available', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/No connection to the server since/).waitFor({ timeout: 3_000 });
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('Waiting for the server…').waitFor();
    await page.context().setOffline(false);
    await page
      .getByText(/later-1$/)
      .first()
      .waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await api.get('/api/v1/links/by-code/later-1')).status, 200);
    await page.context().setOffline(true);
    await page.locator('.page-head .button[aria-disabled=true]', { hasText: 'New link' }).waitFor();
    await close();
  });

  test('finds results despite typos; every screen has a heading; lists all shortcuts', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    await makeLink(api, { customCode: 'hill-rides', title: 'Winter in the hills' });
    await page.goto('/dashboard/links?q=wintr');
    await page.getByRole('button', { name: 'Search for “Winter” instead' }).click();
    await page.locator('.row', { hasText: 'hill-rides' }).waitFor();
    await page.goto('/dashboard/links/no-such-link');
    await page.locator('h1', { hasText: 'Link not found' }).waitFor();
    await page.goto('/dashboard/links?help');
    await page.getByText('Today, 7 days, 30 days, this month, 12 months, all time').waitFor();

    // The statistics and the toolbar each stay in one row, whatever they contain.
    await page.goto('/dashboard');
    await page.locator('.home-figures .figure').nth(3).waitFor();
    const tops = await page
      .locator('.home-figures > div')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, `${tops}`);
    await page.goto('/dashboard/links');
    const list = page.locator('.list');
    const before = (await list.boundingBox())?.y;
    await page.goto('/dashboard/links?status=active');
    await page.locator('.chip').waitFor();
    assert.equal((await list.boundingBox())?.y, before, 'a chip moves nothing');
    await close();
  });
});
