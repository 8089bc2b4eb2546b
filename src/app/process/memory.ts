const lookEveryMs = 30_000;
const firstLookMs = 1_000;
const busy = 0.05;

/**
 * Gives memory back that the start, or a busy time, has left behind: after a start some 6 MB, after minutes of load 40. V8 would
 * not do so while nothing happens. It holds everything up for some 20 ms, so it waits for a time in which hardly any visitor comes.
 * `gc` is there because the launcher asks for it.
 */
export function collectWhenIdle(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let isOwed = true;
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization >= busy) isOwed = true;
    else if (isOwed) {
      isOwed = false;
      gc({ flavor: 'last-resort' });
    }
    setTimeout(look, lookEveryMs).unref();
  };
  setTimeout(look, firstLookMs).unref();
}
