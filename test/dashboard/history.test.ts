import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteForTests, violationsOn } from '../support/http/dashboard.ts';
import { freshCode, makeFolder, makeLink } from '../support/server/records.ts';
import { as } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { addMissedVisits, addPastClicks } from './past-clicks.ts';

/** Folder for screenshots. No screenshots are taken if it is undefined. */
const pictures = process.env['LINKFOLD_PICTURES'];

describe("a link's history in the dashboard", { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  /** Checks the page in a wide window in light mode, and in a narrow one in dark mode. */
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

  test('shows who changed what, restores any of it, and undoes the restore', async () => {
    const { page, api, complaints, close } = await site.open({ timezoneId: 'Europe/Berlin' });
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
    await line.getByText('Current version').waitFor();
    assert.deepEqual(await line.locator('li b').allTextContents(), [
      'Updated',
      'Updated',
      'Moved',
      'Created',
    ]);
    const title = line.locator('dl > div', { hasText: 'Title' }).first();
    assert.equal(await title.textContent(), 'TitleSpring → Summer');
    await line.scrollIntoViewIfNeeded();
    await isFine(page, 'history');

    await line.getByRole('button', { name: 'Restore this version' }).last().click();
    const preview = line.getByRole('group', { name: 'Restore this version' });
    assert.deepEqual(await preview.locator('dl > div').allTextContents(), [
      'Destinationhttps://example.com/a-much-longer-destination?with=parameters → https://example.com/',
      'TitleSummer → Spring',
      'Expires1 May 2040, 02:00 → none',
      'Disabledyes → no',
      'FolderPosters → none',
    ]);
    await isFine(page, 'history-preview');
    await preview.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version restored', { exact: true }).waitFor();
    await line.getByText('Earlier version restored').first().waitFor();
    const read = async () => (await api.get(path)).json.data;
    assert.deepEqual(
      [(await read()).title, (await read()).destinationUrl],
      ['Spring', 'https://example.com/'],
    );
    await page.keyboard.press('z');
    await page.getByText('Restore undone').waitFor();
    assert.equal((await read()).title, 'Summer');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('opens the history by menu and URL; a deleted version offers no restore', async () => {
    const { page, api, complaints, close } = await site.open();
    const code = freshCode();
    const id = await makeLink(api, { customCode: code });
    await api.delete(`/api/v1/links/${id}`);
    await api.post(`/api/v1/links/${id}/restore`, {});
    const line = page.getByRole('region', { name: 'History' });
    const isShown = () => until('it is in view', async () => ((await line.boundingBox())?.y ?? 999) < 400);
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto(`/dashboard/links/${code}`);
    await line.waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await isShown();
    await page.goto('/dashboard/links');
    await page.goto(`/dashboard/links/${code}#history`);
    await isShown();
    assert.deepEqual(await line.locator('li b').allTextContents(), ['Restored', 'Deleted', 'Created']);
    assert.equal(await line.getByRole('button', { name: 'Restore this version' }).count(), 1);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("explains a link's clicks: none, fewer, rejected visits, or nothing to report", async () => {
    const { page, api, complaints, close } = await site.open();
    const why = page.locator('.why');
    const day = 86_400_000;
    const past = async (linkId: string, ...weeks: readonly number[]) =>
      addPastClicks(
        site.server,
        weeks.flatMap((times, at) =>
          times === 0 ? [] : [{ linkId, at: Date.now() - (7 * at + 3) * day, times }],
        ),
      );
    const cases: readonly (readonly [
      weeks: readonly number[],
      missed: number,
      isOpen: boolean,
      ...texts: readonly string[],
    ])[] = [
      [[0, 0], 0, true, 'Why are there no clicks?', 'Not shared yet?', '0 clicks by people'],
      [[0, 0], 37, true, 'Why are there no clicks?', '37 visitors not redirected', 'was disabled'],
      [[2, 30], 0, true, 'Why are there fewer clicks? 2 clicks in the last 7 days, 30 in the 7 days before'],
      [[30, 30], 5, true, 'Visitors could not be redirected 30 clicks', '5 visitors not redirected'],
      [[30, 28], 0, false, 'About these clicks 30 clicks in the last 7 days, 28 in the 7 days before'],
    ];
    for (const [weeks, missed, isOpen, ...texts] of cases) {
      const code = freshCode();
      const id = await makeLink(api, { customCode: code, disabled: missed === 37 });
      await past(id, ...weeks);
      if (missed > 0) await addMissedVisits(site.server, id, 2, missed);
      await page.goto(`/dashboard/links/${code}`);
      for (const text of texts) await why.filter({ hasText: text }).waitFor();
      assert.equal((await why.getAttribute('open')) !== null, isOpen, String(texts[0]));
      if (isOpen) await why.getByRole('link', { name: /^Last change: Created .* by / }).waitFor();
      if (isOpen) await isFine(page, `why-${weeks[0]}-${missed}`);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('shows who changed what in the account, filters by member and kind, and undoes changes', async () => {
    const { page, api, complaints, close } = await site.open();
    const code = freshCode();
    const id = await makeLink(api, { customCode: code, title: 'Spring' });
    await api.patch(`/api/v1/links/${id}`, { title: 'Summer' });
    const gone = await makeLink(api, { customCode: freshCode() });
    await api.delete(`/api/v1/links/${gone}`);
    const folder = await makeFolder(api);
    await api.delete(`/api/v1/folders/${folder}`);
    const other = (await api.post('/api/v1/keys', { name: 'deploy', scopes: ['links:write'] })).json;
    await as(site.server, other.key ?? other.data.key).patch(`/api/v1/links/${id}`, { disabled: true });
    await page.goto('/dashboard/links');
    await page.getByRole('link', { name: 'Activity' }).click();
    const entries = page.locator('.time-line > li');
    const heads = async () =>
      (await entries.locator('b, b + *').allTextContents()).flatMap((text, at, all) =>
        at % 2 === 0 ? [`${text} ${all[at + 1]}`] : [],
      );
    await entries.nth(7).waitFor();
    assert.deepEqual((await heads()).slice(0, 4), [
      `Updated Link ${code}`,
      'Created API key deploy',
      'Deleted Folder Posters',
      'Created Folder Posters',
    ]);
    await isFine(page, 'activity');
    // Only the newest change of each record can be undone.
    const undo = (what: RegExp) => page.getByRole('button', { name: what });
    assert.equal(await undo(/^Undo: Updated, Link/).count(), 1);
    const read = async (path: string) => (await api.get(`/api/v1/${path}`)).status;
    const foldersNow = async () => (await api.get('/api/v1/folders')).json.folders;
    await undo(/^Undo: Updated, Link/).click();
    await page.getByText('Version restored', { exact: true }).waitFor();
    assert.equal((await api.get(`/api/v1/links/${id}?include=status`)).json.data.status, 'active');
    await undo(/^Undo: Deleted, Folder/).click();
    await entries.first().getByText('Folder Posters').waitFor();
    assert.equal((await foldersNow()).length, 1);
    await page.keyboard.press('z');
    await page.getByText('Change reapplied').waitFor();
    assert.equal((await foldersNow()).length, 0);
    await undo(/^Undo: Deleted, Link/).click();
    await page.getByText('Change undone').waitFor();
    assert.equal(await read(`links/${gone}`), 200);

    await page.getByLabel('Type').selectOption('folder');
    await page.waitForURL(/kind=folder/);
    await until('folders alone', async () => (await heads()).every((head) => head.includes('Folder')));
    await page.getByLabel('Type').selectOption('');
    await page.getByLabel('Changed by', { exact: true }).selectOption('deploy');
    await until('one key alone', async () => (await heads()).join() === `Updated Link ${code}`);
    await page.reload();
    await entries.first().waitFor();
    assert.deepEqual(await heads(), [`Updated Link ${code}`]);
    assert.equal(
      await page.getByLabel('Changed by', { exact: true }).locator('option:checked').textContent(),
      'deploy',
    );
    assert.deepEqual(complaints, []);
    await close();

    const without = await site.open({ scopes: 'links:read', path: '/dashboard/activity' });
    await without.page.getByText('You don’t have permission').waitFor();
    assert.equal(await without.page.getByRole('link', { name: 'Activity' }).count(), 0);
    assert.deepEqual(without.complaints, []);
    await without.close();
  });

  test('shows roles, statuses, browsers and domains in the language of the dashboard', async () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const { page, api, complaints, close } = await site.open({ locale: 'de-DE', userAgent });
    const host = `${freshCode()}.test`;
    const domain = (await api.post('/api/v1/domains', { host })).json.data;
    const url = 'https://example.com/events';
    const webhook = await api.post('/api/v1/webhooks', {
      url,
      events: ['link.created'],
      domainIds: [domain.id],
    });
    assert.equal(webhook.status, 201, webhook.text);
    assert.equal((await api.post('/api/v1/invitations', { role: 'editor' })).status, 201);
    await page.goto('/dashboard/activity');
    const entries = page.locator('.time-line > li');
    await entries.filter({ hasText: 'Einladung' }).getByText('Bearbeiter').waitFor();
    await entries.filter({ hasText: 'Sitzung' }).getByText('Firefox unter Linux').waitFor();
    for (const closed of await page.locator('.time-line summary').all()) await closed.click();
    await entries.filter({ hasText: 'Webhook' }).getByText(host).waitFor();
    await entries.filter({ hasText: 'DNS ausstehend' }).getByText(host).first().waitFor();
    await isFine(page, 'activity-german');
    await page.goto('/dashboard/settings');
    await page.locator('td', { hasText: 'Firefox unter Linux' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('shows both versions of a conflict side by side and lets you choose', async () => {
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
    const conflict = page.getByRole('alert').filter({ hasText: 'This link was changed' });
    await conflict.waitFor();
    assert.equal((await read()).title, 'Theirs', 'nothing is overwritten without notice');
    await conflict.getByText('by ', { exact: false }).first().waitFor();
    assert.deepEqual(await conflict.locator('tbody tr').allTextContents(), [
      'TitleMineTheirs',
      'DescriptionnoneWritten meanwhile',
    ]);
    await isFine(page, 'conflict');
    await conflict.getByRole('button', { name: 'Save my version' }).click();
    await conflict.waitFor({ state: 'detached' });
    await page.getByText('Link updated').first().waitFor();
    assert.deepEqual([(await read()).title, (await read()).description], ['Mine', 'Written meanwhile']);

    await edit('Mine again');
    await api.patch(path, { title: 'Theirs again' });
    await save();
    await conflict.getByRole('button', { name: 'Discard my changes' }).click();
    await conflict.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Title').inputValue(), 'Theirs again');
    assert.equal((await read()).title, 'Theirs again');
    // The requests that the server rejects with 412 are expected.
    assert.deepEqual(
      complaints.filter((text) => !/412/.test(text)),
      [],
    );
    await close();
  });

  test('marks a link managed by files in the list, on its page and in every dialog that changes it', async () => {
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
        .filter({ hasText: 'The next time it is applied, it overwrites changes made here.' });
    await row.getByRole('checkbox').click();
    for (const key of ['m', 't']) {
      await page.keyboard.press(key);
      await note(page.getByRole('dialog')).waitFor();
      if (key === 'm') await isFine(page, 'managed-move');
      // The first Escape may close only an open list in the dialog.
      await page.keyboard.press('Escape');
      if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
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
