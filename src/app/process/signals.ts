/**
 * Milliseconds after which another signal counts as a second Ctrl-C. npm forwards a signal that the terminal has
 * already sent to the whole process group, so one Ctrl-C arrives twice within a few milliseconds.
 */
const duplicateMs = 500;

/**
 * Waits for SIGINT or SIGTERM. The first signal requests a graceful stop.
 * @param endAtOnce called for every signal that arrives more than half a second after the first
 * @returns a promise that resolves with the first signal
 */
export function awaitStopSignal(endAtOnce: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      const now = performance.now();
      if (askedAt === undefined) {
        askedAt = now;
        resolve(signal);
      } else if (now - askedAt >= duplicateMs) endAtOnce();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}
