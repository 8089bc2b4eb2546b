/**
 * npm passes a signal on that the terminal has already sent to every process of the group, so one Ctrl-C arrives twice,
 * some milliseconds apart. A person presses again later than that to end the process at once, ms.
 */
const echoMs = 500;

/**
 * Takes SIGINT and SIGTERM: the first one asks for a graceful stop.
 * @param endAtOnce called for every further signal that comes later than half a second after the first
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
      } else if (now - askedAt >= echoMs) endAtOnce();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}
