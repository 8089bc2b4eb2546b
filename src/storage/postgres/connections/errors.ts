import { Failure } from '../../../model/failures.ts';
import type { StorageFault } from '../../../model/storage-stats.ts';
import { storageUnavailable } from '../../db/failure.ts';

/** Why storage cannot work: the word for the metric, and a clause for display that names no host or user. */
interface Trouble {
  readonly fault: StorageFault;
  readonly why: string;
}

function trouble(fault: StorageFault, why: string): Trouble {
  return { fault, why };
}
const unreachable = trouble('unreachable', 'the database cannot be reached');
const ended = trouble('unreachable', 'the database ended the connection');
const tooSlow = trouble('timeout', 'the database did not answer in time');
const refusesUs = trouble('cannot_open', 'the database refuses the connection');
const readOnly = trouble('read_only', 'the database takes no writes');
const contended = trouble('busy', 'too many change the same thing at the same time');

/** By SQLSTATE, or its class of two characters: errors of the server or of other transactions, not of our statement. */
const troubles: ReadonlyMap<string, Trouble> = new Map([
  ['08', ended],
  [
    '08007',
    trouble('unreachable', 'the connection was lost while the change was made; it may have been made'),
  ],
  ['28', refusesUs],
  ['3D', refusesUs],
  ['25006', readOnly],
  ['25P03', ended],
  ['25P04', tooSlow],
  ['40', contended],
  ['53', trouble('other', 'the database is short of something')],
  ['53100', trouble('full', 'the disk of the database is full')],
  ['53300', trouble('cannot_open', 'the database has too many connections')],
  ['55P03', contended],
  ['57014', tooSlow],
  ['57', ended],
  ['57P03', trouble('unreachable', 'the database is starting or stopping')],
  ['58', trouble('io', 'the database cannot read or write its files')],
  ['XX001', trouble('corrupt', 'the database is damaged')],
  ['XX002', trouble('corrupt', 'the database is damaged')],
]);

/** An error of the connection, not of a statement. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code: string;

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** For work on a connection that we gave up because nothing came for so long. */
export function tookTooLong(): Error {
  return new ConnectionLost('No answer in time.', '57014');
}

/** For work on a connection that is gone. @param cause from the socket or the server */
export function connectionLost(cause: unknown): Error {
  return new ConnectionLost('The connection is gone.', sqlStateOf(cause) ?? '08006', cause);
}

/** For a commit without an answer: whether it was run is not known. */
export function commitLost(cause: unknown): Error {
  return new ConnectionLost('No answer to a commit.', '08007', cause);
}

/** The SQLSTATE of PostgreSQL's answer; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)
    ? code
    : undefined;
}

/** Whether the connection ends with this error. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLost || /^(08|57P0|25P0[34])/.test(sqlStateOf(error) ?? '');
}

/** Whether the connection was gone before its transaction was to be committed: nothing of it remains. */
export function isLostBeforeCommit(error: unknown): boolean {
  return isConnectionLost(error) && sqlStateOf(error) !== '57014' && !isCommitLost(error);
}

export function isCommitLost(error: unknown): boolean {
  return sqlStateOf(error) === '08007';
}

/** Whether a commit that was answered so was not run. */
export function isRefusedCommit(error: unknown): boolean {
  return /^(23|25|40(?!003))/.test(sqlStateOf(error) ?? '');
}

/**
 * Whether the answer is that of a server that takes no writes: a standby, to which the primary's name led when the
 * connection was made. The connection stays with the standby when the name leads to a primary again.
 */
export function isOfStandby(error: unknown): boolean {
  return /^(25006|55000)$/.test(sqlStateOf(error) ?? '');
}

/** Another transaction conflicted: the whole transaction may be run again. */
export function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40001' || state === '40P01';
}

/** A row that this one refers to went, or came, between two statements. */
export function isBrokenReference(error: unknown): boolean {
  return sqlStateOf(error) === '23503';
}

function troubleOf(error: unknown): Trouble | undefined {
  const state = sqlStateOf(error);
  if (state === undefined) return undefined;
  return troubles.get(state) ?? troubles.get(state.slice(0, 2));
}

/** What PostgreSQL, the driver or the socket threw, as a Failure when storage cannot work now. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  const found = troubleOf(error);
  if (found !== undefined) return storageUnavailable(found.why, error);
  const state = sqlStateOf(error);
  // The driver's error has fields with values of the row; a log is no place for them.
  return state === undefined ? error : new Error(`PostgreSQL: ${withHint(error)} (SQLSTATE ${state})`);
}

/** Same as above, for an error of connecting. */
export function asConnectFailure(error: unknown): Failure {
  const found = troubleOf(error);
  return storageUnavailable((found ?? unreachable).why, error);
}

/** Codes of the network: the server does not answer, or not yet. */
const passingCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/**
 * Whether the reason why a database cannot be opened may pass by itself: it cannot be reached, starts or has no
 * connection left. A wrong password or an unknown database is for the operator to mend.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Failure) || error.code !== 'STORAGE_UNAVAILABLE') return false;
  const causes = error.cause instanceof AggregateError ? error.cause.errors : [error.cause];
  return causes.some((cause) => {
    const state = sqlStateOf(cause);
    if (state !== undefined) return /^(08|53|57|25006)/.test(state);
    const { code, message } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
    // The driver has no code for it.
    return passingCodes.has(code ?? '') || message?.startsWith('Connection terminated') === true;
  });
}

/** The metric's word for an error; undefined for a refused row, which is an answer, and for anything else. */
export function faultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Failure)) return undefined;
  if (error.code !== 'STORAGE_UNAVAILABLE') return undefined;
  return troubleOf(error.cause)?.fault ?? 'unreachable';
}

/** The message of an error for the operator; of several attempts, each. It never holds a password. */
export function detailOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(detailOf).join('; ');
  return error instanceof Error ? withHint(error) : String(error);
}

/** PgBouncer's error for start-up parameters, and PostgreSQL's for a statement that was prepared on another connection. */
const speaksOfPooler =
  /unsupported startup parameter|prepared statement "\w+" (does not exist|already exists)/;

function withHint({ message }: Error): string {
  return speaksOfPooler.test(message)
    ? `${message} (behind a pooler, say pooler=transaction in DATABASE_URL)`
    : message;
}
