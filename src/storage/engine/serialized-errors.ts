import { Failure, type FailureCode, type FailureFacts } from '../../model/failures.ts';

/** An error as data, because an Error loses its class and its own fields when it is sent between threads. */
export type SerializedError =
  | {
      readonly kind: 'failure';
      readonly code: FailureCode;
      readonly message: string;
      readonly facts: FailureFacts;
    }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | undefined };

export function serializeError(error: unknown): SerializedError {
  if (error instanceof Failure) {
    return { kind: 'failure', code: error.code, message: error.message, facts: error.facts };
  }
  return error instanceof Error
    ? { kind: 'error', message: error.message, stack: error.stack }
    : { kind: 'error', message: String(error), stack: undefined };
}

export function deserializeError(thrown: SerializedError): Error {
  if (thrown.kind === 'failure') return new Failure(thrown.code, thrown.message, thrown.facts);
  const error = new Error(thrown.message);
  if (thrown.stack !== undefined) error.stack = thrown.stack;
  return error;
}
