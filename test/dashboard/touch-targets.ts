import type { Page } from 'playwright-core';

/**
 * Returns the controls whose touch targets do not extend 22 px from their center horizontally and vertically, one
 * string per control. Links within a sentence are exempt (WCAG 2.5.5).
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: tests are compiled without DOM types
    type Any = any;
    const { document, getComputedStyle, innerWidth, innerHeight } = globalThis as Any;
    const reach = 21;
    const top = [...document.querySelectorAll('dialog[open], [popover]:popover-open')].at(-1) ?? document;
    const controls =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=option]';
    const faults: string[] = [];
    for (const one of top.querySelectorAll(controls)) {
      const isSeen = one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isSeen || one.disabled || one.classList.contains('unseen')) continue;
      const isProse = getComputedStyle(one).display === 'inline' && one.closest('p, li, td, dd') !== null;
      if (isProse) continue;
      one.scrollIntoView({ block: 'center', inline: 'center' });
      const label = one.closest('label');
      const box = (label ?? one).getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const isHit = (dx: number, dy: number): boolean => {
        const at = [x + dx, y + dy] as const;
        if (at[0] < 0 || at[0] >= innerWidth || at[1] < 0 || at[1] >= innerHeight) return true;
        const hit = document.elementFromPoint(...at);
        return (
          hit !== null &&
          (one.contains(hit) ||
            label?.contains(hit) ||
            hit.control === one ||
            (hit.contains(one) && hit.matches('.input, label')))
        );
      };
      const missed = [
        box.width / 2 < reach && !(isHit(-reach, 0) && isHit(reach, 0)) ? 'width' : '',
        box.height / 2 < reach && !(isHit(0, -reach) && isHit(0, reach)) ? 'height' : '',
      ].filter(Boolean);
      if (missed.length > 0)
        faults.push(
          `${missed.join(' and ')} of ${Math.round(box.width)}×${Math.round(box.height)}: <${one.localName} class="${one.getAttribute('class') ?? ''}"> ${(one.ariaLabel || one.textContent || one.value || '').trim().slice(0, 40)} in ${one.parentElement.className || one.parentElement.localName}`,
        );
    }
    return faults;
  });
}
