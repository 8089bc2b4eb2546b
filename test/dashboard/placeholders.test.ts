import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteForTests, violationsOn } from '../support/http/dashboard.ts';
import { freshCode } from '../support/server/records.ts';

describe('placeholders in the builder', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  test('inserts placeholders, and shows the URL of a visit', async () => {
    const { page, api, complaints, close } = await site.open({ path: '/dashboard/links?new&part=template' });
    const code = freshCode();
    const shown = (words: string) => page.getByText(words, { exact: true }).waitFor();
    await page.getByLabel('Destination', { exact: true }).fill('https://example.com/browse/');
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.getByText('Use placeholders').last().click();
    await page.getByRole('button', { name: '{1}', exact: true }).click();
    assert.equal(
      await page.getByLabel('Destination', { exact: true }).inputValue(),
      'https://example.com/browse/{1}',
    );
    await shown('Visitors get a 404 page: a placeholder has no value and no default.');
    await page.getByLabel('Try it').fill('123/comments?q=1');
    await shown('https://example.com/browse/123');
    await page.getByLabel('Destination', { exact: true }).fill('https://example.com/browse/{nothing}');
    await page.getByText(/unknown placeholder/).waitFor();
    await page.getByLabel('Destination', { exact: true }).fill('https://example.com/{path}');
    await shown('https://example.com/123/comments');
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await scrollsSideways(page), false, `${width} wide`);
      assert.deepEqual(await violationsOn(page), []);
    }
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const { data } = (await api.get(`/api/v1/links/by-code/${code}?include=template`)).json;
    assert.deepEqual([data.template, data.destinationUrl], [true, 'https://example.com/{path}']);
    // The server rejects the template because its placeholder is unknown.
    assert.ok(
      complaints.every((text) => text.includes('400 (Bad Request)')),
      complaints.join(),
    );
    await close();
  });

  test('shows placeholders as chips, but reads and copies the template', async () => {
    const { page, api, complaints, close } = await site.open();
    const template = 'https://{1|www}.example.com/{path?search?q={path}}';
    const code = freshCode();
    const made = await api.post('/api/v1/shorten', { url: template, customCode: code, template: true });
    assert.equal(made.status, 201, made.text);
    await api.post('/api/v1/shorten', { url: 'https://example.com/{path}', customCode: freshCode() });
    await page.goto('/dashboard/links');
    const row = page.locator('.target', { hasText: 'search?q=' });
    assert.match((await row.textContent()) ?? '', /\{1\|www\}\.example\.com\/\{path\?search\?q=\{path\}\}$/);
    assert.equal(await row.locator('.placeholder').count(), 3);
    // In destinations that are not templates, braces are literal.
    assert.equal(await page.locator('.placeholder').count(), 3);
    for (const [width, colorScheme, where] of [
      [1280, 'light', '/dashboard/links'],
      [390, 'dark', '/dashboard/links'],
      [1280, 'dark', `/dashboard/links/${code}`],
      [390, 'light', `/dashboard/links/${code}`],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto(where);
      await page.locator('.placeholder').first().waitFor();
      assert.equal(await scrollsSideways(page), false, `${where}, ${width} wide`);
      assert.deepEqual(await violationsOn(page), []);
      if (process.env['LINKFOLD_PICTURES'] !== undefined)
        await page.screenshot({
          path: `${process.env['LINKFOLD_PICTURES']}/chips-${width}-${colorScheme}.png`,
        });
    }
    assert.equal(await page.locator('.link-target .cut').textContent(), template);
    assert.deepEqual(complaints, []);
    await close();
  });
});
