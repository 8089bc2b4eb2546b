import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteForTests } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { call } from '../support/server/server.ts';
import { until } from '../support/until.ts';

/** Presses Tab until the focused element has this label or text. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const isName = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused: string = await page.evaluate(
      `(({ activeElement: at }) => (at.labels?.[0] ?? at).ariaLabel ?? at.ariaLabel ?? (at.labels?.[0] ?? at).innerText ?? '')(document)`,
    );
    if (isName(focused.trim())) return;
  }
  assert.fail(`no ${name} is reached by Tab`);
}

describe('redirect rules in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();
  const sentTo = async (code: string, headers: Record<string, string>) =>
    (await call(site.server, 'GET', `/${code}`, { headers })).headers.get('location');

  test('by keyboard only: creates, orders, tests and saves two rules; visitors follow them', async () => {
    const { page, api, complaints, close } = await site.open();
    await makeLink(api, { customCode: 'decides-1', url: 'https://example.com/usual' });
    await page.goto('/dashboard/links/decides-1');
    await page.getByRole('heading', { name: /decides-1$/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Edit /decides-1' }).waitFor();
    await tabTo(page, /^Rules/);
    await page.keyboard.press('Enter');
    await tabTo(page, 'Add rule');
    await page.keyboard.press('Enter');
    await page.locator('[role=combobox][aria-expanded=true]:focus').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('A rule without conditions applies to every visit.').waitFor();
    await tabTo(page, 'URL');
    await page.keyboard.type('example.com/everyone');
    await tabTo(page, /^Name/);
    await page.keyboard.type('Everyone');
    await tabTo(page, 'Add rule');
    await page.keyboard.press('Enter');
    for (let back = 0; back < 3; back += 1) await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('Oper');
    await tabTo(page, 'Operating system');
    await page.keyboard.type('andr');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Add condition');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Lang');
    await tabTo(page, 'Language');
    await page.keyboard.type('de');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Name/);
    await page.keyboard.type('German phones');
    await page.keyboard.press('Control+Enter');

    // The URL is missing, so the form shows the error at the URL field and focuses that field.
    await page.getByText('Enter a URL that starts with https:// or http://.').waitFor();
    await page.keyboard.type('https://example.com/phones');
    await page.getByText('Enter a URL that starts with https:// or http://.').waitFor({ state: 'detached' });
    await page.locator('.rule-toggle', { hasText: 'German phones' }).press('Alt+ArrowUp');
    await page.getByText('Moved to position 1').waitFor({ state: 'attached' });
    assert.match(await page.locator('.rule-toggle').first().innerText(), /German phones/);
    assert.match(await page.locator('.rule-toggle:focus').innerText(), /German phones/);

    await page.getByRole('button', { name: 'Test rules' }).press('Enter');
    await page.locator('.outcome .mono', { hasText: 'https://example.com/everyone' }).waitFor();
    await page.getByText('Rule 2 applies.').waitFor();
    await page.locator('#try-os').selectOption('android');
    await page.getByLabel('Languages').fill('de-AT, de;q=0.9');
    await page.locator('.outcome .mono', { hasText: 'https://example.com/phones' }).waitFor();
    await page.getByText('Rule 1 applies.').waitFor();
    await page.getByText('matches, but rule 1 comes first').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Edit /decides-1' }).waitFor({ state: 'detached' });

    await page
      .locator('.link-rules li', { hasText: 'Operating system is Android, Language is German' })
      .waitFor();
    const android =
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
    assert.equal(
      await sentTo('decides-1', { 'user-agent': android, 'accept-language': 'de-DE' }),
      'https://example.com/phones',
    );
    assert.equal(await sentTo('decides-1', { 'accept-language': 'en' }), 'https://example.com/everyone');
    await page.keyboard.press('z');
    await page.locator('.link-rules').waitFor({ state: 'detached' });
    assert.equal((await api.get('/api/v1/links/by-code/decides-1')).json.data.rules, null);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('adds a code, makes it the main one, and removes it', async () => {
    const { page, api, complaints, close } = await site.open({ viewport: { width: 360, height: 740 } });
    await makeLink(api, { customCode: 'first-code', url: 'https://example.com/here' });
    await page.goto('/dashboard/links/first-code');
    await page.locator('.link-head').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Edit codes' }).click();
    await page.getByText('No other codes.').waitFor();
    await page.getByLabel('New code').fill('not a code');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('.dialog .error').waitFor();
    await page.getByLabel('New code').fill('second-code');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Make primary' }).waitFor();
    assert.equal(await sentTo('second-code', {}), 'https://example.com/here');
    assert.equal(await scrollsSideways(page), false);

    await page.getByRole('button', { name: 'Make primary' }).click();
    await page.waitForURL('**/dashboard/links/second-code?codes=second-code');
    await page.getByRole('heading', { name: 'Codes for /second-code' }).waitFor();
    assert.equal(await sentTo('first-code', {}), 'https://example.com/here');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No other codes.').waitFor();
    assert.equal(await sentTo('first-code', {}), null);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('creates a social card, rejects invalid values, previews it, and removes it', async () => {
    const { page, api, complaints, close } = await site.open();
    await makeLink(api, { customCode: 'card-1', url: 'https://example.com/usual' });
    await page.goto('/dashboard/links/card-1');
    await page.getByRole('heading', { name: /card-1$/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: /^Social card/ }).click();
    const fields = page.locator('.part-fields');
    const field = (name: string) => fields.getByRole('textbox', { name });
    await field('Title').fill('Spring <launch>');
    await field('Description').fill('Everything is new.');
    await field('Image').fill('http://example.com/card.png');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Enter a URL that starts with https://.').waitFor();
    await field('Image').fill(`https://${new URL(site.server.url).host}/a.png`);
    await page.keyboard.press('Control+Enter');
    await page.getByText(/points back to this service/).waitFor();
    await field('Image').fill('cdn.example.com/card.png');
    await page.locator('.social-card', { hasText: 'Image from cdn.example.com' }).waitFor();
    await page.keyboard.press('Control+Enter');
    const drawn = page.locator('.link-head .social-card');
    await drawn.getByText('Spring <launch>').waitFor();
    const { card } = (await api.get('/api/v1/links/by-code/card-1')).json.data;
    assert.deepEqual(card, {
      title: 'Spring <launch>',
      description: 'Everything is new.',
      image: 'https://cdn.example.com/card.png',
    });
    assert.equal(await scrollsSideways(page), false);
    await page.getByRole('button', { name: 'Edit card' }).click();
    assert.equal(await field('Title').inputValue(), 'Spring <launch>');
    for (const name of ['Title', 'Description', 'Image']) await field(name).fill('');
    await page.keyboard.press('Control+Enter');
    await drawn.waitFor({ state: 'detached' });
    assert.equal((await api.get('/api/v1/links/by-code/card-1')).json.data.card, null);
    assert.deepEqual(
      complaints.filter((one) => !/status of 400/.test(one)),
      [],
    );
    await close();
  });

  test('chooses how to generate a code, shows server errors at their field, and creates no second link', async () => {
    const { page, api, close } = await site.open({
      path: '/dashboard/links?new&url=https://example.com/fair&part=making',
    });
    const dialog = page.locator('.builder');
    await dialog.getByLabel('Prefix of the generated code').fill('-fair');
    await dialog.getByLabel('Length of the generated code').fill('5');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.error', { hasText: '6 to 32' }).waitFor();
    await dialog.getByLabel('Length of the generated code').fill('12');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.field', { hasText: 'Prefix of the generated code' }).locator('.error').waitFor();
    await dialog.getByLabel('Prefix of the generated code').fill('fair-');
    await dialog.locator('.preview', { hasText: 'fair-…' }).waitFor();
    // On a phone, the fields scroll, while the header and the footer stay in place.
    await page.setViewportSize({ width: 360, height: 640 });
    assert.equal(await dialog.evaluate((one) => one.scrollHeight > one.clientHeight), false);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await page.locator('.row', { hasText: 'fair-' }).waitFor();
    const { shortCode } = (await api.get('/api/v1/links')).json.data[0];
    assert.match(shortCode, /^fair-[0-9a-z]{12}$/);

    await page.goto('/dashboard/links?new&url=https://example.com/fair&part=making');
    await dialog.getByText('Don’t create a link if one with this destination already exists').click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.error', { hasText: shortCode }).waitFor();
    assert.equal((await api.get('/api/v1/links')).json.pagination.total, 1);
    await close();
  });

  test('creates a link with start, expiry, fallback and status; shows server errors at their field', async () => {
    const { page, api, complaints, close } = await site.open();
    await page.goto('/dashboard/links?new&url=https://example.com/a&code=limits-1&part=expiry');
    await page.getByLabel('Redirect after expiry').fill('example.com/over');
    await page.getByLabel('Start date').fill('2036-01-01T10:00');
    await page.getByRole('button', { name: /^Redirect/ }).click();
    await page.getByText('301', { exact: true }).click();
    await page.getByText(/search engines index the destination/).waitFor();
    await page.getByText('Override', { exact: true }).click();
    await page.getByRole('button', { name: /^Rules/ }).click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('combobox', { name: 'Country' }).fill('Aus');
    await page.getByRole('option', { name: /Austria/ }).click();
    await page.getByText('Split traffic', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Variant 1' }).fill('https://example.com/a');
    await page.getByRole('textbox', { name: 'Variant 2' }).fill(`${site.server.url}/loop`);
    await page.getByText('50% of visitors').first().waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    // The variant redirects to a link on this server, which only the server can detect.
    const refused = page.locator('.way', { has: page.locator('[aria-invalid=true]') });
    await refused.locator('.error').waitFor();
    assert.equal(await refused.getByRole('textbox', { name: 'Variant 2' }).count(), 1);
    await page.getByRole('textbox', { name: 'Variant 2' }).fill('https://example.com/b');
    // Drags a second rule before the first rule.
    await page.getByRole('button', { name: 'Add rule' }).click();
    const second = page.locator('.rule').nth(1);
    await second.getByRole('button', { name: 'Remove condition: Country' }).click();
    await second.getByText('Block', { exact: true }).click();
    await second.locator('.rule-toggle').click();
    await page.locator('.rule-toggle').first().click();
    await second.locator('.rule-head').dragTo(page.locator('.rule').first());
    await page.locator('.rule').first().getByText('Every visit').waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.locator('.row', { hasText: 'limits-1' }).waitFor();

    const { data } = (await api.get('/api/v1/links/by-code/limits-1')).json;
    assert.deepEqual(
      [data.redirectStatus, data.forwardQuery, data.expiredUrl, data.disabled, data.rules],
      [
        301,
        'override',
        'https://example.com/over',
        false,
        [
          { when: [], to: { gone: true } },
          {
            when: [{ fact: 'country', values: ['AT'] }],
            to: {
              split: [
                { url: 'https://example.com/a', weight: 1 },
                { url: 'https://example.com/b', weight: 1 },
              ],
            },
          },
        ],
      ],
    );
    assert.ok(data.startsAt.startsWith('203'), data.startsAt);
    // The link is disabled and enabled again on its own page.
    await page.goto('/dashboard/links/limits-1');
    await page.getByText('Scheduled').first().waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByText('/limits-1 disabled').waitFor();
    await until('visitors are redirected to the new destination', async () => {
      return (await sentTo('limits-1', {})) === 'https://example.com/over';
    });
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('/limits-1 enabled').waitFor();
    assert.deepEqual(
      complaints.filter((one) => !/status of (?:404|400|422)/.test(one)),
      [],
    );
    await close();
  });
});
