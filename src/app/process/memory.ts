const checkEveryMs = 30_000;
const firstCheckMs = 1_000;
const busy = 0.05;

/**
 * Returns unused memory to the system after startup or a busy period: about 6 MB after startup, and 40 MB after minutes
 * under load. V8 does not do this while idle. Garbage collection blocks the process for about 20 ms, so the function
 * waits until there are hardly any visitors. `gc` exists because the launcher passes `--expose-gc`.
 */
export function collectWhenIdle(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let isDue = true;
  let before = performance.eventLoopUtilization();
  const collectIfIdle = (): void => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization >= busy) isDue = true;
    else if (isDue) {
      isDue = false;
      gc({ flavor: 'last-resort' });
    }
    setTimeout(collectIfIdle, checkEveryMs).unref();
  };
  setTimeout(collectIfIdle, firstCheckMs).unref();
}
