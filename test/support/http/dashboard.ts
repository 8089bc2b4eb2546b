import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Api } from '../server/records.ts';
import {
  as,
  type KeyOptions,
  type Server,
  type Service,
  startServer,
  type TestKey,
} from '../server/server.ts';
import { sharedServer } from '../server/shared-server.ts';
import { openBrowser } from './browser.ts';

export interface Screen {
  readonly page: Page;
  /** Errors in the browser: script errors, failed requests and policy violations. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** Options for opening a window. By default, the window gets a new account and shows no page. */
interface Opening extends BrowserContextOptions {
  readonly path?: string;
  readonly key?: TestKey;
  readonly scopes?: KeyOptions['scopes'];
}

/** A server and a browser, for dashboard tests. */
export interface Site<S extends Service = Service> {
  server: S;
  browser: Browser;
  /** Opens a window signed in with a key. */
  open(opening?: Opening): Promise<Screen & TestKey & { readonly api: Api }>;
}

/** Provides a browser and the shared server to the tests of one `describe`. */
export function siteForTests(): Site {
  return siteOn(sharedServer, async () => {});
}

/** Provides a browser and a separate server, which the tests may stop, to the tests of one `describe`. */
export function siteOfItsOwn(): Site<Server> {
  return siteOn(startServer, (server) => server.stop());
}

function siteOn<S extends Service>(start: () => Promise<S>, end: (server: S) => Promise<unknown>): Site<S> {
  const site = {
    async open({ path, key: given, scopes, ...options }: Opening = {}) {
      const { server, browser } = site;
      const key = given ?? (await server.newKey(scopes === undefined ? {} : { scopes }));
      const screen = await openDashboard(browser, server, key.key, options);
      if (path !== undefined) await screen.page.goto(path);
      return { ...screen, ...key, api: as(server, key.key) };
    },
  } as Site<S>;
  before(async () => {
    [site.server, site.browser] = await Promise.all([start(), openBrowser()]);
  });
  after(async () => {
    await site.browser.close();
    await end(site.server);
  });
  return site;
}

/** Opens a browser window signed in with a key. */
export async function openDashboard(
  browser: Browser,
  server: { readonly url: string },
  key: string,
  options: BrowserContextOptions = {},
): Promise<Screen> {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'en-GB',
    timezoneId: zoneAtNoon(),
    ...options,
  });
  const signedIn = await context.request.post('/api/v1/session', {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(signedIn.status(), 201, await signedIn.text());
  // Normally, the page itself stores that the user has signed in. Here, the test signed in through the API.
  await context.addInitScript("localStorage.setItem('linkfold.signed-in', '1')");
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints, close: () => context.close() };
}

/** Returns a time zone where it is about noon, so that a test of today's clicks does not cross midnight. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns every accessibility violation that axe finds on a page, one string per violation.
 * @param isOfTop true to check only the topmost dialog or popover, if any
 */
export async function violationsOn(page: Page, { isOfTop = false } = {}): Promise<string[]> {
  // Loads axe only once per page, because loading takes longer than checking most screens.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  return page.evaluate(async (isOfTop) => {
    // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
    const { axe, document } = globalThis as any;
    // Waits for transitions. While they run, colors belong to neither theme.
    await Promise.allSettled(document.getAnimations().map((one: { finished: unknown }) => one.finished));
    const over = [...document.querySelectorAll('dialog[open], [popover]:popover-open')];
    const { violations } = await axe.run((isOfTop && over.at(-1)) || document, {
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true } },
    });
    return violations.map(
      (one: { id: string; nodes: { html: string }[] }) =>
        `${one.id}: ${one.nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    );
  }, isOfTop);
}

/** Returns true if the page is wider than its window. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
    const { scrollWidth, clientWidth } = (globalThis as any).document.documentElement;
    return scrollWidth > clientWidth;
  });
}

/** Navigates to another screen without reloading, as a link in the page does. */
export async function showScreen(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}
