import type { Page } from 'playwright-core';

/** Screens shown in the README's images: name of the image, URL, and a selector for content that must be visible. */
export const pictured = [
  { name: 'links', path: '/dashboard/links', drawn: '.sparkline path:not(.none)' },
  { name: 'statistics', path: '/dashboard/links/winter', drawn: '.chart rect, .chart path' },
] as const;

/** Images of the domain screen in docs/domains.md, one per state. In the first, no DNS records are found. */
export const picturedDomains = ['pending', 'wrong', 'active', 'failing'] as const;

/**
 * Asserts that a screen's content is visible.
 * @throws Error if the content or a sparkline is missing
 */
export async function requireDrawn(page: Page, drawn: string): Promise<void> {
  if ((await page.locator(drawn).count()) === 0) throw new Error(`Nothing is drawn: ${drawn}`);
  const empty = await page.locator('.row:not(:has(.sparkline path:not(.none)))').count();
  if (empty > 0) throw new Error(`No sparkline is drawn in ${empty} rows.`);
}

/** File with the strings that the images contain. */
export const wordsPath = 'docs/images/words.json';

const ofScreens =
  '.sidebar > .place, .sidebar .jump, .sidebar .foot .place, .page-head .button, .list-tools :is(.button, input), [role=columnheader], .link-top .button, .stat-bar .button, .figure-choice .label, .class-switch label, .chart-foot .button, .dns :is(h2, h3, dt, .button)';
/** Selector for the parts of the domain screen that do not depend on the domain. */
export const ofDomain = '.dns :is(h2, h3, dt), .dns > div .button';

/**
 * Returns the fixed strings on a screen, which are the names of controls, fields and columns. If they have changed, the
 * image is out of date.
 */
export function wordsOn(page: Page, places = ofScreens): Promise<string[]> {
  return page.evaluate((said) => {
    // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
    const { document } = globalThis as any;
    const wordsOf = (one: { placeholder?: string; innerText: string; ariaLabel?: string }) =>
      one.placeholder || one.ariaLabel || one.innerText;
    return [...document.querySelectorAll(said)]
      .filter((one) => one.checkVisibility())
      .map((one) =>
        wordsOf(one)
          .replace(/[\d,]+/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((text) => text !== '');
  }, places);
}
