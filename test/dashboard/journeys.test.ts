import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { until } from '../support/until.ts';

/** Returns the focused row's code, or the field's label. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
    const { activeElement: one } = (globalThis as any).document;
    if (one.getAttribute('role') === 'row') return one.querySelector('.code').textContent;
    return one.labels?.[0]?.textContent ?? one.getAttribute('aria-label') ?? one.tagName;
  });
}

describe('journeys through the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();
  const untilFocused = async (page: Page, wanted: RegExp): Promise<void> => {
    const isThere = async () => wanted.test(await focused(page));
    await until(`the focus is on ${wanted}`, isThere).catch(async () =>
      assert.match(await focused(page), wanted),
    );
  };

  test('by keyboard only: creates, finds, edits, deletes, undoes, with known focus at each step', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    for (const customCode of ['other-2', 'other-1']) await makeLink(api, { customCode });
    await page.reload();
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('c');
    await untilFocused(page, /^Destination/);
    await page.keyboard.type('https://example.com/journey');
    await page.keyboard.press('Tab');
    await untilFocused(page, /^Code/);
    await page.keyboard.type('journey-1');
    await page.getByText('Available', { exact: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await untilFocused(page, /^\/journey-1$/);
    await page.keyboard.press('/');
    await untilFocused(page, /^Search/);
    await page.keyboard.type('journey');
    await until('it is found', async () => (await page.locator('.row').count()) === 1);
    await page.keyboard.press('ArrowDown');
    await untilFocused(page, /^\/journey-1$/);
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Edit /journey-1' }).waitFor();
    await untilFocused(page, /^Destination/);
    await page.keyboard.press('End');
    await page.keyboard.type('-on');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await untilFocused(page, /^\/journey-1$/);
    // The page shows a change immediately, and the server confirms it a moment later.
    const untilKept = () =>
      until('the server has the link as it was edited', async () => {
        const { json } = await api.get('/api/v1/links/by-code/journey-1');
        return json.data?.destinationUrl === 'https://example.com/journey-on';
      });
    await untilKept();
    await page.keyboard.press('Backspace');
    await page.getByText('1 link moved to the bin').waitFor();
    await until('the focus is on something', async () => (await focused(page)) !== 'BODY');
    await page.keyboard.press('z');
    await untilFocused(page, /^\/journey-1$/);
    await untilKept();
    await close();
  });

  test('by touch: selects by long press, shows actions on swipe, opens on tap, and goes back', async () => {
    const { page, api, close } = await site.open({
      path: '/dashboard/links',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await makeLink(api, { customCode: 'touched-1' });
    await page.reload();
    const row = page.locator('.row', { hasText: 'touched-1' });
    await row.waitFor();
    const box = await row.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 120, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
    await send('touchStart', x);
    await page.getByText('1 selected').waitFor();
    await send('touchEnd');
    await page.getByRole('button', { name: 'Clear selection' }).tap();
    await page.locator('.bulk-bar').waitFor({ state: 'detached' });
    await send('touchStart', x + 100);
    for (const step of [70, 30, -10]) await send('touchMove', x + step);
    await send('touchEnd');
    await page.locator('.swipe-tools').getByRole('button', { name: 'Copy' }).waitFor();
    await page.goto('/dashboard/links');
    await row.tap({ position: { x: 120, y: 20 } });
    await page.getByRole('heading', { name: /touched-1$/ }).waitFor();
    await page.goBack();
    await row.waitFor();
    await close();
  });
});
