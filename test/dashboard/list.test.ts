import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteOfItsOwn } from '../support/http/dashboard.ts';
import { makeFolder, makeLink } from '../support/server/records.ts';
import { until } from '../support/until.ts';

const longCode = 'size-chart-for-the-winter-collection-2027';

/** Returns the elements with truncated content. */
function cutOff(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((found) =>
    found.flatMap((one) => {
      const box = one.getBoundingClientRect();
      const around = one.closest('.what')?.getBoundingClientRect();
      const row = one.closest('.row')?.getBoundingClientRect();
      const isTruncated =
        one.scrollWidth > one.clientWidth + 1 ||
        box.right > (around?.right ?? box.right) + 1 ||
        box.bottom > (row?.bottom ?? 0);
      return isTruncated ? [one.textContent ?? ''] : [];
    }),
  );
}

describe('the list of links', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteOfItsOwn();

  for (const locale of ['en-GB', 'de-DE'])
    test(`never truncates codes, and fits the selection toolbar: ${locale}`, async () => {
      const { page, api, close, account } = await site.open({ locale });
      const host = `links.${locale.toLowerCase()}.test`;
      await site.server.command('domains', 'create', host, '--account', account, '--proven');
      await makeLink(api, {
        customCode: `${longCode}-${locale.toLowerCase()}`,
        title: 'A title that is as long as titles are',
      });
      await makeLink(api, { customCode: longCode, domain: host, title: 'On a domain' });
      await page.goto('/dashboard/links');
      for (const width of [768, 900, 1024, 1200, 1300, 1440, 1719, 1720, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await page.locator('.row .code b').nth(1).waitFor();
        assert.deepEqual(await cutOff(page, '.row .code b'), [], `${width}`);
        const box = page.locator('.row .check').first();
        if (!(await box.isChecked()))
          await page.locator('.row').first().locator('.check').click({ force: true });
        const bar = await page.locator('.bulk-bar').boundingBox();
        assert.ok(
          bar !== null && bar.x >= 0 && bar.x + bar.width <= width,
          `${width}: ${JSON.stringify(bar)}`,
        );
        const inside = await page
          .locator('.bulk-bar')
          .evaluate((one) => one.scrollWidth <= one.clientWidth + 1);
        assert.ok(inside, `${width}: nothing of the bar is cut`);
        assert.equal(await scrollsSideways(page), false);
      }
      await close();
    });

  test('shows the selection state in checkboxes: by clicks, Shift and keys', async () => {
    const { page, api, close } = await site.open();
    for (let at = 0; at < 6; at += 1) await makeLink(api, { customCode: `box-${at}` });
    await page.goto('/dashboard/links');
    const rows = page.locator('.row');
    await rows.nth(5).waitFor();
    const agree = async (count: number, how: string): Promise<void> => {
      const states = await rows.evaluateAll((all) =>
        all.map((row) => [
          row.getAttribute('aria-selected') === 'true',
          (row.querySelector('.check') as unknown as { checked: boolean }).checked,
        ]),
      );
      assert.ok(
        states.every(([selected, checked]) => selected === checked),
        `${how}: ${JSON.stringify(states)}`,
      );
      assert.equal(states.filter(([selected]) => selected).length, count, how);
    };
    const box = (at: number) => rows.nth(at).locator('.check');
    await box(0).click();
    await agree(1, 'a click');
    await box(4).click({ modifiers: ['Shift'] });
    await agree(5, 'a range');
    await box(4).click({ modifiers: ['Shift'] });
    await agree(5, 'the same range again');
    await box(2).click();
    await agree(4, 'one of them again');
    await rows.nth(5).focus();
    await page.keyboard.press('x');
    await agree(5, 'an API key');
    await page.keyboard.press('Escape');
    await agree(0, 'Escape');
    await close();
  });

  test('names archived links counted by the sidebar in the list title', async () => {
    const { page, api, close } = await site.open();
    const folderId = await makeFolder(api);
    for (const archived of [true, false]) await makeLink(api, { folderId, archived, tags: ['poster'] });
    await makeLink(api, { archived: true });
    for (const [path, archived] of [
      ['/dashboard/links', 2],
      [`/dashboard/links?folder=${folderId}`, 1],
      ['/dashboard/links?tag=poster', 1],
    ] as const) {
      await page.goto(path);
      const title = page.locator('.list-page-head .title');
      await title.getByRole('link', { name: `+ ${archived} archived` }).waitFor();
      assert.equal(await title.locator('.total').innerText(), '1');
    }
    await page.getByRole('link', { name: '+ 1 archived' }).click();
    await until('the archived link is listed', async () => (await page.locator('.row').count()) === 1);
    assert.match(page.url(), /tag=poster.*status=archived/);
    await close();
  });

  test('returns to the same place and row on Back', async () => {
    const { page, api, close } = await site.open();
    const links = Array.from({ length: 60 }, (_, at) => ({
      url: `https://example.com/${at}`,
      customCode: `back-${at}`,
    }));
    await api.post('/api/v1/links/bulk', { action: 'create', links });
    await page.goto('/dashboard/links');
    await page.locator('.row').nth(10).waitFor();
    for (let at = 0; at < 30; at += 1) await page.keyboard.press('j');
    const { data } = (await api.get('/api/v1/links?limit=30')).json;
    await until('the keys have reached the last of 30 rows', () =>
      page.evaluate<boolean>(`document.activeElement.dataset.row === '${data[29].id}' && scrollY > 300`),
    );
    const before = await page.evaluate<{ top: number; row: string }>(
      '({ top: scrollY, row: document.activeElement.dataset.row })',
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /back-/ }).waitFor();
    await page.goBack();
    await page.locator('.row').nth(5).waitFor();
    await until('the row has the focus', () =>
      page.evaluate<boolean>(`document.activeElement.dataset.row === '${before.row}'`),
    );
    assert.ok(Math.abs((await page.evaluate<number>('scrollY')) - before.top) < 3);
    await close();
  });

  test('shows the progress of changing all links, can be canceled, and undoes what was done', async () => {
    const { page, api, close } = await site.open();
    const folderId = (await api.post('/api/v1/folders', { name: 'Autumn' })).json.folder.id;
    const links = Array.from({ length: 600 }, (_, at) => ({
      url: `https://example.com/${at}`,
      ...(at % 3 === 0 ? { tags: ['old', 'kept'] } : at % 3 === 1 ? { tags: ['new'], folderId } : {}),
    }));
    assert.equal((await api.post('/api/v1/links/bulk', { action: 'create', links })).status, 200);
    const found = async (filter: string): Promise<number> =>
      (await api.get(`/api/v1/links?${filter}&limit=1`)).json.pagination.total;
    await page.goto('/dashboard/links');
    await page.locator('.row').nth(10).waitFor();
    let lists = 0;
    let sent = 0;
    let wait = Promise.resolve();
    page.on('request', (request) => {
      if (/[/]api[/]v1[/]links[?]/.test(request.url())) lists += 1;
    });
    await page.route('**/api/v1/links/bulk', async (route) => {
      sent += 1;
      if (sent === 2) await wait;
      await route.continue();
    });
    const selectAll = async (): Promise<void> => {
      sent = 0;
      await page.locator('.list-head .check').click({ force: true });
      await page.getByRole('button', { name: /^Select all/ }).click();
    };
    const choose = async (key: string, text: string): Promise<void> => {
      await page.keyboard.press(key);
      await page.getByRole('dialog').getByRole('combobox').fill(text);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
    };
    const undo = async (said: string): Promise<void> => {
      await page.locator('.toast').getByRole('button', { name: /Undo/ }).click();
      await page.getByText(said).waitFor();
    };

    // The second request is held back until the user has canceled.
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
    wait = cancelled;
    await selectAll();
    await choose('m', 'Autumn');
    await page.getByText('Changing links: 200 of 600').waitFor();
    assert.equal(lists, 0, 'no list is read to find the links to change');
    await page.locator('.toast').getByRole('button', { name: 'Cancel' }).click();
    cancel();
    await page.getByText(/26[67] links moved to Autumn/).waitFor();
    assert.ok((await found(`folderId=${folderId}`)) > 450);
    await undo('links moved back');
    assert.equal(await found(`folderId=${folderId}`), 200);

    await selectAll();
    await choose('t', 'new');
    await page.getByText('Tags changed for 600 links').waitFor();
    assert.equal(sent, 3);
    assert.deepEqual([await found('tag=new'), await found('tag=old')], [600, 200]);
    await undo('Undone');
    assert.deepEqual([await found('tag=new'), await found('tag=old,kept&tagMatch=all')], [200, 200]);

    await selectAll();
    await page.keyboard.press('Backspace');
    await page.getByText('600 links moved to the bin').waitFor();
    assert.equal(await found(''), 0);
    await undo('600 links restored');
    assert.deepEqual([await found('tag=new'), await found(`folderId=${folderId}`)], [200, 200]);
    await close();
  });

  test('stops a change to all links if new links match before it begins', async () => {
    const { page, api, close } = await site.open();
    const links = Array.from({ length: 150 }, (_, at) => ({ url: `https://example.com/${at}` }));
    await api.post('/api/v1/links/bulk', { action: 'create', links });
    await page.goto('/dashboard/links');
    await page.locator('.row').nth(10).waitFor();
    await page.locator('.list-head .check').click({ force: true });
    await page.getByRole('button', { name: 'Select all 150' }).click();
    await page.route('**/api/v1/links/bulk', async (route) => {
      await makeLink(api);
      await route.continue();
    });
    await page.keyboard.press('Backspace');
    await page.getByText('The list changed').waitFor();
    assert.equal((await api.get('/api/v1/links?limit=1')).json.pagination.total, 151);
    await page.locator('.list-page-head .total', { hasText: '151' }).waitFor();
    await close();
  });
});
