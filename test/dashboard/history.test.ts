import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteForTests, violationsOn } from '../support/http/dashboard.ts';
import { freshCode, makeFolder, makeLink } from '../support/server/records.ts';

/** Where a run for pictures leaves them. */
const pictures = process.env['LINKFOLD_PICTURES'];

describe('history of a link in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  /** Fine wide in the light and narrow in the dark. */
  const isFine = async (page: Page, name: string): Promise<void> => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await scrollsSideways(page), false, `${name} at ${width}`);
      assert.deepEqual(await violationsOn(page), [], `${name} ${colorScheme}`);
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  test('a time line says what was changed by whom, puts any of it back, and takes that back', async () => {
    const { page, api, complaints, close } = await site.open();
    const code = freshCode();
    const id = await makeLink(api, { customCode: code, title: 'Spring', tags: ['poster'] });
    const path = `/api/v1/links/${id}`;
    await api.patch(`${path}/move`, { folderId: await makeFolder(api) });
    await api.patch(path, { title: 'Summer', expiresAt: '2040-05-01', disabled: true });
    await api.patch(`${path}/destination`, {
      url: 'https://example.com/a-much-longer-destination?with=parameters',
    });
    await page.goto(`/dashboard/links/${code}`);
    const line = page.getByRole('region', { name: 'History' });
    await line.getByText('as it is now').waitFor();
    assert.deepEqual(await line.locator('li b').allTextContents(), ['Changed', 'Changed', 'Moved', 'Made']);
    const title = line.locator('dl > div', { hasText: 'Title' }).first();
    assert.equal(await title.textContent(), 'TitleSpring → Summer');
    await line.scrollIntoViewIfNeeded();
    await isFine(page, 'history');

    await line.getByRole('button', { name: 'Put this back' }).last().click();
    await page.getByText('The link is what it was').waitFor();
    await line.getByText('Put back').first().waitFor();
    const read = async () => (await api.get(path)).json.data;
    assert.deepEqual(
      [(await read()).title, (await read()).destinationUrl],
      ['Spring', 'https://example.com/'],
    );
    await page.keyboard.press('z');
    await page.getByText('The link is as it was before').waitFor();
    assert.equal((await read()).title, 'Summer');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('two editors lose nothing: both versions stand side by side, and one is chosen', async () => {
    const { page, api, complaints, close } = await site.open();
    const code = freshCode();
    const id = await makeLink(api, { customCode: code, title: 'Spring', tags: ['poster'] });
    const path = `/api/v1/links/${id}`;
    const edit = async (title: string) => {
      await page.goto(`/dashboard/links/${code}?edit=${code}`);
      await page.getByLabel('Title').fill(title);
    };
    const read = async () => (await api.get(`${path}?include=description`)).json.data;
    const save = () => page.getByRole('button', { name: 'Save changes' }).click();

    await edit('Mine');
    await api.patch(path, { title: 'Theirs', description: 'Written meanwhile' });
    await save();
    const conflict = page.getByRole('alert').filter({ hasText: 'Meanwhile the link was changed' });
    await conflict.waitFor();
    assert.equal((await read()).title, 'Theirs', 'nothing is overwritten unseen');
    await conflict.getByText('by ', { exact: false }).first().waitFor();
    assert.deepEqual(await conflict.locator('tbody tr').allTextContents(), [
      'TitleMineTheirs',
      'DescriptionnoneWritten meanwhile',
    ]);
    await isFine(page, 'conflict');
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await conflict.waitFor({ state: 'detached' });
    await page.getByText('Link changed').first().waitFor();
    assert.deepEqual([(await read()).title, (await read()).description], ['Mine', 'Written meanwhile']);

    await edit('Mine again');
    await api.patch(path, { title: 'Theirs again' });
    await save();
    await conflict.getByRole('button', { name: 'Take what it is now' }).click();
    await conflict.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Title').inputValue(), 'Theirs again');
    assert.equal((await read()).title, 'Theirs again');
    // The refusals themselves.
    assert.deepEqual(
      complaints.filter((text) => !/412/.test(text)),
      [],
    );
    await close();
  });

  test('a link that files keep says so in the list, on its page and in every dialog that changes it', async () => {
    const { page, api, complaints, close } = await site.open();
    const code = freshCode();
    const links = [{ customCode: code, url: 'https://example.com/', title: 'Spring' }];
    await api.post('/api/v1/manifests/marketing/apply', { links, seen: [] });
    await makeLink(api, { title: 'By hand' });
    await page.goto('/dashboard/links');
    const row = page.getByRole('row', { name: code });
    await row.getByText('Managed by marketing').waitFor();
    assert.equal(await page.getByText('Managed by marketing').count(), 1);
    await isFine(page, 'managed-list');
    const note = (of: Page | ReturnType<Page['getByRole']>) =>
      of
        .getByRole('note')
        .filter({ hasText: 'the next time they are applied, a change made here is taken back' });
    await row.getByRole('checkbox').click();
    for (const key of ['m', 't']) {
      await page.keyboard.press(key);
      await note(page.getByRole('dialog')).waitFor();
      if (key === 'm') await isFine(page, 'managed-move');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.goto(`/dashboard/links/${code}`);
    await note(page).waitFor();
    await isFine(page, 'managed-page');
    await page.goto(`/dashboard/links/${code}?edit=${code}`);
    await note(page.getByRole('dialog')).waitFor();
    await isFine(page, 'managed-edit');
    assert.deepEqual(complaints, []);
    await close();
  });
});
