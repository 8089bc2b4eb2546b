import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { openDashboard, siteForTests } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { as, call, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { words } from '../support/words.ts';

const hostile = `"'><img src=x onerror=alert(1)>\u202e{{7*7}}</script>`;
/** Names must not contain bidirectional formatting characters. */
const hostileName = hostile.replace('\u202e', '');

/**
 * Returns the unexpected messages. The request that checks whether a code is free returns 404, which the browser logs.
 */
function faultsIn(complaints: readonly string[]): string[] {
  return complaints.filter((one) => !one.includes('status of 404'));
}

/** Runs in the page. Presses one key, and then another as soon as an element has disappeared. */
function pressWhenGone({ first, gone, next }: Readonly<Record<'first' | 'gone' | 'next', string>>): void {
  // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
  const { document, KeyboardEvent, MutationObserver } = globalThis as any;
  const press = (key: string) =>
    document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
  const observer = new MutationObserver(() => {
    if (document.querySelector(gone) !== null) return;
    observer.disconnect();
    press(next);
  });
  observer.observe(document, { childList: true, subtree: true });
  press(first);
}

describe('the dashboard in a browser', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();
  const rowsOf = (page: Page) => page.locator('.rows [role=row] .code');
  const codesOn = async (page: Page): Promise<string[]> =>
    (await rowsOf(page).allInnerTexts()).map((text) => text.trim());
  const untilCodes = (page: Page, codes: readonly string[]) =>
    until(`the rows are ${codes}`, async () => String(await codesOn(page)) === String(codes), {
      withinMs: 30_000,
      everyMs: 50,
    });

  test('first run: signs in with a one-time link, creates a link in one field, and redirects a visitor', async () => {
    const fresh = await startServer();
    try {
      const printed = await fresh.command('login');
      const address = /http\S+\/dashboard\/login#\S+/.exec(printed)?.[0] ?? '';
      const context = await site.browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      await page.goto(address);
      await page.getByRole('heading', { name: 'Sign in to default as the API key “first key”' }).waitFor();
      assert.ok(!page.url().includes('#'), 'the secret is removed from the address');
      assert.deepEqual(await context.cookies(), [], 'nothing happens before the click');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Your server is ready' }).waitFor();
      await page.getByLabel('Your name').fill('Ada Lovelace');
      await page.keyboard.press('Enter');
      await page.getByText('Create a short link', { exact: true }).waitFor();
      await page.locator('input:focus').waitFor();
      await page.keyboard.type('example.com/winter?a=1');
      await page.keyboard.press('Enter');
      const shown = await page.locator('.big-link').innerText();
      const visited = await call(fresh, 'GET', `/${shown.split('/').at(-1)}`);
      assert.equal(visited.headers.get('location'), 'https://example.com/winter?a=1');
      await page.getByText('1 click', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Go to Home' }).click();
      await page.getByText('Clicks today').waitFor();
      assert.equal(new URL(page.url()).pathname, '/dashboard');
      // The sign-in link has already been used, so a user who opens it in another browser must enter a key.
      const second = await (await site.browser.newContext({ locale: 'en-GB' })).newPage();
      await second.goto(address);
      await second.getByText('This sign-in link was already used or has expired.').waitFor();
      await second
        .locator('input:focus')
        .fill(readFileSync(join(fresh.dataDir, 'first-key.txt'), 'utf8').trim());
      await second.keyboard.press('Enter');
      await second.getByRole('heading', { name: 'Needs attention' }).waitFor();
      assert.equal(new URL(second.url()).pathname, '/dashboard');
      await context.close();
    } finally {
      await fresh.stop();
    }
  });

  test('signs in with a key once, which is stored nowhere in the browser; rejects a wrong one', async () => {
    const { key } = await site.server.newKey();
    const context = await site.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${site.server.url}/dashboard/links`);
    await page.getByLabel('API key').fill('lfk_nonsense');
    await page.keyboard.press('Enter');
    await page.getByText('This API key is not valid.').waitFor();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No links yet' }).waitFor();
    const kept: string = await page.evaluate(
      'JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie, at: location.href })',
    );
    assert.ok(!kept.includes(key.slice(0, 16)), kept);
    await context.close();
  });

  test('by keyboard only: creates, edits, selects, deletes, undoes, and goes back', async () => {
    const { page, api, complaints, close } = await site.open({
      path: '/dashboard/links',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('heading', { name: 'No links yet' }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'New link' }).waitFor();
    assert.ok(page.url().includes('?new'), 'the builder has an address');
    await page.keyboard.type('https://example.com/a');
    await page.keyboard.press('Tab');
    await page.keyboard.type('winter rides');
    await page.getByText('A code cannot contain spaces.').waitFor();
    await page.locator('#builder-code').fill('winter-rides');
    await page.getByText('Available', { exact: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText(/winter-rides created and copied$/).waitFor();
    await untilCodes(page, ['/winter-rides']);
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${site.server.url}/winter-rides`);

    for (const code of ['aaa', 'bbb', 'ccc']) await makeLink(api, { customCode: `${code}-1`, title: code });
    await page.reload();
    await untilCodes(page, ['/ccc-1', '/bbb-1', '/aaa-1', '/winter-rides']);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Backspace');
    await page.getByText('2 links moved to the bin').waitFor();
    await untilCodes(page, ['/aaa-1', '/winter-rides']);
    await page.keyboard.press('z');
    await page.getByText('2 links restored').waitFor();
    await untilCodes(page, ['/ccc-1', '/bbb-1', '/aaa-1', '/winter-rides']);

    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByRole('heading', { name: 'The bin is empty' }).waitFor();
    await page.goBack();
    await untilCodes(page, ['/ccc-1', '/bbb-1', '/aaa-1', '/winter-rides']);
    await page.locator('[role=row]', { hasText: 'ccc-1' }).focus();
    await page.keyboard.press('Backspace');
    await page.getByText('1 link moved to the bin').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.locator('.bin-link', { hasText: 'ccc-1' }).waitFor();
    await page.keyboard.press('z');
    await page.getByRole('heading', { name: 'The bin is empty' }).waitFor();
    await page.goBack();
    await untilCodes(page, ['/ccc-1', '/bbb-1', '/aaa-1', '/winter-rides']);

    await page.locator('[role=row]', { hasText: 'bbb-1' }).focus();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Edit /bbb-1' }).waitFor();
    await page.getByLabel('Title').fill('Second');
    await page.keyboard.press('Control+Enter');
    await page.locator('[role=row]', { hasText: 'Second' }).waitFor();
    await page.keyboard.press('z');
    await page.getByText('Change undone').waitFor();
    await page.locator('[role=row]', { hasText: 'Second' }).waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).pressSequentially('keys');
    await page.getByRole('option', { name: 'API keys', exact: true }).waitFor();
    await page.evaluate(pressWhenGone, { first: 'Escape', gone: '.command', next: '?' });
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
    assert.deepEqual(faultsIn(complaints), []);
    await close();
  });

  test('by mouse: folder, tag, move, bin; a pasted URL opens the editor with its UTM fields', async () => {
    const { page, api, complaints, close } = await site.open({ path: '/dashboard/folders' });
    await page.getByRole('button', { name: 'New folder' }).first().click();
    await page.getByLabel('Name').fill('Autumn');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Autumn/ }).waitFor();
    await makeLink(api, { customCode: 'mouse-1', tags: ['print'] });
    await page
      .getByRole('link', { name: /^Links/ })
      .first()
      .click();
    await untilCodes(page, ['/mouse-1']);
    await page.locator('[role=row]', { hasText: 'mouse-1' }).hover();
    await page.locator('[role=row]', { hasText: 'mouse-1' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Move to folder' }).click();
    await page.getByRole('combobox', { name: 'Folder' }).fill('Aut');
    await page.getByRole('option', { name: /Autumn/ }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 link moved to Autumn').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 link moved back').waitFor();
    await page.locator('[role=row]', { hasText: 'mouse-1' }).hover();
    await page.locator('[role=row]', { hasText: 'mouse-1' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByText('1 link archived').waitFor();
    await untilCodes(page, []);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('option', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Archived' }).click();
    await untilCodes(page, ['/mouse-1']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 link unarchived').waitFor();
    await untilCodes(page, []);
    await page.getByRole('button', { name: 'Remove filter: Status Archived' }).click();
    await untilCodes(page, ['/mouse-1']);
    await page.getByRole('link', { name: 'print', exact: false }).first().waitFor();

    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'https://example.com/x?utm_source=Mail&b=2');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    })()`);
    await page.getByRole('heading', { name: 'New link' }).waitFor();
    assert.equal(await page.getByLabel('Destination').inputValue(), 'https://example.com/x?b=2');
    assert.equal(await page.getByLabel('Source').inputValue(), 'Mail');
    await page.locator('.arrive mark', { hasText: 'utm_source=mail' }).waitFor();
    await page.getByRole('button', { name: 'Templates' }).click();
    await page.getByRole('menuitem', { name: 'Save as template' }).click();
    await page.getByText('Template “mail” saved').waitFor();
    // A draft survives when the dialog or the page is closed.
    await page.getByLabel('Title').fill('Kept');
    await page.keyboard.press('Escape');
    // The dialog closes by navigating back. A reload would cancel this navigation, so wait until it is done.
    await page.getByRole('heading', { name: 'New link' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'New link' }).first().click();
    await page.getByText('Draft saved').waitFor();
    assert.equal(await page.getByLabel('Title').inputValue(), 'Kept');
    await page.getByRole('button', { name: 'Templates' }).click();
    await page.getByRole('menuitem', { name: 'mail', exact: true }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.locator('[role=row]', { hasText: 'Kept' }).waitFor();
    // Phones pass a shared URL in the `text` parameter.
    await page.goto('/dashboard/links?title=Seen&text=https%3A%2F%2Fexample.com%2Fseen');
    await page.getByRole('heading', { name: 'New link' }).waitFor();
    assert.equal(await page.getByLabel('Destination').inputValue(), 'https://example.com/seen');
    assert.equal(await page.getByLabel('Title').inputValue(), 'Seen');
    assert.deepEqual(faultsIn(complaints), []);
    await close();
  });

  test('searches while typing, sorts, filters, goes back; the URL reflects the list', async () => {
    const { page, api, complaints, close } = await site.open({ path: '/dashboard/links' });
    for (const [code, title] of [
      ['zebra-1', 'Alpha'],
      ['yak-1', 'Beta'],
      ['xerus-1', 'Gamma'],
    ])
      await makeLink(api, { customCode: code, title });
    await page.reload();
    await untilCodes(page, ['/xerus-1', '/yak-1', '/zebra-1']);
    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('yak');
    await untilCodes(page, ['/yak-1']);
    assert.equal(await page.locator('.row mark').first().innerText(), 'yak');
    assert.ok(page.url().endsWith('?q=yak'), page.url());
    await page.getByRole('button', { name: 'Clear search' }).click();
    await untilCodes(page, ['/xerus-1', '/yak-1', '/zebra-1']);
    await page.getByRole('button', { name: 'Newest first' }).click();
    await page.getByRole('menuitemradio', { name: 'Title A–Z' }).click();
    await untilCodes(page, ['/zebra-1', '/yak-1', '/xerus-1']);
    await page.keyboard.press('f');
    await page.getByRole('combobox', { name: 'Filter' }).press('Enter');
    await page.getByRole('option', { name: 'Expired' }).click();
    await page.getByRole('heading', { name: 'No links match these filters' }).waitFor();
    await page.goBack();
    await untilCodes(page, ['/zebra-1', '/yak-1', '/xerus-1']);
    await page.goBack();
    await untilCodes(page, ['/xerus-1', '/yak-1', '/zebra-1']);
    await page.goForward();
    await untilCodes(page, ['/zebra-1', '/yak-1', '/xerus-1']);
    await page.locator('[role=row]', { hasText: 'yak-1' }).press('Enter');
    await page.getByRole('heading', { name: /yak-1$/ }).waitFor();
    assert.deepEqual(faultsIn(complaints), []);
    await close();
  });

  test('changes and undoes all matches, even unloaded ones; a tag shows its links', async () => {
    const { page, api, complaints, close } = await site.open({ path: '/dashboard/links' });
    const links = Array.from({ length: 130 }, (_, at) => ({
      url: `https://example.com/${at}`,
      tags: at < 2 ? ['few'] : ['lots'],
    }));
    await api.post('/api/v1/links/bulk', { action: 'create', links });
    const total = async (): Promise<number> => (await api.get('/api/v1/links?cursor=')).json.pagination.total;
    await page.goto('/dashboard/links?tag=lots');
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Select all 128' }).click();
    await page.getByText('All 128 links selected').waitFor();
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('128 links moved to the bin').waitFor();
    assert.equal(await total(), 2);
    await page.keyboard.press('z');
    await page.getByText('128 links restored').waitFor();
    assert.equal(await total(), 130);
    await page.getByRole('link', { name: /^few/ }).click();
    await until('two are left', async () => (await codesOn(page)).length === 2);
    // The filter is inverted and saved as one of the account's views.
    await page.getByRole('button', { name: 'Invert filter: Tag is few' }).click();
    await page.locator('.total', { hasText: '128' }).waitFor();
    assert.ok(page.url().includes('not=tag'), page.url());
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Save view' }).click();
    await page.getByText('View “Tag is not few” saved').waitFor();
    await page.goto('/dashboard/links');
    await page.locator('.total', { hasText: '130' }).waitFor();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitemradio', { name: 'Tag is not few' }).click();
    await page.locator('.total', { hasText: '128' }).waitFor();
    assert.deepEqual(faultsIn(complaints), []);
    await close();
  });

  test('bulk create: shows a result per line, and keeps failed ones for correction', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links?many' });
    await makeLink(api, { customCode: 'halle-b' });
    await page
      .getByLabel('Paste links or CSV')
      .fill('https://example.com/a,halle-a\nhttps://example.com/b,halle-b\nexample.com/c\n');
    await page.getByRole('button', { name: 'Create 3 links' }).click();
    await page.getByText('3 lines, 2 links created, 1 failed').waitFor();
    await page.getByLabel('Code on line 2').fill('halle-c');
    await page.getByRole('button', { name: 'Retry the failed line' }).click();
    await page.getByText('3 lines, 3 links created').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await until('all are in the list', async () => (await codesOn(page)).length === 4);
    await page.keyboard.press('z');
    await page.getByText('3 links moved to the bin').waitFor();
    await close();
  });

  test("previews an export's lines, shares tags and UTM, shows failed lines only", async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links?many' });
    await page
      .getByLabel('Paste links or CSV')
      .fill(
        'Long URL;Short code;Name;Owner\nhttps://example.com/a;bulk-a;Spring;me\nhttps://example.com/b;bad code;;me',
      );
    await page
      .getByText('Long URL (Destination), Short code (Code) and Name (Title). Ignored columns: Owner.')
      .waitFor();
    await page.getByRole('cell', { name: 'Spring' }).waitFor();
    await page.getByText('Folder, tags and UTM parameters').click();
    await page.getByLabel('Tags').fill('press');
    await page.keyboard.press('Enter');
    await page.getByLabel('Source').fill('mail');
    await page.getByRole('button', { name: 'Create 2 links' }).click();
    await page.getByText('2 lines, 1 link created, 1 failed').waitFor();
    const { data } = (await api.get('/api/v1/links/by-code/bulk-a')).json;
    assert.deepEqual([data.title, data.tags, data.utm], ['Spring', ['press'], { source: 'mail' }]);
    await page.getByLabel('Show failed lines only').check();
    assert.equal(await page.locator('.bulk-create-table tr').count(), 1);
    await close();
  });

  test('keys: creates with fewer scopes, shows once, revokes; a session ends with its key and continues in place', async () => {
    const { page, key, close } = await site.open({
      path: '/dashboard/keys',
      scopes: 'links:read,links:write,keys:write',
    });
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill(hostileName.slice(0, 60));
    await page.keyboard.press('Control+Enter');
    await page.getByText('Copy your API key now.').waitFor();
    const made = (await page.locator('.key-text').innerText()).trim();
    assert.equal((await as(site.server, made).get('/api/v1/links')).status, 200);
    assert.equal((await as(site.server, made).get('/api/v1/keys')).status, 403);
    await page.getByRole('button', { name: 'Close without copying' }).click();
    assert.equal(await page.getByText(made).count(), 0);

    const other = await openDashboard(site.browser, site.server, made);
    await other.page.goto('/dashboard/links?new');
    await other.page.getByLabel('Destination').fill('https://example.com/half-typed');
    const row = page.locator('tr', { hasText: 'onerror' });
    await row.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('revoked').waitFor();

    await other.page.keyboard.press('Control+Enter');
    await other.page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    await other.page.getByLabel('API key').fill(key);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page
      .getByRole('heading', { name: 'Your session has expired' })
      .waitFor({ state: 'detached' });
    assert.equal(await other.page.getByLabel('Destination').inputValue(), 'https://example.com/half-typed');
    await other.page.getByRole('button', { name: 'Create link' }).click();
    await untilCodes(other.page, [await rowsOf(other.page).first().innerText()]);
    await other.close();
    await close();
  });

  test('restricts a key to folders in its dialog; a browser signed in with it sees only these', async () => {
    const { page, api, close } = await site.open();
    const { folder } = (await api.post('/api/v1/folders', { name: 'Posters' })).json;
    for (const place of [{ folderId: folder.id, title: 'within' }, { title: 'without' }])
      await api.post('/api/v1/shorten', { url: 'https://example.com/', ...place });
    await page.goto('/dashboard/keys?key');
    await page.getByLabel('Name').fill('Agency');
    await page.getByLabel('manage API keys').check();
    await page.getByRole('combobox', { name: 'Limit to folders' }).fill('post');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByLabel('manage API keys').isDisabled(), true);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Copy your API key now.').waitFor();
    const made = (await page.locator('.key-text').innerText()).trim();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    await page.locator('tr', { hasText: 'Agency' }).getByText('Restricted to Posters').waitFor();
    await close();

    const other = await openDashboard(site.browser, site.server, made);
    await other.page.goto('/dashboard/links');
    await other.page.getByText('within').first().waitFor();
    assert.equal(await other.page.getByText('without').count(), 0);
    assert.deepEqual(other.complaints, []);
    await other.close();
  });

  test('previews branding while typing, saves, shows errors at the field, undoes', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/settings' });
    const section = page.locator('.branding');
    const stored = async () => (await api.get('/api/v1/branding')).json.data;
    await section.getByLabel('Name').fill('Acme');
    await section.getByLabel('Color').first().fill('#ffd400');
    await section.getByLabel('Contact').fill('hello@acme.example');
    await section.locator('figure').getByText('Acme', { exact: true }).waitFor();
    await section.getByText('Links on light backgrounds use #').waitFor();
    await section.getByLabel('Redirect after expiry').fill('nonsense');
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Enter a URL that starts with https:// or http://.').waitFor();
    await section.getByLabel('Redirect after expiry').fill('');
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="90"><rect width="900" height="90"/></svg>';
    const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
    await section.locator('input[type=file]').setInputFiles(file);
    await section.locator('figure img').waitFor();
    await section.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Branding saved').waitFor();
    const { logo, updatedAt: _, ...saved } = await stored();
    assert.match(logo, /^data:image\/png;base64,/);
    assert.deepEqual(saved, {
      name: 'Acme',
      accent: '#ffd400',
      message: null,
      contact: 'mailto:hello@acme.example',
      expiredUrl: null,
    });
    await section.getByRole('button', { name: 'Remove branding' }).click();
    await until('it is removed', async () => (await stored()).updatedAt === null);
    await page.getByText('Branding removed').waitFor();
    await page.keyboard.press('z');
    await until('it is back', async () => (await stored()).logo === logo);
    await close();
  });

  test("sets a folder's redirect for expired links, shows errors at the field, undoes; finds archived links", async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/folders?add' });
    const dialog = page.locator('.dialog');
    const stored = async () => (await api.get('/api/v1/folders?include=expiredUrl')).json.folders[0];
    await dialog.getByLabel('Name').fill('Spring');
    await dialog.getByLabel('Redirect after expiry').fill('nonsense');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a URL that starts with https:// or http://.').waitFor();
    await dialog.getByLabel('Redirect after expiry').fill(`${site.server.url}/over`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('points back to this service').waitFor();
    await dialog.getByLabel('Redirect after expiry').fill('https://example.com/over');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'More options for Spring' }).click();
    assert.equal((await stored()).expiredUrl, 'https://example.com/over');
    await page.getByRole('menuitem', { name: 'Edit folder' }).click();
    assert.equal(await dialog.getByLabel('Redirect after expiry').inputValue(), 'https://example.com/over');
    await dialog.getByLabel('Redirect after expiry').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Folder “Spring” saved').waitFor();
    assert.equal((await stored()).expiredUrl, null);
    await page.keyboard.press('z');
    await until('it is back', async () => (await stored()).expiredUrl !== null);
    await page.getByRole('button', { name: 'More options for Spring' }).click();
    await page.getByRole('menuitem', { name: 'Edit folder' }).click();
    await dialog.getByLabel('Name').fill('Summer');
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ]);
    assert.deepEqual(sent.postDataJSON(), { name: 'Summer' }, 'the unchanged address is not sent');
    await until('it has the name', async () => (await stored()).name === 'Summer');
    // Waits until this action is complete, because the next undo must not undo it.
    await page.getByText('Folder “Summer” saved').waitFor();
    const { id } = await stored();
    const link = await makeLink(api, { folderId: id, customCode: `in-it-${Date.now()}` });
    await page.getByRole('button', { name: 'More options for Summer' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await until('it is deleted', async () => (await stored()) === undefined);
    // Undo is available once the page has received the response.
    await page.getByText('Folder “Summer” deleted. Its links are kept.').waitFor();
    await page.keyboard.press('z');
    await until('it is back', async () => (await stored())?.id === id);
    assert.equal((await stored()).linkCount, 1);
    await api.delete(`/api/v1/links/${link}`);

    await makeLink(api, { customCode: `away-${Date.now()}`, archived: true });
    await page.goto(`${site.server.url}/dashboard/links`);
    await page.getByText('All links are archived').waitFor();
    await page.getByRole('link', { name: 'Show archived links' }).click();
    await rowsOf(page).first().waitFor();
    await close();
  });

  test('shows a read-only session without change actions', async () => {
    const { page, close } = await site.open({ path: '/dashboard/links', scopes: 'links:read' });
    await page.getByRole('heading', { name: 'No links yet' }).waitFor();
    await page.goto('/dashboard/links?new&url=https://example.com/');
    const create = page.getByRole('button', { name: 'Create link' });
    assert.equal(await create.getAttribute('aria-disabled'), 'true');
    await page.goto('/dashboard/keys');
    await page
      .getByRole('paragraph')
      .filter({ hasText: 'You don’t have permission to manage API keys.' })
      .waitFor();
    await close();
  });

  test('keeps rows without a connection, shows since when in a banner, and recovers automatically', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/links' });
    await makeLink(api, { customCode: 'still-there' });
    await page.reload();
    await untilCodes(page, ['/still-there']);
    await page.context().setOffline(true);
    await page.keyboard.press('/');
    await page.keyboard.type('still');
    await page.getByText(/No connection to the server since/).waitFor();
    assert.deepEqual(await codesOn(page), ['/still-there']);
    await page.context().setOffline(false);
    await page.getByText(/No connection/).waitFor({ state: 'detached' });
    // The network works but the server does not, and the user can retry.
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.reload();
    await page.getByRole('button', { name: /^Try/ }).waitFor();
    await page.unroute('**/api/v1/**');
    await page.getByRole('button', { name: /^Try/ }).click();
    await untilCodes(page, ['/still-there']);
    await close();
  });

  test('shows untrusted text as plain text, in every field and on every screen', async () => {
    const { page, api, complaints, close } = await site.open({ path: '/dashboard/links' });
    const folderId = (await api.post('/api/v1/folders', { name: hostileName.slice(0, 50) })).json.folder.id;
    await makeLink(api, {
      customCode: 'hostile-1',
      title: hostile,
      description: hostile,
      url: `https://example.com/?utm_source=${encodeURIComponent(hostile)}&x=%3Cscript%3E`,
      tags: ['<b>tag</b>'],
      folderId,
    });
    for (const path of words(`
      /links /links/hostile-1 /links?edit=hostile-1 /folders /tags /links?q=%3Cimg
    `)) {
      await page.goto(`/dashboard${path}`);
      await page.getByText('onerror').or(page.getByText('<b>tag</b>')).first().waitFor();
      assert.equal(await page.locator('img[src=x]').count(), 0, path);
    }
    assert.deepEqual(faultsIn(complaints), []);
    await close();
  });
});
