/**
 * Waits for long work until the signal is aborted.
 * @param discard gets a result that comes after the abort
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
