import type { Endpoint } from '../../contract/endpoint.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { Failure } from '../../model/failures.ts';
import type { Call } from './handler.ts';

/** How often an export tries again, and how long it waits before, ms: others come first while there is much to do. */
const tries = 60;
const waitMs = 500;

/** Whom rows are read for, while that is permitted. */
export type Reader = Pick<Call<Endpoint>, 'context' | 'requireStill'> & { readonly key: ApiKey };

/** Asks for a page. The first one is refused like any other request; a later one waits its turn, unless its key has ended. */
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
