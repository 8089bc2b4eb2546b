const settleMs = 1_000;
const busy = 0.05;

/**
 * Gives back what loading the program left behind, some 6 MB, once the start is over. It holds everything up for some
 * 20 ms, so it is left to V8 where visitors have come already. `gc` is there because the launcher asks for it.
 */
export function collectAfterStart(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  const atStart = performance.eventLoopUtilization();
  setTimeout(() => {
    if (performance.eventLoopUtilization(atStart).utilization < busy) gc({ flavor: 'last-resort' });
  }, settleMs).unref();
}
