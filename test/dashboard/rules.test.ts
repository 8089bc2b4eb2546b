import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteForTests } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { call } from '../support/server/server.ts';
import { until } from '../support/until.ts';

/** Presses Tab until the focus is on what has a name: a label, a text. */
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

describe('links that decide, in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();
  const sentTo = async (code: string, headers: Record<string, string>) =>
    (await call(site.server, 'GET', `/${code}`, { headers })).headers.get('location');

  test('by keyboard alone: two rules are made, put in another order, tried and saved; visitors follow them', async () => {
    const { page, api, complaints, close } = await site.open();
    await makeLink(api, { customCode: 'decides-1', url: 'https://example.com/usual' });
    await page.goto('/dashboard/links/decides-1');
    await page.getByRole('heading', { name: /decides-1$/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Edit /decides-1' }).waitFor();
    await tabTo(page, /^Rules/);
    await page.keyboard.press('Enter');
    await tabTo(page, 'Add a rule');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Everyone');
    await tabTo(page, 'Remove the condition Country');
    await page.keyboard.press('Enter');
    await page.getByText('Without a condition the rule holds for every visit.').waitFor();
    await tabTo(page, 'Address');
    await page.keyboard.type('example.com/everyone');
    await tabTo(page, 'Add a rule');
    await page.keyboard.press('Enter');
    await page.keyboard.type('German phones');
    await tabTo(page, 'What to look at');
    await page.keyboard.type('Sys');
    await tabTo(page, 'System');
    await page.keyboard.type('andr');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Add a condition');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Lang');
    await tabTo(page, 'Language');
    await page.keyboard.type('de');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');

    // The address is missing: the form says so where it is, and the focus is there.
    await page.getByText('This is not a web address.').waitFor();
    await page.keyboard.type('https://example.com/phones');
    await page.getByText('This is not a web address.').waitFor({ state: 'detached' });
    await page.locator('.rule-toggle', { hasText: 'German phones' }).press('Alt+ArrowUp');
    await page.getByText('Now rule 1').waitFor({ state: 'attached' });
    assert.match(await page.locator('.rule-toggle').first().innerText(), /German phones/);
    assert.match(await page.locator('.rule-toggle:focus').innerText(), /German phones/);

    await page.getByRole('button', { name: 'Try it' }).press('Enter');
    await page.locator('.outcome .mono', { hasText: 'https://example.com/everyone' }).waitFor();
    await page.getByText('Rule 2 wins.').waitFor();
    await page.locator('#try-os').selectOption('android');
    await page.getByLabel('Languages').fill('de-AT, de;q=0.9');
    await page.locator('.outcome .mono', { hasText: 'https://example.com/phones' }).waitFor();
    await page.getByText('Rule 1 wins.').waitFor();
    await page.getByText('holds too, but rule 1 comes first').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Edit /decides-1' }).waitFor({ state: 'detached' });

    await page.locator('.link-rules li', { hasText: 'System is Android, Language is German' }).waitFor();
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

  test('another code is added, becomes the own one, and is taken away', async () => {
    const { page, api, complaints, close } = await site.open({ viewport: { width: 360, height: 740 } });
    await makeLink(api, { customCode: 'first-code', url: 'https://example.com/here' });
    await page.goto('/dashboard/links/first-code');
    await page.locator('.link-head').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Codes' }).click();
    await page.getByText('It has no other code.').waitFor();
    await page.getByLabel('Another code').fill('not a code');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('.dialog .error').waitFor();
    await page.getByLabel('Another code').fill('second-code');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Make its own' }).waitFor();
    assert.equal(await sentTo('second-code', {}), 'https://example.com/here');
    assert.equal(await scrollsSideways(page), false);

    await page.getByRole('button', { name: 'Make its own' }).click();
    await page.waitForURL('**/dashboard/links/second-code?codes=second-code');
    await page.getByRole('heading', { name: 'Codes of /second-code' }).waitFor();
    assert.equal(await sentTo('first-code', {}), 'https://example.com/here');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('It has no other code.').waitFor();
    assert.equal(await sentTo('first-code', {}), null);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a social card is written, refused where it is wrong, drawn, and taken back', async () => {
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
    await page.getByText('This is not an address that begins with https://.').waitFor();
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

  test('how a code is made is chosen, what the server refuses stands at its field, and a second link is not made', async () => {
    const { page, api, close } = await site.open({
      path: '/dashboard/links?new&url=https://example.com/fair&part=making',
    });
    const dialog = page.locator('.builder');
    await dialog.getByLabel('The made code begins with').fill('-fair');
    await dialog.getByLabel('Characters made').fill('5');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.error', { hasText: '6 to 32' }).waitFor();
    await dialog.getByLabel('Characters made').fill('12');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.field', { hasText: 'begins with' }).locator('.error').waitFor();
    await dialog.getByLabel('The made code begins with').fill('fair-');
    await dialog.locator('.preview', { hasText: 'fair-…' }).waitFor();
    // On a phone its fields scroll, and head and foot stay.
    await page.setViewportSize({ width: 360, height: 640 });
    assert.equal(await dialog.evaluate((one) => one.scrollHeight > one.clientHeight), false);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await page.locator('.row', { hasText: 'fair-' }).waitFor();
    const { shortCode } = (await api.get('/api/v1/links')).json.data[0];
    assert.match(shortCode, /^fair-[0-9a-z]{12}$/);

    await page.goto('/dashboard/links?new&url=https://example.com/fair&part=making');
    await dialog.getByText('Only if no other link leads to this destination').click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.error', { hasText: shortCode }).waitFor();
    assert.equal((await api.get('/api/v1/links')).json.pagination.total, 1);
    await close();
  });

  test('a new link with its limits: beginning, end, afterwards, redirect; what the server refuses stands at its field', async () => {
    const { page, api, complaints, close } = await site.open();
    await page.goto('/dashboard/links?new&url=https://example.com/a&code=limits-1&part=expiry');
    await page.getByLabel('Afterwards visitors go to').fill('example.com/over');
    await page.getByLabel('Begins to work').fill('2036-01-01T10:00');
    await page.getByRole('button', { name: /^Redirect/ }).click();
    await page.getByText('301', { exact: true }).click();
    await page.getByText(/for good: search engines take the destination instead/).waitFor();
    await page.getByText('Override', { exact: true }).click();
    await page.getByRole('button', { name: /^Rules/ }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('combobox', { name: 'Country' }).fill('Aus');
    await page.getByRole('option', { name: /Austria/ }).click();
    await page.getByText('Split', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Way 1' }).fill('https://example.com/a');
    await page.getByRole('textbox', { name: 'Way 2' }).fill(`${site.server.url}/loop`);
    await page.getByText('50% of visitors').first().waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    // It leads back here, which only the server can say.
    const refused = page.locator('.way', { has: page.locator('[aria-invalid=true]') });
    await refused.locator('.error').waitFor();
    assert.equal(await refused.getByRole('textbox', { name: 'Way 2' }).count(), 1);
    await page.getByRole('textbox', { name: 'Way 2' }).fill('https://example.com/b');
    // A second rule is put before the first by the pointer.
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const second = page.locator('.rule').nth(1);
    await second.getByRole('button', { name: 'Remove the condition Country' }).click();
    await second.getByText('Gone', { exact: true }).click();
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
    // Switched off and on again on its own page.
    await page.goto('/dashboard/links/limits-1');
    await page.getByText('Not begun yet').first().waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await page.getByText('/limits-1 is switched off').waitFor();
    await until('visitors are sent where they go afterwards', async () => {
      return (await sentTo('limits-1', {})) === 'https://example.com/over';
    });
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('/limits-1 works again').waitFor();
    assert.deepEqual(
      complaints.filter((one) => !/status of (?:404|400|422)/.test(one)),
      [],
    );
    await close();
  });
});
