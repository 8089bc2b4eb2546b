import { ApiError, type ErrorDetail, type LinkfoldError, Unreachable } from '../../client/errors.ts';
import { ConfigError } from '../../config.ts';
import { Failure } from '../../model/failures.ts';
import { isSystemError, reasonOf } from '../../runtime/files/file-faults.ts';
import { type FieldNames, inOptions } from './field-names.ts';

/** Exit codes, which the help of every command shows. */
export const exits = {
  done: 0,
  refused: 1,
  usage: 2,
  /** Used only by commands that report a finding. On usage errors, these commands exit with 1. */
  found: 2,
  unreachable: 3,
  interrupted: 130,
} as const;

export type Exit = (typeof exits)[keyof typeof exits];

/** Ends a command with an exit code. If the message is empty, the command has already printed everything. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly exit: number;
  /** Output for `--json`, if it contains more than the message. */
  readonly fault: Fault | undefined;

  constructor(exit: number, message = '', fault?: Fault) {
    super(message);
    this.exit = exit;
    this.fault = fault;
  }
}

/** Returns the failure for a file that cannot be read. @param what path of the file, or a noun phrase with the path */
export function unreadable(what: string, error: unknown): Stop {
  return new Stop(exits.usage, `Could not read ${what}: ${reasonOf(error)}.`);
}

/** Returns the failure for a file that cannot be written. */
export function unwritable(path: string, error: unknown): Stop {
  return new Stop(exits.usage, `Could not write ${path}: ${reasonOf(error)}.`);
}

/** An error as `--json` prints it, in `{"error": …}`. */
export interface Fault {
  /** An error code from the server or the domain logic, or else one of {@link localCodes}. */
  readonly code: string;
  readonly message: string;
  /**
   * Status of the server's response, the request ID in its log, and other fields. All are undefined if no server
   * responded.
   */
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly docs?: string | undefined;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number | undefined;
  /** Fields that had been changed before the error occurred. */
  readonly done?: readonly string[];
}

/** The CLI's own error codes, by exit code. */
const localCodes: Readonly<Record<number, string>> = {
  [exits.refused]: 'REFUSED',
  [exits.usage]: 'USAGE',
  [exits.unreachable]: 'UNREACHABLE',
  [exits.interrupted]: 'INTERRUPTED',
};

/** Exit code and messages of a command that ends with an error. */
export interface End {
  readonly exit: number;
  /**
   * Human-readable message. It may have several lines, such as for invalid settings, rejected manifests and internal
   * errors.
   */
  readonly message: string;
  /** Printed on a separate line after the message. */
  readonly hint?: string;
  /** Machine-readable form of the error. */
  readonly fault: Fault;
  /** Set if the server did not respond. */
  readonly isServerAway?: true;
}

const unavailable: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'OVERLOADED', 'SHUTTING_DOWN']);

/**
 * Returns the exit code and messages for an error.
 * @param names display names of the API fields; by default, the option names
 */
export function endOf(error: unknown, names?: FieldNames): End {
  if (error instanceof Stop) {
    const end = ownEnd(error.exit, error.message);
    return error.fault === undefined ? end : { ...end, fault: error.fault };
  }
  if (error instanceof ConfigError) return ownEnd(exits.usage, error.message);
  if (error instanceof Unreachable)
    return { ...ownEnd(exits.unreachable, error.message + doneBefore(error)), isServerAway: true };
  if (error instanceof ApiError) {
    const away = error.code === 'UNEXPECTED_ANSWER' || (error.status > 500 && error.status < 505);
    const request = error.requestId === undefined ? '' : `, request ${error.requestId}`;
    return {
      exit: away ? exits.unreachable : exits.refused,
      message: `${inOptions(error, names)} (${error.code}${request})${doneBefore(error)}`,
      ...(error.docs !== undefined && { hint: `See: ${error.docs}` }),
      fault: faultIn(error),
    };
  }
  if (error instanceof Failure) {
    const exit = unavailable.has(error.code) ? exits.unreachable : exits.refused;
    const { code, message } = error;
    return { exit, message: `${message} (${code})`, fault: { code, message } };
  }
  return ownEnd(exits.refused, sentenceOf(error));
}

function ownEnd(exit: number, message: string): End {
  return { exit, message, fault: { code: localCodes[exit] ?? 'REFUSED', message } };
}

function doneBefore({ done }: LinkfoldError): string {
  return done.length === 0 ? '' : ` Changed before that: ${done.join(', ')}.`;
}

function faultIn({ code, message, status, requestId, docs, details, done, ...error }: ApiError): Fault {
  const lists = { ...(details.length > 0 && { details }), ...(done.length > 0 && { done }) };
  return { code, message, status, requestId, docs, ...lists, retryAfterSeconds: error.retryAfterSeconds };
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isSystemError(error) && error.path !== undefined) return `${error.path}: ${reasonOf(error)}.`;
  // Expected errors and system errors are self-explanatory. An internal error is printed with its stack trace.
  const ours = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return ours ? (error.stack ?? error.message) : error.message;
}
