const lookEveryMs = 30_000;
const firstLookMs = 1_000;
const busy = 0.05;

/**
 * Returns memory to the system that the start or a busy time has left over: some 6 MB after a start, 40 MB after
 * minutes of load. V8 does not do so while idle. It blocks everything for some 20 ms, so it waits for a time with
 * hardly any visitors. `gc` exists because the launcher passes `--expose-gc`.
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
