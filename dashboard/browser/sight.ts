const enoughMs = 1_000;

/**
 * Calls when the reader comes back to the page, from another tab, window or program: others may have changed something.
 * @returns what ends it
 */
export function onSight(load: () => void): () => void {
  let last = 0;
  const look = () => {
    // One return is told twice, by its page and by its window.
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
 * Calls now and then while the page is in sight, and at once when it comes into sight.
 * @param isDue whether the next of these calls is wanted
 * @returns what ends it
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
