/**
 * npm forwards a signal that the terminal has already sent to the whole process group, so one Ctrl-C arrives twice,
 * some milliseconds apart. A signal after this time is a second Ctrl-C, ms.
 */
const duplicateMs = 500;

/**
 * Waits for SIGINT or SIGTERM: the first one requests a graceful stop.
 * @param endAtOnce called for every signal more than half a second after the first
 * @returns resolves with the first signal
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
