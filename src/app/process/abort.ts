/**
 * Waits for a promise, but only until the signal is aborted.
 * @param discard receives a result that arrives after the abort
 * @throws the rejection reason of `work`; the signal's reason if the signal is aborted first
 */
export function unlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  discard?: (late: T) => unknown,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    reject(signal.reason);
    work.then(discard).catch(() => {}); // errors are ignored, because the process is ending
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
