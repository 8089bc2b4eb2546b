import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { preferences } from '../data/preferences.ts';
import { visibleRows, type Window } from './virtual.ts';

/** Returns the row height in px, which depends on density and window width. */
export function rowHeight(): number {
  const style = getComputedStyle(document.documentElement);
  return Number.parseFloat(style.getPropertyValue('--row')) * Number.parseFloat(style.fontSize);
}

const spare = 8;

/**
 * Determines the rows in or near the window while scrolling. After a jump, rows in the window are rendered first. The
 * other rows follow in a separate task, so that key presses are handled before those rows are rendered.
 */
export function useVirtual(
  list: RefObject<HTMLElement | null>,
  count: number,
): Window & { readonly height: number } {
  const { density } = preferences.value;
  const [height, setHeight] = useState(rowHeight);
  const [{ from, to }, setWindow] = useState<Window>({ from: 0, to: 0 });
  const shown = useRef<Window>({ from: 0, to: 0 });
  const show = (isRest: boolean) => {
    // Measuring forces a layout, so measure in the same task as the first render.
    const top = count === 0 ? 0 : (list.current?.getBoundingClientRect().top ?? 0);
    const measure = (more: number) => visibleRows(-top, innerHeight, height, count, more);
    const near = measure(spare);
    const isLeap = !isRest && (near.from >= shown.current.to || near.to <= shown.current.from);
    shown.current = isLeap ? measure(0) : near;
    setWindow((before) => same(before, shown.current));
    if (isLeap && count > 0) setTimeout(() => latest.current(true));
  };
  const latest = useRef(show);
  latest.current = show;
  const update = () => show(false);

  useLayoutEffect(() => setHeight(rowHeight()), [density]);
  useLayoutEffect(update, [count, height]);
  useEffect(() => {
    const resize = () => {
      setHeight(rowHeight());
      update();
    };
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', resize);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', resize);
    };
  }, [count, height]);
  return { from: Math.min(from, count), to: Math.min(to, count), height };
}

function same(before: Window, now: Window): Window {
  return before.from === now.from && before.to === now.to ? before : now;
}
