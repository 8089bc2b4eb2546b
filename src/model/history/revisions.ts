import { Failure, type Problem, problem } from '../failures.ts';

/** Revisions that `If-Match` accepts; undefined if it accepts any revision. */
export type IfMatch = readonly number[] | undefined;

/**
 * Checks a link's revision against `If-Match`.
 * @throws Failure REVISION_MISMATCH, with the current revision
 */
export function requireRevision(revision: number, ifMatch: IfMatch): void {
  if (ifMatch !== undefined && !ifMatch.includes(revision)) throw revisionMismatch(revision);
}

/** @param revision the current revision */
export function revisionMismatch(revision: number): Failure {
  const message = `The link has changed: its current revision is ${revision}. Read it again, apply your change, and send If-Match: "${revision}".`;
  return new Failure('REVISION_MISMATCH', message, { revision });
}

const shape = /^\s*(?:W\/)?"(\d{1,15})"\s*$/;

/**
 * Parses an `If-Match` or `If-None-Match` header that contains revision entity tags. A compressing proxy may have made
 * the entity tags weak.
 * @returns the revisions, undefined for `*`, or `malformed`
 */
export function revisionsIn(header: string): readonly number[] | undefined | 'malformed' {
  if (header.trim() === '*') return undefined;
  const found = header.split(',').map((tag) => Number(shape.exec(tag)?.[1] ?? Number.NaN));
  return found.some(Number.isNaN) ? 'malformed' : found;
}

/**
 * Returns the validation error for an `If-Match` header.
 * @param isUsed true if the endpoint supports the header but the value is malformed
 */
export function ifMatchProblem(isUsed = false): Problem {
  return isUsed
    ? problem(
        'If-Match',
        'invalid_format',
        'If-Match must be an ETag from a response, including quotation marks, such as "3".',
      )
    : problem('If-Match', 'not_allowed', 'If-Match is not supported by this endpoint. Remove the header.');
}

/** Returns the entity tag for a revision. */
export function tagOfRevision(revision: number): string {
  return `"${revision}"`;
}
