import type { Page } from 'playwright-core';

/** Screens in the README images: image name, URL, and the content that must be visible. */
export const pictured = [
  { name: 'links', path: '/dashboard/links', drawn: '.sparkline path:not(.none)' },
  { name: 'statistics', path: '/dashboard/links/winter', drawn: '.chart rect, .chart path' },
] as const;

/** Images of the domain screen in docs/domains.md, by state; in the first, no records are found. */
export const picturedDomains = ['pending', 'wrong', 'active', 'failing'] as const;

/** @throws Error if the expected content or a sparkline is missing */
export async function requireDrawn(page: Page, drawn: string): Promise<void> {
  if ((await page.locator(drawn).count()) === 0) throw new Error(`Nothing is drawn: ${drawn}`);
  const empty = await page.locator('.row:not(:has(.sparkline path:not(.none)))').count();
  if (empty > 0) throw new Error(`No sparkline is drawn in ${empty} rows.`);
}

/** File with the text in the images. */
export const wordsPath = 'docs/images/words.json';

const ofScreens =
  '.sidebar > .place, .sidebar .jump, .sidebar .foot .place, .page-head .button, .list-tools :is(.button, input), [role=columnheader], .link-top .button, .stat-bar .button, .figure-choice .label, .class-switch label, .chart-foot .button, .dns :is(h2, h3, dt, .button)';
/** Parts of the domain screen that are the same for all domains. */
export const ofDomain = '.dns :is(h2, h3, dt), .dns > div .button';

/**
 * Returns the fixed texts of a screen: names of controls, fields and columns. If they differ, the image is out of date.
 */
export function wordsOn(page: Page, places = ofScreens): Promise<string[]> {
  return page.evaluate((said) => {
    // biome-ignore lint/suspicious/noExplicitAny: the compiler of tests knows no browser
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
