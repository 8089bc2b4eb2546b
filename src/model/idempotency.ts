import { Failure, type Problem, problem } from './failures.ts';

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
  /** Whether the answer shows a secret, which storage does not keep: a repetition is refused. */
  readonly showsSecret?: true | undefined;
}

/** The result of a write, and whether it is a repetition. */
export interface IdempotentResult<T> {
  readonly value: T;
  readonly replayed: boolean;
}

const name = 'Idempotency-Key';

export function malformedKey(): Problem {
  return problem(
    name,
    'invalid_format',
    `${name} must be 1 to 255 printable ASCII characters without spaces.`,
  );
}

/** A change that would not be done at most once by the key, so that its sender must not rely on that. */
export function uselessKey(method: string): Problem {
  const remedy =
    method === 'PUT'
      ? 'PUT sets the same however often it comes, so repeat it without the header'
      : `only POST takes it; send ${method} without the header, and look at the record when an answer was lost`;
  return problem(name, 'not_allowed', `${name} is of no use here: ${remedy}.`);
}

/** @param id of what the first request made */
export function secretShownBefore(id: string): Failure {
  return new Failure(
    'SECRET_SHOWN_BEFORE',
    `The first request with this ${name} made ${id}. Its secret was in that answer and is kept nowhere. If it is lost, take ${id} back, and ask again with a new key.`,
  );
}
