import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

const executable = names
  .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
  .find((path) => path !== '');

/** Why no test can look at a page; undefined when it can. */
export function whyNoBrowser(): string | undefined {
  return executable === undefined
    ? 'Chromium is not installed (Debian: apt-get install chromium)'
    : undefined;
}

/** A real browser without a window. Its sandbox is off, for it only sees pages of our own, and tests may run as root. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] });
}
