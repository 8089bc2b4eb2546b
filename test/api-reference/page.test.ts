import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { effort } from '../support/random/random.ts';
import { as, call, type Server, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const path = '/api/v1/docs';
const skip = whyNoBrowser() ?? false;
const patienceMs = 90_000;

describe('the documentation page in a browser', { skip }, () => {
  let server: Server;
  let browser: Browser;
  before(async () => {
    server = await startServer();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Opens the API reference, and records errors, warnings and requests to other hosts. */
  const open = async (options: { colorScheme: 'light' | 'dark'; width: number }) => {
    const { colorScheme, width } = options;
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    const faults: string[] = [];
    const requests: { readonly url: string; readonly authorization: string | undefined }[] = [];
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      requests.push({ url, authorization: request.headers()['authorization'] });
      if (!url.startsWith(`${server.url}/`) && !url.startsWith('data:')) faults.push(`asked ${url}`);
    });
    // A blocked request whose error the viewer catches appears neither as a request nor in the console.
    await page.exposeFunction('blocked', (what: string) => faults.push(`blocked: ${what}`));
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      blocked(event.violatedDirective + ' ' + event.blockedURI))`);
    await page.goto(server.url + path, { waitUntil: 'networkidle' });
    await page.mouse.move(width / 2, 400);
    await page.getByRole('heading', { name: 'Linkfold', exact: true }).waitFor();
    return { page, faults, requests, close: () => context.close() };
  };

  /** Returns a string with everything that a page has stored in the browser. */
  const storedIn = (page: Page): Promise<string> =>
    page.evaluate(`(async () => JSON.stringify({
      local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie, address: location.href,
      databases: await indexedDB.databases(), caches: await caches.keys(),
    }))()`);

  const summaries = async (): Promise<string[]> => {
    const { paths } = (await call(server, 'GET', '/api/v1/openapi.json')).json;
    return Object.values<Record<string, { summary: string }>>(paths).flatMap((methods) =>
      Object.values(methods).map(({ summary }) => summary),
    );
  };

  /**
   * Scrolls to the end, because sections load when they come into view.
   * @returns the headings that are missing
   */
  const unshown = async (page: Page, headings: readonly string[]): Promise<string[]> => {
    const missing = new Set(headings);
    const look = async (): Promise<boolean> => {
      for (const text of await page.locator('h1, h2, h3').allTextContents()) missing.delete(text.trim());
      await page.mouse.wheel(0, 1_400);
      return missing.size === 0;
    };
    await until('every heading is shown', look, { withinMs: patienceMs, everyMs: 50 }).catch(() => {});
    return [...missing];
  };

  const rgb = (page: Page): Promise<number[]> =>
    page.evaluate(`getComputedStyle(document.querySelector('.scalar-app') ?? document.body)
      .getPropertyValue('--scalar-background-1').match(/[0-9a-f]{2}/gi).slice(0, 3).map((part) => parseInt(part, 16))`);

  /** Asserts that a page shows its first endpoints in the right color scheme and without horizontal overflow. */
  const assertShows = async (
    { page, faults, requests }: Awaited<ReturnType<typeof open>>,
    options: { endpoints: number; colorScheme: 'light' | 'dark'; width: number },
  ): Promise<void> => {
    const { endpoints, colorScheme, width } = options;
    assert.deepEqual(await unshown(page, (await summaries()).slice(0, endpoints)), []);
    const wide: number = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(wide <= width, `${wide} wide`);
    const brightness = Math.max(...(await rgb(page)));
    assert.ok(colorScheme === 'dark' ? brightness < 64 : brightness > 192, `a background of ${brightness}`);
    assert.deepEqual(faults, []);
    const asked = requests.map(({ url }) => new URL(url).pathname);
    const files = ['start.js', 'theme.css', 'viewer.js'].map((name) => `${path}/${name}`);
    assert.deepEqual(asked.sort(), [path, ...files, '/api/v1/openapi.json']);
  };

  // The viewer needs half a second of CPU time per endpoint and several seconds per page, so only nightly runs check
  // every endpoint.
  const { count } = effort(4);
  test(`dark, 360 wide: shows ${count} endpoints without errors, other hosts or overflow`, async () => {
    const window = { colorScheme: 'dark', width: 360 } as const;
    const opened = await open(window);
    await assertShows(opened, { ...window, endpoints: count });
    await opened.close();
  });

  test("light, 1280 wide: the same, and tries a request with the visitor's key, kept in memory only", async () => {
    const { key } = await server.newKey();
    const window = { colorScheme: 'light', width: 1280 } as const;
    const opened = await open(window);
    const { page, faults, requests, close } = opened;
    await assertShows(opened, { ...window, endpoints: 1 });
    await page.getByPlaceholder('Token').first().fill(key);
    await page.getByRole('button', { name: /Test Request.*shorten/i }).click();
    await page.locator('[data-addressbar-action=send]:visible').click();
    await page.getByText('201 Created').waitFor();
    const { data } = (await as(server, key).get('/api/v1/links')).json;
    assert.deepEqual(
      data.map((link: { shortCode: string }) => link.shortCode),
      ['launch'],
    );
    const withKey = requests.filter(({ authorization }) => authorization === `Bearer ${key}`);
    assert.deepEqual(
      withKey.map(({ url }) => url),
      [`${server.url}/api/v1/shorten`],
    );
    assert.deepEqual(faults, []);
    const kept = await storedIn(page);
    assert.ok(!kept.includes(key) && !kept.includes(key.slice(4, 20)), kept);
    await close();
  });
});
