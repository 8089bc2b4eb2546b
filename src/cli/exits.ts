import { ApiError, Unreachable } from '../client/errors.ts';
import { ConfigError } from '../config.ts';
import { Failure } from '../domain/failures.ts';

/** What every exit code means; shown in the help of every command. */
export const exits = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  interrupted: 130,
} as const;

export type Exit = (typeof exits)[keyof typeof exits];

/** Ends a command with an exit code; without a message the command has said everything itself. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly exit: number;

  constructor(exit: number, message = '') {
    super(message);
    this.exit = exit;
  }
}

const unavailable: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'OVERLOADED', 'SHUTTING_DOWN']);

/** How a command ends that threw: its exit code and what to say, one line unless settings are wrong. */
export const endOf = (error: unknown): { exit: number; message: string } => {
  if (error instanceof Stop) return { exit: error.exit, message: error.message };
  if (error instanceof ConfigError) return { exit: exits.usage, message: error.message };
  if (error instanceof Unreachable) return { exit: exits.unreachable, message: error.message };
  if (error instanceof ApiError) {
    const request = error.requestId === undefined ? '' : `, request ${error.requestId}`;
    const message = `${error.message} (${error.code}${request})`;
    const away = error.code === 'UNEXPECTED_ANSWER' || (error.status > 500 && error.status < 505);
    return { exit: away ? exits.unreachable : exits.refused, message };
  }
  if (error instanceof Failure) {
    const exit = unavailable.has(error.code) ? exits.unreachable : exits.refused;
    return { exit, message: `${error.message} (${error.code})` };
  }
  return { exit: exits.refused, message: faultOf(error) };
};

const faultOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // Errors of the system and of the programs below explain themselves; the rest are faults of ours.
  const ours = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return ours ? (error.stack ?? error.message) : error.message;
};
