import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { freshCode, makeLink } from '../support/server/records.ts';

describe('a browser whose visits do not count', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test('is excluded and counted again, which survives a reload', async () => {
    const { page, api, complaints, close } = await site.open();
    const code = freshCode();
    const id = await makeLink(api, { customCode: code });
    const clicks = async () => (await api.get(`/api/v1/links/${id}`)).json.data.clicks;
    await page.goto('/dashboard/settings#ownVisits');
    const section = page.locator('#ownVisits');
    await section.getByRole('button', { name: 'Don’t count visits from this browser' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await section.getByText('Not counted', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, '');
    const [cookie] = (await page.context().cookies()).filter(({ name }) =>
      name.startsWith('linkfold_uncounted'),
    );
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, 'Lax', '/']);
    await page.request.get(`/${code}`, { maxRedirects: 0 });
    assert.equal(await clicks(), 0);
    await page.goto('/dashboard/settings#ownVisits');
    await section.getByText('Not counted', { exact: true }).waitFor();
    await section.getByRole('button', { name: 'Count visits again' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await section.getByText('Counted', { exact: true }).waitFor();
    await page.request.get(`/${code}`, { maxRedirects: 0 });
    assert.equal(await clicks(), 1);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("ignores other accounts' domains in its URL", async () => {
    const { page, close } = await site.open();
    await page.goto('/dashboard/settings?visits=excluded&domain=other.example');
    await page.waitForURL((url) => url.search === '');
    assert.doesNotMatch(await page.locator('body').innerText(), /other\.example/);
    assert.equal(await page.evaluate("localStorage.getItem('linkfold.excluded')"), null);
    await close();
  });
});
