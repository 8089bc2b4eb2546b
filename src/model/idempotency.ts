import { type Problem, problem } from './failures.ts';

/**
 * Makes a write happen once: storage keeps the result beside the effect, in the same transaction, and answers a
 * repetition with it.
 */
export interface IdempotencyClaim {
  readonly accountId: number;
  readonly key: string;
  /** Digest of the request; the same key with another one is refused. */
  readonly fingerprint: string;
  readonly at: number;
}

/** The result of a write, and whether it is a repetition. */
export interface IdempotentResult<T> {
  readonly value: T;
  readonly replayed: boolean;
}

export function malformedKey(): Problem {
  const name = 'Idempotency-Key';
  return problem(
    name,
    'invalid_format',
    `${name} must be 1 to 255 printable ASCII characters without spaces.`,
  );
}
