import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../files/temporary.ts';

// Opens an installed headless Chromium with an extension. The other tests' pinned browser does not support extensions.

/**
 * Makes the browser driver, which reads this variable at startup, attach to popups before the browser reports them as
 * pages.
 */
process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';
const { chromium } = await import('playwright-core');
type Context = Awaited<ReturnType<typeof chromium.launchPersistentContext>>;
type Page = Awaited<ReturnType<Context['newPage']>>;

const [executablePath] = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
  .filter((path) => path !== '');

/** Returns why no extension can be loaded, or undefined if one can. */
export function whyNoExtension(): string | undefined {
  return executablePath === undefined
    ? 'NOT TESTED: no Chromium with extensions is installed (Debian: apt-get install chromium)'
    : undefined;
}

/**
 * Returns why no popup can be tested, or undefined if one can. Chromium 150 crashes on some machines when an
 * extension's button is clicked through the debugging protocol, even if the popup is an empty page.
 */
export async function whyNoPopup(): Promise<string | undefined> {
  const missing = whyNoExtension();
  if (missing !== undefined) return missing;
  const folder = temporaryFolder('popup');
  const manifest = {
    manifest_version: 3,
    name: 'empty',
    version: '1',
    action: { default_popup: 'popup.html' },
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'popup.html'), '<!doctype html><main>empty</main>');
  const { context, press, close } = await openExtended(folder);
  let hasCrashed = false;
  context.once('close', () => {
    hasCrashed = true;
  });
  try {
    const page = await context.newPage();
    await page.goto('about:blank');
    await press(page);
    return undefined;
  } catch (error) {
    if (!hasCrashed) throw error;
    return 'NOT TESTED: this Chromium crashes when it opens the popup of an extension';
  } finally {
    await close();
  }
}

export interface Extended {
  readonly context: Context;
  readonly id: string;
  /** Errors on the extension's pages. */
  readonly complaints: string[];
  /** Opens one of the extension's pages in a tab. */
  open(path: string): Promise<Page>;
  /** Clicks the extension's button while a page is open, and returns the popup that opens. */
  press(over: Page): Promise<Page>;
  close(): Promise<void>;
}

/**
 * @param folder the extension's folder, which contains its manifest
 * @param language the browser's language
 */
export async function openExtended(
  folder: string,
  { language = 'en', ...options }: { language?: string; colorScheme?: 'light' | 'dark' } = {},
): Promise<Extended> {
  if (executablePath === undefined) throw new Error(whyNoExtension());
  const context = await chromium.launchPersistentContext(temporaryFolder('profile'), {
    executablePath,
    args: ['--no-sandbox', '--headless=new', '--enable-unsafe-extension-debugging', `--lang=${language}`],
    ignoreDefaultArgs: ['--disable-extensions', '--headless', '--lang=en-US'],
    env: { ...process.env, LANGUAGE: language },
    locale: language,
    viewport: { width: 900, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const complaints: string[] = [];
  context.on('page', (page) => {
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  const browser = context.browser();
  if (browser === null) throw new Error('The context has no browser.');
  const protocol = await browser.newBrowserCDPSession();
  // biome-ignore lint/suspicious/noExplicitAny: the driver has no types for these commands
  const send = (name: string, of: object) => protocol.send(name as any, of as any) as Promise<any>;
  const { id } = await send('Extensions.loadUnpacked', { path: folder });
  return {
    context,
    id,
    complaints,
    async open(path) {
      const page = await context.newPage();
      await page.goto(`chrome-extension://${id}/${path}`);
      return page;
    },
    async press(over) {
      await over.bringToFront();
      const { targetInfos } = await send('Target.getTargets', { filter: [{ type: 'tab' }] });
      const { targetId } = targetInfos.find((one: { url: string }) => one.url === over.url());
      const [popup] = await Promise.all([
        context.waitForEvent('page'),
        send('Extensions.triggerAction', { id, targetId }),
      ]);
      await popup.waitForURL(/popup\.html$/);
      await popup.locator('main').waitFor();
      return popup;
    },
    close: () => context.close(),
  };
}
