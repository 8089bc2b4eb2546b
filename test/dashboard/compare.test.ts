import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteForTests, violationsOn } from '../support/http/dashboard.ts';
import { freshCode, makeLink } from '../support/server/records.ts';
import { until } from '../support/until.ts';
import { addPastClicks } from './past-clicks.ts';

/** Folder for screenshots. No screenshots are taken if it is undefined. */
const pictures = process.env['LINKFOLD_PICTURES'];
const day = 86_400_000;

describe('comparing in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  const isFine = async (page: Page, name: string): Promise<void> => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await until(`${name} fits in ${width}`, async () => !(await scrollsSideways(page)));
      assert.deepEqual(await violationsOn(page), [], `${name} ${colorScheme}`);
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  test('shows links, folders and tags in one chart and table; shares the comparison with a password', async () => {
    const { page, api, complaints, close } = await site.open();
    const folderId = (await api.post('/api/v1/folders', { name: 'Winter' })).json.folder.id;
    const one = await makeLink(api, { customCode: freshCode(), title: 'Rides', folderId });
    const other = await makeLink(api, { customCode: freshCode(), title: 'Fair', tags: ['print'] });
    await addPastClicks(site.server, [
      { linkId: one, at: Date.now() - 3 * day, times: 30 },
      { linkId: one, at: Date.now() - 5 * day, times: 12 },
      { linkId: other, at: Date.now() - 4 * day, times: 20 },
      { linkId: other, at: Date.now() - 40 * day, times: 10 },
    ]);
    await page.goto(`/dashboard/statistics?folder=${folderId}`);
    await page.getByRole('link', { name: 'Compare' }).click();
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.keyboard.type(name);
      await page.getByRole('option', { name }).first().click();
    };
    await add('print');
    await add('Rides');
    const rows = async (of: Page) => {
      const cells = of.locator('.compare tbody tr');
      await cells.filter({ hasText: /\d/ }).nth(2).waitFor();
      return (await cells.allTextContents()).map((text) => text.trim());
    };
    const expected = ['Winter4242–', 'print2020+100%', 'Rides4242–'];
    const found = (await rows(page)).map((text) => text.replaceAll(/[\s\u00a0]/g, ''));
    assert.deepEqual(
      found.map((text) => text.slice(0, 3)),
      expected.map((text) => text.slice(0, 3)),
    );
    assert.equal(await page.locator('.compare > svg path').count(), 3);
    await isFine(page, 'compare');
    await page.reload();
    assert.deepEqual(
      (await rows(page)).map((text) => text.replaceAll(/[\s\u00a0]/g, '')),
      found,
    );

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByLabel('Password').fill('secret word');
    await isFine(page, 'compare-share');
    await page.locator('.shares .button.primary').click();
    const address = (await page.locator('.shared-slip .mono').textContent()) ?? '';
    const reader = await site.browser.newPage({ locale: 'en-GB' });
    await reader.goto(address);
    await reader.getByLabel('Password').fill('wrong word');
    await reader.getByRole('button', { name: 'View statistics' }).click();
    await reader.getByText('The password is wrong.').waitFor();
    await isFine(reader, 'shared-locked');
    await reader.getByLabel('Password').fill('secret word');
    await reader.getByRole('button', { name: 'View statistics' }).click();
    assert.deepEqual(
      (await rows(reader)).map((text) => text.replaceAll(/[\s\u00a0]/g, '')),
      found,
    );
    await isFine(reader, 'shared-compare');
    await reader.close();
    await page.goto('/dashboard/activity');
    await page.locator('.time-line li', { hasText: 'Winter, print and' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});
