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
  /** What the browser complained of: errors of scripts, requests that failed, what the page's policy forbids. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** What a window is opened with: it is of an account of its own unless a key is named, and on no page unless a path is. */
interface Opening extends BrowserContextOptions {
  readonly path?: string;
  readonly key?: TestKey;
  readonly scopes?: KeyOptions['scopes'];
}

/** A server and a browser. */
export interface Site<S extends Service = Service> {
  server: S;
  browser: Browser;
  /** Opens a window in which the holder of a key is signed in. */
  open(opening?: Opening): Promise<Screen & TestKey & { readonly api: Api }>;
}

/** A browser and the shared server for the tests of one `describe`. */
export function siteForTests(): Site {
  return siteOn(sharedServer, async () => {});
}

/** A browser and a server for the tests of one `describe` alone, which may stop it. */
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

/** Opens a window of a browser in which the holder of a key is signed in. */
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
  // The page notes that it has signed in; here its API did.
  await context.addInitScript("localStorage.setItem('linkfold.signed-in', '1')");
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints, close: () => context.close() };
}

/** A zone in which it is about noon: a test of today's clicks then does not run into tomorrow. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Every violation of accessibility that axe finds on a page, in one line each.
 * @param isOfTop whether it looks only at what lies over the page, where something does
 */
export async function violationsOn(page: Page, { isOfTop = false } = {}): Promise<string[]> {
  // A page that stays keeps it: reading it takes longer than looking at most screens.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  return page.evaluate(async (isOfTop) => {
    // biome-ignore lint/suspicious/noExplicitAny: the compiler of tests knows no browser
    const { axe, document } = globalThis as any;
    // Colours on their way from one theme to the other are those of neither.
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

/** Whether the page is wider than its window. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { scrollWidth, clientWidth } = (globalThis as any).document.documentElement;
    return scrollWidth > clientWidth;
  });
}

/** Goes to another screen as a link in the page does, without loading the page anew. */
export async function showScreen(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}
