import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { synonyms } from '../../dashboard/command/synonyms.ts';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';

/** The active item for each typed string. */
const first: Readonly<Record<string, RegExp>> = {
  domain: /^Domains/,
  domian: /^Domains/,
  webhooks: /^Webhooks/,
  audit: /^Activity/,
  import: /^Import links/,
  migrate: /^Import links/,
  invite: /^Invite member/,
  einladen: /^Invite member/,
  dark: /^Toggle dark mode/,
  dunkel: /^Toggle dark mode/,
  theme: /^Settings: Appearance/,
  export: /^Export links as CSV/,
  'sign out': /^Sign out/,
  abmelden: /^Sign out/,
  'new folder': /^New folder/,
  muenchen: /^Folder München/,
};

describe('the command menu and search', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test('finds every screen and action by synonyms in both languages, navigation before creation', async () => {
    const { page, api, close } = await site.open();
    await api.post('/api/v1/folders', { name: 'München' });
    await page.goto('/dashboard/links');
    await page.locator('.state-page, .row').first().waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search or jump to' });
    for (const [typed, expected] of Object.entries(first)) {
      await field.fill(typed);
      await page
        .locator('[role=option][aria-selected=true]', { hasText: new RegExp(expected.source.slice(1)) })
        .waitFor();
      assert.match(await page.locator('[role=option][aria-selected=true]').innerText(), expected, typed);
    }
    // Key sessions have no passkeys and are not operators.
    const shown = Object.entries(synonyms).filter(([id]) => id !== 'operator' && id !== 'passkeys');
    for (const [id, words] of shown)
      for (const word of words.split(' ')) {
        await field.fill(word);
        await page.locator(`#command-${id}`).waitFor({ timeout: 5_000 });
      }
    await field.fill('monitoring');
    await page.keyboard.press('Enter');
    await page.locator('#destinations').waitFor();
    assert.equal(new URL(page.url()).hash, '#destinations');
    await page.keyboard.press('Control+k');
    await field.fill('add webhook');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor();
    await close();
  });

  test('tolerates typos and transliterations in search, and finds folders and tags', async () => {
    const { page, api, close } = await site.open();
    for (const [customCode, title] of [
      ['near-1', 'Winter ride'],
      ['near-2', 'Helmet'],
      ['near-3', 'Board papers'],
      ['near-4', 'Ausstellung Muenchen'],
    ] as const)
      await makeLink(api, { customCode, title });
    await api.post('/api/v1/folders', { name: 'Trade fairs' });
    await page.goto('/dashboard/links?q=nothing-like-it');
    await page.getByText('Clear search').waitFor();
    for (const [typed, found] of Object.entries({
      winterr: 'Winter',
      'winterr ride': 'Winter ride',
      hemlet: 'Helmet',
      'bord papers': 'Board papers',
      münchen: 'Muenchen',
    })) {
      await page.goto(`/dashboard/links?q=${encodeURIComponent(typed)}`);
      await page.getByRole('button', { name: `Search for “${found}” instead` }).click();
      await page.locator('.row').first().waitFor();
    }
    await page.goto('/dashboard/links?q=trade%20fares');
    await page.getByRole('link', { name: 'Trade fairs' }).last().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('hemlet');
    await page.getByText('Similar links').waitFor();
    await page.getByRole('option', { name: /near-2/ }).waitFor();
    await close();
  });
});
