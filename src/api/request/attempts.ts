import { Failure, type FailureCode } from '../../model/failures.ts';
import type { ApiContext } from './handler.ts';

/**
 * Does what can be tried without success, and counts that.
 * @param who whose attempts are counted, of all addresses together
 * @param inVain the code of the failure that counts
 * @throws Failure RATE_LIMIT_EXCEEDED after too many
 */
export async function countingAttempts<T>(
  { attempts }: Pick<ApiContext, 'attempts'>,
  who: string,
  inVain: FailureCode,
  work: () => Promise<T>,
): Promise<T> {
  attempts.require(who);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === inVain) attempts.failed(who);
    throw error;
  }
}
