/** Synchronous for the embedded database, so that a redirect need not wait for a tick of the event loop. */
export type MaybePromise<T> = T | Promise<T>;
