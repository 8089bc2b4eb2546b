import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { openDashboard, scrollsSideways, violationsOn } from '../support/http/dashboard.ts';
import { freshCode, makeLink } from '../support/server/records.ts';
import { as, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

/** Folder for screenshots. No screenshots are taken if it is undefined. */
const pictures = process.env['LINKFOLD_PICTURES'];

type Line = Readonly<Record<string, unknown>>;

function fileOf(name: string, lines: readonly Line[]): string {
  const head = { type: 'import', version: 1, source: 'shlink', instance: 'https://s.example.com' };
  const all = [{ ...head, readAt: '2026-06-01T09:00:00.000Z' }, ...lines];
  const path = join(temporaryFolder('imports'), name);
  writeFileSync(path, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

const end = { type: 'end', links: 0, visits: 0, buckets: 0, counters: 0, problems: 0 };

describe('imports in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  let server: Server;
  let browser: Browser;
  before(async () => {
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  const look = async (page: Page, name: string) => {
    assert.deepEqual(await violationsOn(page, { isOfTop: true }), [], name);
    assert.equal(await scrollsSideways(page), false, name);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  };

  for (const [name, options] of [
    ['wide-light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['phone-dark', { viewport: { width: 360, height: 780 }, colorScheme: 'dark' }],
  ] as const)
    test(`checks, imports, reports and undoes a file: ${name}`, async () => {
      const { key } = await server.newKey();
      const api = as(server, key);
      const [taken, lone, sale] = [freshCode(), freshCode(), freshCode()];
      await makeLink(api, { customCode: taken });
      const link = (code: string, more: Line = {}): Line => ({
        ...{ type: 'link', key: code, domain: null, code, url: 'https://example.com/spring' },
        ...more,
      });
      const file = fileOf('links.ndjson', [
        link(taken),
        link(sale, { lost: ['cloaking'] }),
        link(sale.toUpperCase(), { key: 'other' }),
        link(lone, { domain: 'old.example.org' }),
        { type: 'visit', key: sale, at: '2025-03-01T10:00:00.000Z' },
        { type: 'bucket', key: sale, at: '2025-03-02T00:00:00.000Z', unit: 'day', clicks: 40 },
        { type: 'problem', where: 'link x', reason: 'longUrl is missing' },
        { type: 'warning', where: 'links line 2', column: 'Created', reason: '"soon" is not a date' },
        { type: 'unused', where: 'links', columns: ['Owner', 'QR code'] },
        end,
      ]);
      const { page, close, complaints } = await openDashboard(browser, server, key, options);
      await page.goto('/dashboard/imports');
      await page.getByText('Drop an export file here').waitFor();
      await look(page, `imports-${name}`);
      const input = page.locator('input[type=file]');
      await input.setInputFiles({
        name: 'odd.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('url,code\n'),
      });
      await page.getByText('The file has no rows.').waitFor();
      await page.getByRole('button', { name: 'Choose another file' }).click();

      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('heading', { name: '4 links and 41 clicks' }).waitFor();
      await page.getByText('Rejected: not one of this account’s domains').waitFor();
      await page.getByText('1 link has a code that differs from another code').waitFor();
      await page.getByText('2 cannot be imported, 1 adjusted').waitFor();
      await page.getByText('longUrl is missing').waitFor();
      await page.getByText('"soon" is not a date').waitFor();
      await page.getByText('Unused columns: Owner, QR code').waitFor();
      await page.getByText('cloaking: 1 link').waitFor();
      await page.getByText('Rename', { exact: true }).click();
      await look(page, `imports-checked-${name}`);
      await page.getByRole('button', { name: 'Import 4 links' }).click();
      await page.getByText('3 links and 41 clicks imported').first().waitFor();
      await page.getByRole('cell', { name: 'Done' }).waitFor();
      await look(page, `imports-done-${name}`);
      const [done] = (await api.get('/api/v1/imports')).json.data;
      assert.deepEqual([done.counts.taken, done.counts.renamed, done.counts.refused], [1, 2, 2]);

      await page.getByRole('button', { name: 'More options for shlink' }).click();
      const report = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Download report (CSV)' }).click();
      assert.match((await report).suggestedFilename(), /^import-.*\.csv$/);
      await page.getByRole('button', { name: 'More options for shlink' }).click();
      await page.getByRole('menuitem', { name: 'Undo import' }).click();
      await look(page, `imports-undo-${name}`);
      await page.getByRole('button', { name: 'Undo import' }).click();
      await page.getByRole('cell', { name: 'Rolled back' }).waitFor();
      await until(
        'its links are gone',
        async () => (await api.get(`/api/v1/links/by-code/${sale}`)).status === 404,
      );
      assert.deepEqual(complaints, []);
      await close();
    });

  test('pauses a long file and continues when it is chosen again; a read-only key cannot', async () => {
    const { key } = await server.newKey();
    const api = as(server, key);
    const stem = freshCode();
    const links = Array.from({ length: 5_000 }, (_, at) => ({
      ...{ type: 'link', key: `${stem}-${at}`, domain: null, code: `${stem}-${at}` },
      url: 'https://example.com/spring',
    }));
    const file = fileOf('long.ndjson', [...links, end]);
    const { page, close } = await openDashboard(browser, server, key);
    await page.goto('/dashboard/imports');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Import 5,000 links' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const [paused] = (await api.get('/api/v1/imports')).json.data;
    assert.equal(paused.state, 'paused');
    await page.reload();
    await page.getByRole('cell', { name: 'Paused' }).waitFor();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Import 5,000 links' }).click();
    await page.getByText('5,000 links and 0 clicks imported').first().waitFor({ timeout: 60_000 });
    const [done] = (await api.get('/api/v1/imports')).json.data;
    assert.deepEqual([done.id, done.counts.taken, done.counts.skipped], [paused.id, 5_000, 0]);
    await close();

    const reader = await server.newKey({ scopes: 'links:read' });
    const other = await openDashboard(browser, server, reader.key);
    await other.page.goto('/dashboard/imports');
    await other.page.getByText('Drop an export file here').waitFor();
    assert.equal(await other.page.locator('input[type=file]').isDisabled(), true);
    await other.close();
  });
});
