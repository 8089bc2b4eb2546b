import { Failure, type FailureCode } from '../../model/failures.ts';
import type { ApiContext } from './handler.ts';

/**
 * Runs an attempt (such as a password or code check), and counts failed attempts for rate limiting.
 * @param who identifies the user or key whose attempts are counted, across all IP addresses
 * @param countedCode error code that marks a failed attempt
 * @throws Failure RATE_LIMIT_EXCEEDED after too many failures
 */
export async function countingAttempts<T>(
  { attempts }: Pick<ApiContext, 'attempts'>,
  who: string,
  countedCode: FailureCode,
  work: () => Promise<T>,
): Promise<T> {
  attempts.require(who);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === countedCode) attempts.failed(who);
    throw error;
  }
}
