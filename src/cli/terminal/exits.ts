import { ApiError, type ErrorDetail, type LinkfoldError, Unreachable } from '../../client/errors.ts';
import { ConfigError } from '../../config.ts';
import { Failure } from '../../model/failures.ts';
import { isSystemError, reasonOf } from '../../runtime/files/file-faults.ts';
import { type FieldNames, inOptions } from './field-names.ts';

/** What every exit code means; shown in the help of every command. */
export const exits = {
  done: 0,
  refused: 1,
  usage: 2,
  /** Of commands that look for something: they end with 1 where others end with 2. */
  found: 2,
  unreachable: 3,
  interrupted: 130,
} as const;

export type Exit = (typeof exits)[keyof typeof exits];

/** Ends a command with an exit code; without a message the command has printed everything itself. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly exit: number;
  /** What `--json` prints, when it is more than the message. */
  readonly fault: Fault | undefined;

  constructor(exit: number, message = '', fault?: Fault) {
    super(message);
    this.exit = exit;
    this.fault = fault;
  }
}

/** A failure as `--json` prints it, in `{"error": …}`. */
export interface Fault {
  /** A code of the error catalogue when the server or the service refused, otherwise one of {@link localCodes}. */
  readonly code: string;
  readonly message: string;
  /** The following are there when a server answered: its status, the id of the request in its log, the refused fields. */
  readonly status?: number;
  readonly requestId?: string;
  readonly docs?: string;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  /** Fields that were changed before the refusal. */
  readonly done?: readonly string[];
}

/** Codes of failures that are the command line's own, by exit code. */
const localCodes: Readonly<Record<number, string>> = {
  [exits.refused]: 'REFUSED',
  [exits.usage]: 'USAGE',
  [exits.unreachable]: 'UNREACHABLE',
  [exits.interrupted]: 'INTERRUPTED',
};

/** How a command ends after an error. */
export interface End {
  readonly exit: number;
  /** For people: one line, except for wrong settings and internal errors. */
  readonly message: string;
  /** For programs. */
  readonly fault: Fault;
  /** Whether the server did not respond. */
  readonly isServerAway?: true;
}

const unavailable: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'OVERLOADED', 'SHUTTING_DOWN']);

/**
 * How a command ends after this error.
 * @param names what the API's fields are called for people; without it, as options
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
    const explained = error.docs === undefined ? '' : `\nWhat to do: ${error.docs}`;
    return {
      exit: away ? exits.unreachable : exits.refused,
      message: `${inOptions(error, names)} (${error.code}${request})${doneBefore(error)}${explained}`,
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

function faultIn({
  code,
  message,
  status,
  requestId,
  docs,
  details,
  retryAfterSeconds,
  done,
}: ApiError): Fault {
  return {
    code,
    message,
    status,
    ...(requestId !== undefined && { requestId }),
    ...(docs !== undefined && { docs }),
    ...(details.length > 0 && { details }),
    ...(done.length > 0 && { done }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isSystemError(error) && error.path !== undefined) return `${error.path}: ${reasonOf(error)}.`;
  // Errors of the system and of expected kinds explain themselves; any other is a fault of the program.
  const ours = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return ours ? (error.stack ?? error.message) : error.message;
}
