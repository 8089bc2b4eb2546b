import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { scrollsSideways, siteForTests, violationsOn } from '../support/http/dashboard.ts';
import { freshCode } from '../support/server/records.ts';
import { temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

/** Folder for screenshots. No screenshots are taken if it is undefined. */
const pictures = process.env['LINKFOLD_PICTURES'];

interface Looked {
  readonly name: string;
  readonly options?: object;
}

/** Encodes a string as Windows-1252, as Excel in Germany does. */
function latin(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Drops a file on the page. */
async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    ({ name, bytes }) => {
      // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
      const { DataTransfer, File } = globalThis as any;
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    { name, bytes: [...content] },
  );
  await page.locator('.import-drop').dispatchEvent('drop', { dataTransfer: data });
}

describe('exports from other services in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();

  const look = async (page: Page, name: string) => {
    assert.deepEqual(await violationsOn(page), [], name);
    assert.equal(await scrollsSideways(page), false, name);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  };

  const looks: readonly Looked[] = [
    { name: 'wide-light', options: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } },
    { name: 'phone-dark', options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } },
  ];

  for (const { name, options } of looks)
    test(`recognizes, checks, imports and undoes a dropped Dub export: ${name}`, async () => {
      const { page, api, complaints, close } = await site.open({ path: '/dashboard/imports', ...options });
      const [one, two] = [freshCode(), freshCode()];
      await page.getByText('Drop an export file here').waitFor();
      await drop(
        page,
        'dub.csv',
        Buffer.from(
          [
            'Short link,Destination URL,Clicks,Created at,Archived,Tags,Owner',
            `https://d.example/${one},https://example.com/1,3,2024-05-06T07:08:09.000Z,true,"a,b",me`,
            `https://d.example/${two},https://example.com/2,0,2024-05-06T07:08:09.000Z,false,,me`,
          ].join('\n'),
        ),
      );
      await page.getByLabel('Exported from').waitFor();
      assert.equal(await page.getByLabel('Exported from').inputValue(), 'dub');
      assert.equal(await page.getByLabel('Import Short link as').inputValue(), 'short');
      await page.getByText('Unused columns: Owner').waitFor();
      await look(page, `tables-columns-${name}`);
      await page.getByRole('button', { name: 'Check file' }).click();
      await page.getByRole('heading', { name: '2 links and 3 clicks' }).waitFor();
      await page.getByText('2 cannot be imported').waitFor();
      await page.getByLabel('Links on other domains').selectOption({ index: 1 });
      await page.getByText('No problems found.').waitFor();
      await look(page, `tables-checked-${name}`);
      await page.getByRole('button', { name: 'Import 2 links' }).click();
      await page.getByRole('cell', { name: 'Done' }).waitFor();
      const found = (await api.get(`/api/v1/links/by-code/${one}`)).json.data;
      assert.deepEqual(
        [found.destinationUrl, found.clicks, found.createdAt],
        ['https://example.com/1', 3, '2024-05-06T07:08:09.000Z'],
      );
      await page.getByRole('button', { name: 'More options for dub' }).click();
      await page.getByRole('menuitem', { name: 'Undo import' }).click();
      await page.getByRole('button', { name: 'Undo import' }).click();
      await page.getByRole('cell', { name: 'Rolled back' }).waitFor();
      await until(
        'its links are gone',
        async () => (await api.get(`/api/v1/links/by-code/${one}`)).status === 404,
      );
      assert.deepEqual(complaints, []);
      await close();
    });

  test('redirects links from a Bitly export with 301, with the generated code as an alias', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/imports' });
    const [custom, generated] = [freshCode(), freshCode()];
    await page.locator('input[type=file]').setInputFiles({
      name: 'bitly.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        [
          'Link,Custom Link,Date created,Title,Destination URL,Engagements,Status,Tags',
          `https://bit.ly/${generated},https://bit.ly/${custom},2024-05-06T07:08:09+0000,Spring,https://example.com/1,12,active,"a,b"`,
        ].join('\n'),
      ),
    });
    assert.equal(await page.getByLabel('Exported from').inputValue(), 'bitly');
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByLabel('Links on other domains').selectOption({ index: 1 });
    await page.getByText('No problems found.').waitFor();
    await page.getByRole('button', { name: 'Import 1 link' }).click();
    await page.getByRole('cell', { name: 'Done' }).waitFor();
    const { data } = (await api.get(`/api/v1/links/by-code/${generated}`)).json;
    assert.deepEqual(
      [data.shortCode, data.redirectStatus, data.clicks, data.title],
      [custom, 301, 12, 'Spring'],
    );
    await close();
  });

  test('reads a German table in Windows-1252 with semicolons, and maps a column by hand', async () => {
    const { page, api, close } = await site.open({
      ...{ path: '/dashboard/imports', locale: 'de-DE', colorScheme: 'dark' },
      viewport: { width: 1440, height: 900 },
    });
    const code = freshCode();
    await page.locator('input[type=file]').setInputFiles({
      name: 'Kurzlinks.csv',
      mimeType: 'text/csv',
      buffer: latin(
        [
          'Kürzel;Ziel-URL;Titel;Erstellt am;Klicks;Überschrift',
          `${code};https://example.com/1;Frühling;31.01.2024 09:30;1.234;Grüße`,
        ].join('\r\n'),
      ),
    });
    await page.getByText('Windows-1252').waitFor();
    await page.getByText('Nicht verwendete Spalten: Überschrift').waitFor();
    await page.getByLabel('Überschrift importieren als').selectOption('description');
    await look(page, 'tables-columns-de-dark');
    await page.getByRole('button', { name: 'Datei prüfen' }).click();
    await page.getByText('Keine Probleme gefunden.').waitFor();
    await page.getByRole('button', { name: '1 Link importieren' }).click();
    await page.getByRole('cell', { name: 'Fertig' }).waitFor();
    const { data } = (await api.get(`/api/v1/links/by-code/${code}`)).json;
    assert.deepEqual(
      [data.title, data.description, data.clicks, data.createdAt],
      ['Frühling', 'Grüße', 1_234, '2024-01-31T09:30:00.000Z'],
    );
    await close();
  });

  test('lists rows with problems by line, saves them as CSV, and imports the others', async () => {
    const { page, api, close } = await site.open({ path: '/dashboard/imports' });
    const [good, bad] = [freshCode(), freshCode()];
    await page.locator('input[type=file]').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        [
          'code,url,created',
          `${good},https://example.com/1,soon`,
          `${bad},mailto:a@example.com,2024-01-31`,
          `${freshCode()},,2024-01-31`,
          `${freshCode()},https://example.com/1,01/02/2024`,
        ].join('\n'),
      ),
    });
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('2 cannot be imported, 2 adjusted').waitFor();
    await page.getByText('"soon" is not a date').waitFor();
    await page.getByText('Go back and choose the order.').waitFor();
    await look(page, 'tables-problems');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download problems (CSV)' }).click();
    const saved = readFileSync(await (await download).path(), 'utf8');
    assert.match(saved, /^line,code,column,outcome,reason\r\n2,,created,changed,"""soon"" is not a date"/);
    assert.match(saved, new RegExp(`^3,${bad},,refused,`, 'm'));
    assert.match(saved, /^4,,,refused,url is missing/m);
    await page.getByRole('button', { name: 'Back to columns' }).click();
    await page.getByLabel('Format of dates such as 01/02/2024').selectOption('dmy');
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('2 cannot be imported, 1 adjusted').waitFor();
    await page.getByRole('button', { name: 'Import 3 links' }).click();
    await page.getByRole('cell', { name: 'Done' }).waitFor();
    assert.equal((await api.get(`/api/v1/links/by-code/${good}`)).status, 200);
    assert.equal((await api.get(`/api/v1/links/by-code/${bad}`)).status, 404);
    await close();
  });

  test('rejects a file that is not a table with advice', async () => {
    const { page, close } = await site.open({ path: '/dashboard/imports' });
    const files = [
      ['links.xlsx', Buffer.from('PK\x03\x04 [Content_Types].xml'), 'Save it as CSV UTF-8'],
      ['links.zip', Buffer.from('PK\x03\x04 links'), 'Unpack it'],
      ['page.html', Buffer.from('<html>'), 'Download the CSV export'],
      ['empty.csv', Buffer.alloc(0), 'The file has no rows'],
      ['broken.json', Buffer.from('[{"url": 1,'), 'Export it again'],
    ] as const;
    for (const [name, buffer, advice] of files) {
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
      await page.getByText(advice).waitFor();
      await page.getByRole('button', { name: 'Choose another file' }).click();
    }
    await close();
  });

  test('reads, checks and imports 20,000 rows while the page stays responsive', async () => {
    const { page, api, complaints, close } = await site.open({ path: '/dashboard/imports' });
    const stem = freshCode();
    const rows = Array.from(
      { length: 20_000 },
      (_, at) =>
        `https://example.com/page/${at}?q=spring,${stem}-${at},Title ${at},"a,b",2024-05-06 07:08:09,${at % 7}`,
    );
    const path = join(temporaryFolder('imports'), 'many.csv');
    writeFileSync(path, ['url,code,title,tags,created,clicks', ...rows].join('\n'));
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
      const here = globalThis as any;
      here.longest = 0;
      new here.PerformanceObserver((list: { getEntries: () => { duration: number }[] }) => {
        for (const { duration } of list.getEntries()) here.longest = Math.max(here.longest, duration);
      }).observe({ entryTypes: ['longtask'] });
    });
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('No problems found.').waitFor({ timeout: 120_000 });
    await page.getByRole('button', { name: 'Import 20,000 links' }).click();
    await page.getByText(/^Importing: [\d,]+ of 20,000/).waitFor();
    await page.getByRole('cell', { name: 'Done' }).waitFor({ timeout: 180_000 });
    // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
    const longest = await page.evaluate(() => (globalThis as any).longest);
    assert.ok(longest < 1_000, `${longest} ms`);
    const { data } = (await api.get(`/api/v1/links/by-code/${stem}-19999`)).json;
    assert.deepEqual([data.title, data.clicks], ['Title 19999', 19_999 % 7]);
    assert.deepEqual(complaints, []);
    await close();
  });
});
