/**
 * Waits for work that may take long, but not when the signal is aborted.
 * @param discard what is to be done with a result that comes too late
 * @throws what the work throws; the signal's reason when it is aborted before
 */
export function unlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  discard?: (late: T) => unknown,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    reject(signal.reason);
    work.then(discard).catch(() => {}); // the process ends
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
