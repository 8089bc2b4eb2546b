import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { freshCode, makeLink } from '../support/server/records.ts';
import { as, type TestKey } from '../support/server/server.ts';

describe('campaigns in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();
  let key: TestKey;
  let api: ReturnType<typeof as>;
  before(async () => {
    key = await site.server.newKey();
    api = as(site.server, key.key);
  });

  test('creates a link per channel for one destination; a taken code is changed and retried; undo deletes all', async () => {
    const name = freshCode();
    await makeLink(api, { customCode: `${name}-poster` });
    await api.post('/api/v1/utm-templates', { name: 'Radio', utm: { source: 'radio', medium: 'audio' } });
    const { page, complaints, close } = await site.open({ key });
    await page.goto('/dashboard/links?campaign');
    await page.getByLabel('Destination').fill('https://example.com/spring?a=1');
    await page.getByLabel('Campaign name').fill(name);
    const channel = (label: string) => page.getByRole('listitem').filter({ hasText: label });
    await channel('Radio').getByText('utm_source=radio').waitFor();
    assert.equal(await page.getByLabel('Code for Newsletter').inputValue(), `${name}-newsletter`);
    await channel('Poster').getByText('This code is taken.').waitFor();
    await page.getByRole('button', { name: 'Create 3 links' }).click();
    await page.getByText('1 link not created.').waitFor();
    await page.getByLabel('Code for Poster').fill(`${name}-wall`);
    await page.getByRole('button', { name: 'Retry 1 link' }).click();
    await page.getByRole('heading', { name: '3 links created' }).waitFor();

    const links = (await api.get(`/api/v1/links?q=${name}&include=utm,title`)).json.data;
    const made = links.filter(({ title }: { title: string | null }) => title?.startsWith(name));
    assert.deepEqual(
      made.map(({ shortCode, utm }: { shortCode: string; utm: object }) => [shortCode, utm]).sort(),
      [
        [`${name}-newsletter`, { source: 'newsletter', medium: 'email', campaign: name.toLowerCase() }],
        [`${name}-radio`, { source: 'radio', medium: 'audio', campaign: name.toLowerCase() }],
        [`${name}-wall`, { source: 'poster', medium: 'print', campaign: name.toLowerCase() }],
      ],
    );

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download QR codes (ZIP)' }).click(),
    ]);
    const zip = readFileSync(await download.path()).toString('latin1');
    for (const part of ['newsletter', 'radio', 'wall']) assert.ok(zip.includes(`${name}-${part}.svg`), part);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: /Undo/ }).last().click();
    await page.getByText('1 link moved to the bin').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('adds a custom channel and saves it as a UTM template', async () => {
    const { page, close } = await site.open({ key });
    await page.goto('/dashboard/links?campaign');
    await page.getByLabel('Add channel').first().fill('Podcast A');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save as UTM template: Podcast A' }).click();
    await page.getByText('UTM template “Podcast A” saved').waitFor();
    const templates = (await api.get('/api/v1/utm-templates')).json.data;
    assert.deepEqual(templates.find((one: { name: string }) => one.name === 'Podcast A').utm, {
      source: 'podcast_a',
    });
    await close();
  });

  test("saves and applies an account's QR style preset", async () => {
    await makeLink(api, { customCode: 'preset' });
    const { page, close } = await site.open({ key });
    await page.goto('/dashboard/links?qr=preset');
    await page.getByText('Dots', { exact: true }).click();
    await page.getByRole('button', { name: 'Presets' }).click();
    await page.getByRole('menuitem', { name: 'Save as preset' }).click();
    await page.getByLabel('Preset name').fill('Round');
    await page.keyboard.press('Enter');
    await page.getByText('Preset “Round” saved').waitFor();
    await page.getByText('Squares', { exact: true }).click();
    await page.getByRole('button', { name: 'Presets' }).click();
    await page
      .getByRole('menuitem', { name: 'Round' })
      .or(page.getByRole('menuitemradio', { name: 'Round' }))
      .click();
    assert.equal(await page.getByRole('radio', { name: 'Dots' }).isChecked(), true);
    await close();
  });
});
