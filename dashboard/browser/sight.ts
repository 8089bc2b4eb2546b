const enoughMs = 1_000;

/**
 * Calls back when the user returns to the page from another tab, window or app: data may have changed meanwhile.
 * @returns unsubscribe
 */
export function onSight(load: () => void): () => void {
  let last = 0;
  const look = () => {
    // Returning once fires two events: one on the document and one on the window.
    if (document.hidden || Date.now() - last < enoughMs) return;
    last = Date.now();
    load();
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('focus', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('focus', look);
  };
}

/**
 * Calls back at intervals while the page is visible, and immediately when it becomes visible.
 * @param isDue returns whether the next call is needed
 * @returns unsubscribe
 */
export function whileInSight(
  look: () => void,
  everyMs: number,
  isDue: () => boolean = () => true,
): () => void {
  const lookInSight = () => {
    if (!document.hidden) look();
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
