/** Synchronous on an embedded engine, so that the redirect need not wait for a tick of the event loop. */
export type MaybePromise<T> = T | Promise<T>;
