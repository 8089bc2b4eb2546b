import { Failure, type Problem, problem } from '../failures.ts';

/** Revisions that `If-Match` accepts; undefined for any. */
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
 * Parses `If-Match` or `If-None-Match`: entity tags of revisions, which a compressing proxy may have made weak.
 * @returns undefined for `*`; `malformed` for other texts
 */
export function revisionsIn(header: string): readonly number[] | undefined | 'malformed' {
  if (header.trim() === '*') return undefined;
  const found = header.split(',').map((tag) => Number(shape.exec(tag)?.[1] ?? Number.NaN));
  return found.some(Number.isNaN) ? 'malformed' : found;
}

/**
 * Returns the problem of an `If-Match` header.
 * @param isUsed true if the endpoint supports the header and its value is malformed
 */
export function ifMatchProblem(isUsed = false): Problem {
  return isUsed
    ? problem(
        'If-Match',
        'invalid_format',
        'If-Match must be an ETag of a response, including quotation marks, such as "3".',
      )
    : problem('If-Match', 'not_allowed', 'If-Match is not supported by this endpoint. Remove the header.');
}

/** Returns the entity tag of a revision. */
export function tagOfRevision(revision: number): string {
  return `"${revision}"`;
}
