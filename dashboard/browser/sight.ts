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
