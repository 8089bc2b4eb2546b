/** A result that the embedded database returns synchronously, so that redirects do not wait for the event loop. */
export type MaybePromise<T> = T | Promise<T>;
