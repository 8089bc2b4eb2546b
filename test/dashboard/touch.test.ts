// The dashboard with touch input in a phone-sized window.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteOfItsOwn } from '../support/http/dashboard.ts';
import { fill } from './states.ts';
import { smallTargets } from './touch-targets.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * Screens and dialogs to check, each with an element that is present once it has loaded. The list of links is left out,
 * because its rows are swiped and pressed instead.
 */
const screens: Readonly<Record<string, string>> = {
  '': '.last-clicks li',
  '/links/fair': '.bar-row',
  '/statistics?filter=referrer:is:news.example': '.bar-row',
  '/folders': '.ledger a',
  '/tags': '.ledger a',
  '/bin': '.ledger td',
  '/domains': '.ledger a',
  '/people': '.members-table td',
  '/keys': '.ledger td',
  '/activity': '.time-line-head',
  '/imports': '.import-drop',
  '/settings': '.branding figure',
  '/people?new&url=https://example.com/': '.builder',
  '/people?qr=fair': '.qr-sheet, .dialog svg',
  '/people?help': '.help-columns',
};

describe('the dashboard on a phone', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteOfItsOwn();

  test('has 44 px controls for touch, and shows no keyboard shortcuts', async () => {
    const key = await site.server.newKey();
    await fill(site.server, key);
    const { page, close } = await site.open({ key, ...phone });
    const faults: string[] = [];
    for (const [path, there] of Object.entries(screens)) {
      await page.goto(`/dashboard${path}`);
      await page.locator(there).filter({ visible: true }).first().waitFor();
      faults.push(...(await smallTargets(page)).map((fault) => `${path}: ${fault}`));
      const keys = await page.locator('.keys:visible').count();
      if (keys > 0 && !path.includes('help')) faults.push(`${path} shows ${keys} keys`);
    }
    assert.deepEqual(faults, []);
    await close();
  });

  test('shows the numbers of a tapped bar until another tap', async () => {
    const { page, close } = await site.open({ ...phone, path: '/dashboard/statistics' });
    const chart = page.locator('.chart');
    await chart.locator('svg').waitFor();
    const box = await chart.boundingBox();
    assert.ok(box !== null);
    await page.touchscreen.tap(box.x + box.width / 2, box.y + 60);
    const tip = page.locator('.chart-tip');
    await tip.waitFor();
    const shown = await tip.innerText();
    await page.touchscreen.tap(box.x + box.width - 60, box.y + 60);
    await page.waitForFunction(
      `document.querySelector('.chart-tip')?.innerText !== ${JSON.stringify(shown)}`,
    );
    await tip.waitFor();
    await page.getByRole('heading', { level: 1 }).tap();
    await tip.waitFor({ state: 'detached' });
    await close();
  });
});
