import { Failure } from '../../../model/failures.ts';
import type { StorageFault } from '../../../model/storage-stats.ts';
import { storageUnavailable } from '../../db/failure.ts';

/**
 * The reason why storage is unavailable, as a metric label and as a clause to display. The clause must not name a host
 * or user.
 */
interface Problem {
  readonly fault: StorageFault;
  readonly why: string;
}

function problem(fault: StorageFault, why: string): Problem {
  return { fault, why };
}
const unreachable = problem('unreachable', 'the database cannot be reached');
const ended = problem('unreachable', 'the database closed the connection');
const tooSlow = problem('timeout', 'the database did not respond in time');
const connectionRefused = problem('cannot_open', 'the database rejected the connection');
const readOnly = problem('read_only', 'the database is read-only');
const contended = problem('busy', 'too many concurrent changes to the same rows');

/**
 * Problems that the server or another transaction causes, not the failed statement. Keyed by SQLSTATE, or by its class
 * (the first two characters).
 */
const problems: ReadonlyMap<string, Problem> = new Map([
  ['08', ended],
  [
    '08007',
    problem(
      'unreachable',
      'the connection was lost during a commit; the change may or may not have been applied',
    ),
  ],
  ['28', connectionRefused],
  ['3D', connectionRefused],
  ['25006', readOnly],
  ['25P03', ended],
  ['25P04', tooSlow],
  ['40', contended],
  ['53', problem('other', 'the database is out of resources')],
  ['53100', problem('full', "the database's disk is full")],
  ['53300', problem('cannot_open', 'the database has too many connections')],
  ['55P03', contended],
  ['57014', tooSlow],
  ['57', ended],
  ['57P03', problem('unreachable', 'the database is starting or stopping')],
  ['58', problem('io', 'the database cannot read or write its files')],
  ['XX001', problem('corrupt', 'the database is damaged')],
  ['XX002', problem('corrupt', 'the database is damaged')],
]);

/** An error that concerns the connection, not a statement. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code: string;

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Creates the error for work on a connection that was closed because of a timeout. */
export function tookTooLong(): Error {
  return new ConnectionLost('no response in time', '57014');
}

/** Creates the error for work on a lost connection. @param cause error of the socket or the server */
export function connectionLost(cause: unknown): Error {
  return new ConnectionLost('The connection was lost.', sqlStateOf(cause) ?? '08006', cause);
}

/** Creates the error for a commit without a response: it is unknown whether the server executed it. */
export function commitLost(cause: unknown): Error {
  return new ConnectionLost('No response to COMMIT.', '08007', cause);
}

/** Returns the SQLSTATE of a PostgreSQL error; undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)
    ? code
    : undefined;
}

/** Returns true if the error means that the connection was closed. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLost || /^(08|57P0|25P0[34])/.test(sqlStateOf(error) ?? '');
}

/**
 * Returns true if the connection was lost before its transaction was committed, which means that no changes were
 * stored.
 */
export function isLostBeforeCommit(error: unknown): boolean {
  return isConnectionLost(error) && sqlStateOf(error) !== '57014' && !isCommitLost(error);
}

export function isCommitLost(error: unknown): boolean {
  return sqlStateOf(error) === '08007';
}

/** Returns true if the error means that a commit was not executed. */
export function isRefusedCommit(error: unknown): boolean {
  return /^(23|25|40(?!003))/.test(sqlStateOf(error) ?? '');
}

/**
 * Returns true if the server is a standby, which accepts no writes. This happens if the host name pointed to a standby
 * when the connection was opened. The connection stays with that standby, even after the name points to a primary
 * again.
 */
export function isStandbyError(error: unknown): boolean {
  return /^(25006|55000)$/.test(sqlStateOf(error) ?? '');
}

/** Returns true for a conflict with another transaction, which means that the whole transaction may be retried. */
export function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40001' || state === '40P01';
}

/** Returns true if a referenced row was inserted or deleted between two statements. */
export function isBrokenReference(error: unknown): boolean {
  return sqlStateOf(error) === '23503';
}

function problemOf(error: unknown): Problem | undefined {
  const state = sqlStateOf(error);
  if (state === undefined) return undefined;
  return problems.get(state) ?? problems.get(state.slice(0, 2));
}

/** Converts an error from PostgreSQL, the driver or the socket to a Failure if it means that storage is unavailable. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure) return error;
  const found = problemOf(error);
  if (found !== undefined) return storageUnavailable(found.why, error);
  const state = sqlStateOf(error);
  // The driver's error includes values of the row, which must not be logged.
  return state === undefined ? error : new Error(`PostgreSQL: ${withHint(error)} (SQLSTATE ${state})`);
}

/** Converts a connection error to a Failure. */
export function asConnectFailure(error: unknown): Failure {
  const found = problemOf(error);
  return storageUnavailable((found ?? unreachable).why, error);
}

/** Codes of network errors that may be temporary, for example while a server starts. */
const transientCodes: ReadonlySet<string> = new Set([
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
 * Returns true if an error while opening a database may be temporary: the server is unreachable, starting, or out of
 * connections. A wrong password or an unknown database requires action by the operator.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Failure) || error.code !== 'STORAGE_UNAVAILABLE') return false;
  const causes = error.cause instanceof AggregateError ? error.cause.errors : [error.cause];
  return causes.some((cause) => {
    const state = sqlStateOf(cause);
    if (state !== undefined) return /^(08|53|57|25006)/.test(state);
    const { code, message } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
    // The driver reports this error without a code.
    return transientCodes.has(code ?? '') || message?.startsWith('Connection terminated') === true;
  });
}

/**
 * Returns the metric label of an error; undefined for errors that do not make storage unavailable, such as a rejected
 * row.
 */
export function faultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Failure)) return undefined;
  if (error.code !== 'STORAGE_UNAVAILABLE') return undefined;
  return problemOf(error.cause)?.fault ?? 'unreachable';
}

/**
 * Returns the error message for the operator, or all messages of an AggregateError. Messages never contain a password.
 */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ');
  return error instanceof Error ? withHint(error) : String(error);
}

/**
 * Matches PgBouncer's error for startup parameters, and PostgreSQL's error for a statement that was prepared on another
 * connection.
 */
const poolerError = /unsupported startup parameter|prepared statement "\w+" (does not exist|already exists)/;

function withHint({ message }: Error): string {
  return poolerError.test(message)
    ? `${message} (behind a connection pooler, add pooler=transaction to DATABASE_URL)`
    : message;
}
