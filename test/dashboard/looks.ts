import type { Page } from 'playwright-core';
import { violationsOn } from '../support/http/dashboard.ts';

/** A theme and window size in which a screen is checked. */
export interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  /** True if axe runs. Its results are the same in both wide windows. */
  readonly hasAxe: boolean;
}

const heights: Readonly<Record<number, number>> = { 390: 844, 1280: 800, 1600: 900 };
const widths = [1280, 1600, 390];
/** Time in ms for a busy machine to redraw a page after its window changes. */
const settleMs = 10_000;

/**
 * Returns a wide and a narrow window. Axe is slow, so it runs in only one of them. This window, the themes and the
 * width of the wide window vary between turns.
 */
export function someLooks(turn: number): readonly Look[] {
  const [theme, other] = turn % 4 < 2 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
  return [
    { theme, width: turn % 3 === 0 ? 1600 : 1280, hasAxe: turn % 2 === 0 },
    { theme: other, width: 390, hasAxe: turn % 2 === 1 },
  ];
}

/** Returns every combination of theme and width. */
export function allLooks(): readonly Look[] {
  return (['light', 'dark'] as const).flatMap((theme) =>
    widths.map((width) => ({ theme, width, hasAxe: true })),
  );
}

/** Returns a page's faults in several themes and window sizes, one string per fault. */
export async function faultsInLooks(page: Page, looks: readonly Look[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { theme, width, hasAxe } of looks) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: heights[width] ?? 800 });
    const found = [
      ...(hasAxe ? await violationsOn(page, { isOfTop: true }) : []),
      ...(await settledFaults(page)),
    ];
    faults.push(...found.map((fault) => `${theme}, ${width} wide: ${fault}`));
  }
  return faults;
}

/**
 * Returns the faults that are still there after `settleMs`. Charts and lists are still being drawn after the first
 * paint, so transient faults do not count.
 */
async function settledFaults(page: Page): Promise<string[]> {
  const ends = performance.now() + settleMs;
  let faults = await page.evaluate(outOfReach);
  while (faults.length > 0 && performance.now() < ends) {
    await page.waitForTimeout(200);
    faults = await page.evaluate(outOfReach);
  }
  return faults;
}

/**
 * Runs in the page. Returns the elements that overflow, and the elements at which Tab moves focus upwards or out of
 * view.
 */
function outOfReach(): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
  type Any = any;
  const { document, innerHeight, getComputedStyle } = globalThis as Any;
  const { scrollWidth, clientWidth } = document.documentElement;
  const nameOf = (one: Any) =>
    `<${one.localName} class="${one.getAttribute('class') ?? ''}"> ${(one.ariaLabel || one.textContent || one.value || '').trim().slice(0, 40)}`;
  const faults: string[] = [];
  const over = [...document.querySelectorAll('dialog[open], [popover]:popover-open')];
  for (const one of over) {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (left < 0 || right > clientWidth + 1 || top < 0 || bottom > innerHeight + 1)
      faults.push(`beyond the window: ${nameOf(one)}`);
  }
  const scrolls = (one: Any): boolean => {
    // An absolutely positioned element scrolls with its containing block, not with its parent.
    const above = (at: Any) =>
      getComputedStyle(at).position === 'absolute' ? at.offsetParent : at.parentElement;
    for (let at = above(one); at !== null; at = above(at))
      if (at !== document.documentElement && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > clientWidth + 1 && !scrolls(one),
    );
    faults.push(`wider than the window: ${wide.slice(-2).map(nameOf).join(' | ')}`);
  }
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
  const order = [
    ...modal.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'),
  ].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }));
  let before: Any;
  for (const one of order) {
    const box = one.getBoundingClientRect();
    const isInPlace =
      !one.classList.contains('unseen') && !['absolute', 'fixed'].includes(getComputedStyle(one).position);
    if (box.width === 0 || box.height === 0) faults.push(`has the focus unseen: ${nameOf(one)}`);
    else if ((box.right <= 0 || box.left >= clientWidth) && !scrolls(one))
      faults.push(`has the focus beside the window: ${nameOf(one)}`);
    const part = one.closest('nav, header, main, dialog, [popover], form, section');
    if (isInPlace && before?.part === part) {
      const isAbove =
        box.bottom <= before.box.top && box.left < before.box.right && box.right > before.box.left;
      const isBack =
        one.parentElement === before.one.parentElement &&
        box.right <= before.box.left &&
        box.top < before.box.bottom &&
        box.bottom > before.box.top;
      if (isAbove || isBack) faults.push(`Tab leads back to: ${nameOf(one)} from ${nameOf(before.one)}`);
    }
    if (isInPlace) before = { one, box, part };
  }
  return faults;
}
