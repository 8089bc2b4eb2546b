import type { Journal } from '../clicks/journal/journal.ts';
import { Failure } from '../model/failures.ts';
import type { Storage } from '../model/storage.ts';

const freshMs = 500;
const patienceMs = 2_000;

/**
 * Creates a check that the service can do its work: storage accepts writes, and the click journal accepts records.
 * `/readyz` is open to every client, so all requests together cause at most one storage write every half second.
 * @returns a function that throws Failure STORAGE_UNAVAILABLE if the service is not ready
 */
export function createReadiness(storage: Storage, journal: Pick<Journal, 'health'>): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve();

  const askStorage = async (): Promise<void> => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new Failure('STORAGE_UNAVAILABLE', `Storage did not respond within ${patienceMs / 1_000} s.`));
    }, patienceMs);
    await Promise.race([storage.ping(), tooLate]).finally(() => clearTimeout(timer));
  };

  return async () => {
    // The reason is only logged, because it may contain file names, which clients must not see.
    if (!journal.health().ok) throw new Failure('STORAGE_UNAVAILABLE', 'Clicks cannot be recorded.');
    if (performance.now() - askedAt >= freshMs) {
      askedAt = performance.now();
      answer = askStorage();
    }
    return answer;
  };
}
