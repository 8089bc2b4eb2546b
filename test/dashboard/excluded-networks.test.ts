import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';

describe('excluded networks in the settings', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test('are added and removed one by one; an invalid one is refused and disappears', async () => {
    const { page, api, close } = await site.open();
    const excluded = async () => (await api.get('/api/v1/account')).json.data.excludedNetworks;
    await page.goto('/dashboard/settings#ownVisits');
    const section = page.locator('#ownVisits');
    const field = section.getByRole('combobox', { name: 'Excluded networks' });
    const add = async (network: string) => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await field.fill(network);
      await page.keyboard.press('Enter');
      return (await saved).status();
    };
    assert.equal(await add('203.0.113.0/24'), 200);
    assert.equal(await add('2001:db8::/48'), 200);
    assert.deepEqual(await excluded(), ['203.0.113.0/24', '2001:db8::/48']);
    assert.equal(await add('10.0.0.0/33'), 400);
    await section.getByText('10.0.0.0/33').waitFor({ state: 'detached' });
    const removed = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await section.getByRole('button', { name: 'Remove 203.0.113.0/24' }).click();
    await removed;
    assert.deepEqual(await excluded(), ['2001:db8::/48']);
    await close();
  });
});
