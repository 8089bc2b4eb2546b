import type { Endpoint } from '../../contract/endpoint.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { Failure } from '../../model/failures.ts';
import type { Call } from './handler.ts';

/** Number of retries of an overloaded read in an export, and the pause before each, ms: other requests go first. */
const tries = 60;
const waitMs = 500;

/** The receiver of exported rows, checked again as the export runs. */
export type Reader = Pick<Call<Endpoint>, 'context' | 'requireStill'> & { readonly key: ApiKey };

/**
 * Reads a page. The first page may fail with OVERLOADED like any request; later ones are retried unless the key has
 * ended.
 */
export async function retryOverloaded<T>(
  isFirst: boolean,
  reader: Reader,
  ask: () => Promise<T>,
): Promise<T> {
  if (!isFirst) await reader.requireStill();
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof Failure && error.code === 'OVERLOADED';
      if (isFirst || !isBusy || tried === tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
