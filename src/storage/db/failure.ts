import { Failure } from '../../model/failures.ts';

/** Creates the failure for temporarily unavailable storage. @param why a clause for display, without paths or SQL */
export function storageUnavailable(why: string, cause?: unknown): Failure {
  return Object.assign(
    new Failure('STORAGE_UNAVAILABLE', `Storage is unavailable: ${why}.`, { retryAfterSeconds: 1 }),
    { cause },
  );
}
