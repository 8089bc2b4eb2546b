import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { preferences } from '../data/preferences.ts';
import { visibleRows, type Window } from './virtual.ts';

/** Height of a row in px, which density and width of the window decide. */
export function rowHeight(): number {
  const style = getComputedStyle(document.documentElement);
  return Number.parseFloat(style.getPropertyValue('--row')) * Number.parseFloat(style.fontSize);
}

/** Which rows of a list are in or near the window, while it is scrolled. */
export function useVirtual(
  list: RefObject<HTMLElement | null>,
  count: number,
): Window & { readonly height: number } {
  const { density } = preferences.value;
  const [height, setHeight] = useState(rowHeight);
  const measure = () => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    return visibleRows(-top, innerHeight, height, count);
  };
  const [{ from, to }, setWindow] = useState(measure);
  const update = () => setWindow((before) => same(before, measure()));

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
