import type { Endpoint } from '../../contract/endpoint.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { Failure } from '../../model/failures.ts';
import type { Call } from './handler.ts';

/** Maximum number of attempts to read an export page during overload. `waitMs` is the pause before each retry. */
const tries = 60;
const waitMs = 500;

/** The client that receives exported rows. Its authorization is checked again before each page. */
export type Reader = Pick<Call<Endpoint>, 'context' | 'requireStill'> & { readonly key: ApiKey };

/**
 * Reads an export page. The first page can fail with OVERLOADED like any request. Later pages are retried, because
 * the response has already started. They fail only if the key is no longer valid.
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
