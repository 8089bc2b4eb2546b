import { Failure } from '../../model/failures.ts';

/**
 * Creates the failure for temporarily unavailable storage.
 * @param why a clause that is displayed to users, so it must not contain paths or SQL
 */
export function storageUnavailable(why: string, cause?: unknown): Failure {
  return Object.assign(
    new Failure('STORAGE_UNAVAILABLE', `Storage is unavailable: ${why}.`, { retryAfterSeconds: 1 }),
    { cause },
  );
}
