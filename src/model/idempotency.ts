import { Failure, type Problem, problem } from './failures.ts';

/** Makes a write idempotent: its result is saved in the same transaction and returned for repeated requests. */
export interface IdempotencyClaim {
  readonly accountId: number;
  readonly key: string;
  /** Digest of the request. A request with the same key but a different digest is rejected. */
  readonly fingerprint: string;
  readonly at: number;
  /** Set if the response contains a secret. Secrets are not stored, so repeated requests are rejected. */
  readonly showsSecret?: true | undefined;
}

/** The result of a write, and whether it was replayed. */
export interface IdempotentResult<T> {
  readonly value: T;
  readonly replayed: boolean;
}

const name = 'Idempotency-Key';

export function malformedKey(): Problem {
  return problem(name, 'invalid_format', `${name} must be 1–255 printable ASCII characters without spaces.`);
}

/** @param id id of the record that the first request created */
export function secretShownBefore(id: string): Failure {
  return new Failure(
    'SECRET_SHOWN_BEFORE',
    `The first request with this ${name} created ${id}. Its secret was shown only in that response. If you do not have it, delete ${id} and try again with a new Idempotency-Key.`,
  );
}
