// Draws the browser extension's icons. Takes screenshots for the extension stores, in a real browser with a temporary
// server. `node scripts/extension-pictures.ts` writes extension/icons and extension/store.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from '../test/support/http/browser.ts';
import { openExtended } from '../test/support/http/extension.ts';
import { freePort } from '../test/support/http/ports.ts';
import { as, startServer } from '../test/support/server/server.ts';
import { buildExtension } from './build-extension.ts';

const root = join(import.meta.dirname, '..');
const store = join(root, 'extension/store');
const mark = readFileSync(join(root, 'dashboard/icon.svg'), 'utf8');

/**
 * Icon sizes in pixels, and the share of the width that the logo fills. Small icons are for toolbars, and their logo
 * fills the whole width.
 */
const sides = [
  [16, 1],
  [32, 1],
  [48, 2 / 3],
  [128, 5 / 8],
] as const;

async function drawIcons(): Promise<void> {
  const browser = await openBrowser();
  for (const [side, share] of sides) {
    const page = await browser.newPage({ viewport: { width: side, height: side } });
    // Toolbars are light or dark, and icons cannot detect which. This green is visible on both.
    const [ground, colour] = share === 1 ? ['none', '#4b967f'] : ['#2f6f5e', '#ffffff'];
    await page.setContent(`<style>
      body { margin: 0 } div { background: ${ground}; border-radius: 22%; height: 100vh; display: grid; place-items: center }
      svg { display: block; width: ${side * share}px }
    </style><div>${mark.replace('#2f6f5e', colour)}</div>`);
    await page.screenshot({ path: join(root, 'extension/icons', `${side}.png`), omitBackground: true });
    await page.close();
  }
  await browser.close();
}

const site = 'https://example.com/rides/winter';
const title = 'Winter rides along the coast';
const shown = 'https://go.example.com';

/**
 * Returns the HTML of a web page with the popup at its usual position, for a screenshot of 1,280 × 800 px, the size
 * that stores require.
 */
function readingWith(popup: Buffer, isDark: boolean): string {
  const [paper, ink] = isDark ? ['#151412', '#a39c92'] : ['#fbfaf8', '#6b665f'];
  return `<style>
    body { margin: 0; padding: 90px; background: ${paper}; color: ${ink}; font: 22px/1.7 Georgia, serif } p { width: 620px }
    h1 { font-size: 44px; width: 620px; line-height: 1.2 }
    img { position: fixed; top: 16px; right: 40px; width: 420px; border-radius: 12px; box-shadow: 0 16px 48px rgb(0 0 0 / 35%), 0 0 0 1px rgb(128 128 128 / 35%) }
    </style><h1>${title}</h1><p>The wind comes from the west in the morning and turns at noon. Start early, ride out against it, and let it take you home.</p>
    <p>Six rides between ten and forty kilometres, each with a stop that has soup and a stove.</p>
    <img src="data:image/png;base64,${popup.toString('base64')}">`;
}

async function drawStore(folder: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const port = await freePort();
  const at = { url: `http://127.0.0.1:${port}` };
  const server = await startServer({ BASE_URL: shown, PORT: String(port) });
  const { key } = await server.newKey({ account: 'Bike shop', scopes: 'links:read,links:write' });
  const api = as(at, key);
  for (const name of ['Winter', 'Newsletter']) await api.post('/api/v1/folders', { name });
  for (const [customCode, title] of [
    ['menu', 'Lunch menu'],
    ['repair', 'Book a repair'],
    ['gift', 'Gift vouchers'],
  ])
    await api.post('/api/v1/shorten', { url: `https://example.com/${customCode}`, customCode, title });
  const extended = await openExtended(join(folder, 'chrome'), { colorScheme });
  const { context } = extended;
  await context.route(`${shown}/**`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(shown, at.url) });
    await route.fulfill({ response });
  });
  const options = await extended.open('options.html');
  await options.setViewportSize({ width: 1280, height: 800 });
  await options.evaluate(`chrome.storage.local.set(${JSON.stringify({ server: { url: shown, key } })})`);
  await options.reload();
  await options.getByText('Connected.').waitFor();
  await options.screenshot({ path: join(store, `options-${colorScheme}.png`) });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  // The popup runs in a tab, where it is fully rendered. The script below makes `chrome.tabs.query` return the page
  // that the popup would cover.
  const popup = await context.newPage();
  await popup.setViewportSize({ width: 360, height: 600 });
  await popup.addInitScript(`chrome.tabs.query = async () => [${JSON.stringify({ url: site, title })}]`);
  await popup.goto(`chrome-extension://${extended.id}/popup.html`);
  await popup.getByText('Lunch menu').waitFor();
  await popup.getByLabel('Folder').selectOption({ label: 'Winter' });
  await popup.getByLabel('Custom code').fill('winter');
  const filled = await popup.locator('body').screenshot();
  await popup.getByRole('button', { name: 'Shorten' }).click();
  await popup.getByRole('img').waitFor();
  const made = await popup.locator('body').screenshot();
  for (const [name, picture] of [
    ['shorten', filled],
    ['created', made],
  ] as const) {
    await page.setContent(readingWith(picture, colorScheme === 'dark'));
    await page.screenshot({ path: join(store, `${name}-${colorScheme}.png`) });
  }
  await extended.close();
  await server.stop();
}

const folder = mkdtempSync(join(tmpdir(), 'linkfold-extension-'));
try {
  await drawIcons();
  await buildExtension(folder);
  const path = join(folder, 'chrome', 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, host_permissions: [`${shown}/*`] }));
  for (const theme of ['light', 'dark'] as const) await drawStore(folder, theme);
} finally {
  rmSync(folder, { recursive: true });
}
