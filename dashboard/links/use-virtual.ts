import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { preferences } from '../data/preferences.ts';
import { visibleRows, type Window } from './virtual.ts';

/** Height of a row in px, which density and width of the window decide. */
export function rowHeight(): number {
  const style = getComputedStyle(document.documentElement);
  return Number.parseFloat(style.getPropertyValue('--row')) * Number.parseFloat(style.fontSize);
}

const spare = 8;

/**
 * Which rows of a list are in or near the window, while it is scrolled. After a leap those in the window come first: the others
 * are rendered in a task of their own, so that a key is answered in between.
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
    // Measuring lays the page out at once: at the first sight, in the task that rendered all of it.
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
