import { Failure } from '../failures.ts';

/** Revisions that a client has seen, one of which a link must have to be changed; undefined for any. */
export type IfMatch = readonly number[] | undefined;

/**
 * Makes sure that a link has a revision that its editor has seen.
 * @throws Failure REVISION_MISMATCH, with the one that it has
 */
export function requireRevision(revision: number, ifMatch: IfMatch): void {
  if (ifMatch !== undefined && !ifMatch.includes(revision)) throw revisionMismatch(revision);
}

/** @param revision that the link has */
export function revisionMismatch(revision: number): Failure {
  const message = `The link has revision ${revision} by now. Read it again, apply the change to that, and send If-Match: "${revision}".`;
  return new Failure('REVISION_MISMATCH', message, { revision });
}

const shape = /^\s*(?:W\/)?"(\d{1,15})"\s*$/;

/**
 * Reads `If-Match` or `If-None-Match`: entity tags of revisions, which a proxy that compresses may have made weak.
 * @returns undefined for `*`; `malformed` for what is no list of them
 */
export function revisionsIn(header: string): readonly number[] | undefined | 'malformed' {
  if (header.trim() === '*') return undefined;
  const found = header.split(',').map((tag) => Number(shape.exec(tag)?.[1] ?? Number.NaN));
  return found.some(Number.isNaN) ? 'malformed' : found;
}

/** The entity tag of a revision. */
export function tagOfRevision(revision: number): string {
  return `"${revision}"`;
}
