import type { Page } from 'playwright-core';

/** The screens in the pictures of the README: the name of the picture, its address, and what is drawn when it can be taken. */
export const pictured = [
  { name: 'links', path: '/dashboard/links', drawn: '.sparkline path:not(.none)' },
  { name: 'statistics', path: '/dashboard/links/winter', drawn: '.chart rect, .chart path' },
] as const;

/** The pictures of a domain's screen in docs/domains.md, by its states; in the first nothing is found yet. */
export const picturedDomains = ['pending', 'wrong', 'active', 'failing'] as const;

/** @throws Error when what a picture is to show is not drawn, or in some of the places for sparklines nothing is */
export async function requireDrawn(page: Page, drawn: string): Promise<void> {
  if ((await page.locator(drawn).count()) === 0) throw new Error(`Nothing is drawn: ${drawn}`);
  const empty = await page.locator('.row:not(:has(.sparkline path:not(.none)))').count();
  if (empty > 0) throw new Error(`No sparkline is drawn in ${empty} rows.`);
}

/** Where the script that draws the pictures keeps what could be read in them. */
export const wordsPath = 'docs/images/words.json';

const ofScreens =
  '.sidebar > .place, .sidebar .jump, .sidebar .foot .place, .page-head .button, .list-tools :is(.button, input), [role=columnheader], .link-top .button, .stat-bar .button, .figure-choice .label, .class-switch label, .chart-foot .button, .dns :is(h2, h3, dt, .button)';
/** Where the screen of a domain says something that is the same for all domains. */
export const ofDomain = '.dns :is(h2, h3, dt), .dns > div .button';

/**
 * What a screen says by itself, whatever the account holds: the names of its controls, fields and columns. A picture in which
 * they were others is one of before.
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
