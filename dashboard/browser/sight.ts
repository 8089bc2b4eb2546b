const enoughMs = 1_000;

/**
 * Calls `load` when the user returns to the page from another tab, window or app, because data may have changed while
 * the page was in the background.
 * @returns a function that unsubscribes
 */
export function onSight(load: () => void): () => void {
  let last = 0;
  const check = () => {
    // A single return to the page fires an event on the document and one on the window. Ignore the second event.
    if (document.hidden || Date.now() - last < enoughMs) return;
    last = Date.now();
    load();
  };
  document.addEventListener('visibilitychange', check);
  addEventListener('focus', check);
  return () => {
    document.removeEventListener('visibilitychange', check);
    removeEventListener('focus', check);
  };
}

/**
 * Calls `poll` at intervals while the page is visible, and immediately when it becomes visible.
 * @param isDue returns true if the next call is needed
 * @returns a function that unsubscribes
 */
export function whileInSight(
  poll: () => void,
  everyMs: number,
  isDue: () => boolean = () => true,
): () => void {
  const lookInSight = () => {
    if (!document.hidden) poll();
  };
  const timer = setInterval(() => {
    if (isDue()) lookInSight();
  }, everyMs);
  document.addEventListener('visibilitychange', lookInSight);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', lookInSight);
  };
}
