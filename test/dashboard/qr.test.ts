import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteForTests } from '../support/http/dashboard.ts';
import { makeLink } from '../support/server/records.ts';
import { as, type TestKey } from '../support/server/server.ts';

const decode = jsQR as unknown as typeof jsQR.default;

/** A logo of random noise, the hardest case for a scanner. */
const noise = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">${Array.from(
    { length: 64 },
    (_, at) =>
      `<rect x="${(at % 8) * 8}" y="${Math.floor(at / 8) * 8}" width="8" height="8" fill="${(at * 7) % 3 === 0 ? '#000' : '#fff'}"/>`,
  ).join('')}</svg>`,
);

describe('QR codes in the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteForTests();
  let key: TestKey;
  before(async () => {
    key = await site.server.newKey();
    await makeLink(as(site.server, key.key), { customCode: 'poster', title: '<img src=x onerror=alert(1)>' });
  });

  const save = async (page: Page, name: string): Promise<Buffer> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `poster.${name.toLowerCase()}`);
    return readFileSync(await download.path());
  };

  const show = (page: Page, type: string, bytes: Buffer): Promise<Shown> =>
    page.evaluate(drawn, `data:${type};base64,${bytes.toString('base64')}`);
  /** Scans the QR code in an image, as a camera would. */
  const readFrom = ({ width, height, pixels }: Shown): string | undefined => {
    const bytesOf = (dark: string): number[] => (dark === '1' ? [0, 0, 0, 255] : [255, 255, 255, 255]);
    return decode(new Uint8ClampedArray([...pixels].flatMap(bytesOf)), width, height)?.data;
  };
  const readIn = async (page: Page, type: string, bytes: Buffer): Promise<string | undefined> =>
    readFrom(await show(page, type, bytes));

  test('draws and saves scannable SVG and PNG; a logo covers the center', async () => {
    const { page, complaints, close } = await site.open({ key });
    const scanned = `${site.server.url}/poster?trigger=qr`;
    await page.goto('/dashboard/links?qr=poster');
    await page.getByText(/Contrast \d/).waitFor();
    assert.equal(await readIn(page, 'image/svg+xml', await save(page, 'SVG')), scanned);
    const plain = await save(page, 'PNG');
    assert.equal(plain.readUInt32BE(16), 472, '40 mm at 300 dpi');
    assert.equal(await readIn(page, 'image/png', plain), scanned);

    assert.match((await save(page, 'SVG')).toString(), /width="40mm" height="40mm"/);
    assert.match((await save(page, 'PDF')).toString('latin1'), /^%PDF.*MediaBox\[0 0 113\.3858 113\.3858\]/s);
    await page.getByText('Dots', { exact: true }).click();
    await page.getByRole('switch', { name: 'Frame' }).check();
    await page.getByText('Screen', { exact: true }).click();
    assert.equal(await readIn(page, 'image/svg+xml', await save(page, 'SVG')), scanned);
    assert.equal(await readIn(page, 'image/png', await save(page, 'PNG')), scanned);

    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'noise.svg', mimeType: 'image/svg+xml', buffer: noise });
    await page.getByText('error correction level H').waitFor();
    await page.getByLabel('Logo size').fill('22');
    await page.getByRole('switch', { name: /poster$/ }).check();
    await page.getByText(/Contrast \d/).waitFor();
    assert.equal(await readIn(page, 'image/png', await save(page, 'PNG')), scanned);

    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('This file is not a supported image.').waitFor();
    assert.deepEqual(
      complaints.filter((one) => !one.includes('data:image/png')),
      [],
    );
    await close();
  });

  test("shows the API's codes in a browser in their colors, scannable", async () => {
    const { page, api, close } = await site.open({ key });
    const [{ id }] = (await api.get('/api/v1/links?search=poster')).json.data;
    const look = 'color=1f4d41&background=%23f4f1ec';
    for (const query of [`format=svg&${look}`, `format=png&size=417&level=H&${look}`]) {
      const answer = await fetch(`${site.server.url}/api/v1/links/${id}/qr?${query}`, {
        headers: { authorization: `Bearer ${key.key}` },
      });
      const drawn = await show(
        page,
        answer.headers.get('content-type') ?? '',
        Buffer.from(await answer.arrayBuffer()),
      );
      assert.equal(readFrom(drawn), `${site.server.url}/poster?trigger=qr`, query);
      assert.equal(drawn.width, query.includes('png') ? 417 : 1024);
      assert.deepEqual(drawn.colours.sort(), ['1f4d41', 'f4f1ec']);
    }
    await close();
  });

  test('saves the codes of selected links as one archive', async () => {
    await makeLink(as(site.server, key.key), { customCode: 'flyer' });
    const { page, complaints, close } = await site.open({ key, path: '/dashboard/links' });
    await page.getByText('/flyer').first().waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).check({ force: true });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'QR codes' }).click(),
    ]);
    const archive = readFileSync(await download.path()).toString('latin1');
    assert.equal(archive.slice(0, 4), 'PK\x03\x04');
    for (const name of ['poster.svg', 'poster.png', 'flyer.svg', 'flyer.png'])
      assert.equal(archive.split(name).length, 3, `${name}: local and central header`);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('disables colors with too little contrast, with the reason', async () => {
    const { page, close } = await site.open({ key, path: '/dashboard/links?qr=poster' });
    await page.getByText(/Contrast \d/).waitFor();
    await page.getByRole('textbox', { name: 'Code color' }).fill('#aaa');
    await page.getByText('Contrast is too low (2.3 : 1). Choose a darker color.').first().waitFor();
    const svg = page.getByRole('button', { name: 'SVG' });
    assert.equal(await svg.getAttribute('aria-disabled'), 'true');
    await page.getByRole('radio', { name: 'Blue' }).check({ force: true });
    await page.getByText(/Contrast \d/).waitFor();
    assert.equal(await svg.getAttribute('aria-disabled'), null);
    // The style is still the same after a reload.
    await page.reload();
    await page.getByText(/Contrast \d/).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Code color' }).inputValue(), '#1f3a78');
    await close();
  });
});

interface Shown {
  readonly width: number;
  readonly height: number;
  /** One character per pixel, `1` if the pixel is dark. */
  readonly pixels: string;
  /** Colors in hexadecimal. */
  readonly colours: string[];
}

/** Runs in the page. Returns an image as the browser draws it. */
async function drawn(href: string): Promise<Shown> {
  // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
  const { document, Image } = globalThis as any;
  const image = new Image();
  image.src = href;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let pixels = '';
  const colours = new Set<string>();
  for (let at = 0; at < data.length; at += 4)
    pixels += data[at] + data[at + 1] + data[at + 2] < 384 ? '1' : '0';
  for (let at = 0; at < data.length; at += 4)
    colours.add([0, 1, 2].map((part) => data[at + part].toString(16).padStart(2, '0')).join(''));
  return { width: canvas.width, height: canvas.height, pixels, colours: [...colours] };
}
