// Screens load without layout shifts, repeated requests or blank pages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { whyNoBrowser } from '../support/http/browser.ts';
import { siteOfItsOwn } from '../support/http/dashboard.ts';
import { makeDomain, makeLink, makeShare, makeWebhook } from '../support/server/records.ts';
import { as } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { fill } from './states.ts';

/** Maximum layout shift. Core Web Vitals rate values below 0.1 as good. */
const mostShift = 0.05;

const paths = [
  ...['', '/links', '/links?q=fair', '/links/fair', '/links/off', '/statistics', '/statistics?tag=poster'],
  ...[
    '/folders',
    '/tags',
    '/bin',
    '/domains',
    '/people',
    '/keys',
    '/imports',
    '/webhooks',
    '/settings',
    '/activity',
    '/compare',
    '/compare?of=campaign:spring&of=campaign:autumn',
    '/device',
    '/first',
    '/links?status=archived',
  ],
];

/** Runs in the page before its own scripts, and records layout shifts. */
const watchShifts = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      shifts.push({ value, of: sources.map(({ node }) => (node?.className ?? node?.nodeName) + '') });
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Delays responses by different times, as networks and busy servers do. @returns the requests in order */
async function delayAnswers(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route('**/api/v1/**', async (route) => {
    const request = route.request();
    if (request.url().endsWith('/events')) return route.continue();
    asked.push(`${request.method()} ${new URL(request.url()).pathname}${new URL(request.url()).search}`);
    await new Promise((resolve) => setTimeout(resolve, 150 + (asked.length % 4) * 150));
    await route.continue().catch(() => {});
  });
  return asked;
}

describe('loading screens of the dashboard', { skip: whyNoBrowser() ?? false }, () => {
  const site = siteOfItsOwn();

  test('shifts no layout by 0.05 while loading, and sends no request twice', async () => {
    const key = await site.server.newKey();
    const shared = await fill(site.server, key);
    const setUp = as(site.server, key.key);
    const webhookId = await makeWebhook(setUp);
    const domainId = await makeDomain(setUp);
    const faults: string[] = [];
    const visitAll = async (viewport: { width: number; height: number }) => {
      const { page, close } = await site.open({ key, viewport });
      await page.addInitScript(watchShifts);
      const asked = await delayAnswers(page);
      for (const path of [...paths, `/domains/${domainId}`, `/webhooks/${webhookId}`, ...shared]) {
        asked.length = 0;
        await page.goto(path.startsWith('/dashboard') ? path : `/dashboard${path}`);
        await page.locator('h1').first().waitFor();
        await settled(page, asked);
        const shifts = (await page.evaluate('shifts')) as { value: number; of: string[] }[];
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        if (sum >= mostShift) faults.push(`${path} at ${viewport.width}: ${JSON.stringify(shifts)}`);
        const twice = asked.filter((one, at) => asked.indexOf(one) < at);
        if (twice.length > 0) faults.push(`${path} at ${viewport.width} asks twice: ${twice.join(', ')}`);
      }
      await close();
    };
    await Promise.all([visitAll({ width: 1440, height: 900 }), visitAll({ width: 390, height: 844 })]);
    assert.deepEqual(faults, []);
  });

  test('shows an error for a part that fails to load, and retries on "Try again"', async () => {
    for (const lose of [
      (route: Route) => route.abort(),
      (route: Route) => route.fulfill({ status: 404, body: '' }),
    ]) {
      const { page, close } = await site.open();
      const first = await (await page.request.get('/dashboard')).text();
      let isLost = true;
      await page.route('**/dashboard/assets/*.js', (route) =>
        isLost && !first.includes(new URL(route.request().url()).pathname) ? lose(route) : route.continue(),
      );
      await page.goto('/dashboard/links');
      await page.keyboard.press('c');
      const lost = page.getByRole('dialog').getByText('Could not load this part of the dashboard');
      await lost.waitFor();
      await page.keyboard.press('Escape');
      await lost.waitFor({ state: 'detached' });
      await page.getByRole('navigation').getByRole('link', { name: 'Statistics' }).first().click();
      await page.getByRole('heading', { name: 'Could not load this part of the dashboard' }).waitFor();
      isLost = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor();
      await page.keyboard.press('c');
      await page.getByLabel('Destination').waitFor();
      await close();
    }
  });

  test('shows on every screen that the server is down or has a new version; reloads a hidden page without input', async () => {
    const key = await site.server.newKey();
    const shared = `/dashboard/shared/${await makeShare(as(site.server, key.key))}`;
    for (const path of ['/dashboard/links', '/dashboard/settings', '/dashboard/first', shared]) {
      const { page, close } = await site.open({ key });
      await page.clock.install();
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      const ask = async (answer: (route: Route) => Promise<void>) => {
        await page.route('**/dashboard', answer);
        await page.clock.runFor(16_000);
      };
      let tries = 0;
      await ask((route) => {
        tries += 1;
        return route.abort();
      });
      await page.getByText(/^No connection to the server since/).waitFor();
      const before = tries;
      await page.getByRole('button', { name: 'Retry now' }).click();
      await until('the server is asked again', () => tries > before);
      await page.unroute('**/dashboard');
      await page.clock.runFor(31_000);
      await page.getByText(/^No connection/).waitFor({ state: 'detached' });
      await ask((route) => route.fulfill({ status: 200, body: 'another build' }));
      await page.getByText('A new version is available.').waitFor();
      if (path === '/dashboard/links') {
        await page.unroute('**/dashboard');
        const hide = () =>
          page.evaluate(
            "Object.defineProperty(document, 'hidden', { configurable: true, value: true }); document.dispatchEvent(new Event('visibilitychange'))",
          );
        await page.keyboard.press('c');
        await page.getByLabel('Destination').fill('https://example.com/');
        await hide();
        await page.clock.runFor(11_000);
        assert.equal(await page.getByLabel('Destination').inputValue(), 'https://example.com/');
        await page.keyboard.press('Escape');
        await page.getByLabel('Destination').waitFor({ state: 'detached' });
        await hide();
        await Promise.all([page.waitForEvent('load'), page.clock.runFor(11_000)]);
        assert.equal(await page.getByText('A new version is available.').count(), 0);
      }
      await close();
    }
  });

  test('dims rows of the previous query while loading, and leaves no screen blank', async () => {
    const { page, api, close } = await site.open();
    await makeLink(api, { customCode: 'slow-1' });
    await page.goto('/dashboard/links');
    await page.locator('.row', { hasText: 'slow-1' }).waitFor();
    await page.route('**/api/v1/**', () => {});
    await page.getByLabel('Search').fill('helmet');
    await page.locator('.list.old[aria-busy=true] .row').waitFor();
    for (const path of [
      '',
      '/links/slow-1',
      '/statistics?tag=poster',
      '/domains/x',
      '/webhooks/x',
      '/keys',
    ]) {
      await page.goto(`/dashboard${path}`);
      await page.locator('.skeleton').filter({ visible: true }).first().waitFor();
      await page.locator('.sidebar').waitFor();
    }
    await close();
  });
});

/** Waits until no request has been sent for a while. */
async function settled(page: Page, asked: readonly string[]): Promise<void> {
  for (let seen = -1; seen < asked.length; ) {
    seen = asked.length;
    await page.waitForTimeout(900);
  }
}
