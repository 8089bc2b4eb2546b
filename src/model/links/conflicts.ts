import { Failure, problem, refused } from '../failures.ts';
import { firstSegment } from './codes/codes.ts';

// Failures for conflicts with other links or accounts, and for immutable fields.

/** @param codes codes that are all taken */
export function codeTaken(codes: readonly string[], advice = 'Choose another customCode.'): Failure {
  const names = codes.map((code) => `"${code}"`).join(', ');
  return new Failure('CUSTOM_CODE_TAKEN', `The code ${names} is taken. ${advice}`);
}

/** Returns the failure for a code on a golinks domain that differs from another code only in hyphens. */
export function sameGolink(codes: readonly string[], same: string): Failure {
  return codeTaken(codes, `The domain ignores hyphens and case, so the code is the same as "${same}".`);
}

/** Returns the failure for a deleted link that cannot be restored because its code is taken. */
export function codeTakenMeanwhile(codes: readonly string[]): Failure {
  return codeTaken(codes, 'Another link in this account uses the code now. Delete that link first.');
}

export function codeReserved(code: string, field = 'customCode'): Failure {
  const first = firstSegment(code);
  const why =
    first === code
      ? `The code "${code}" is reserved.`
      : `"${code}" starts with the reserved word "${first}".`;
  return new Failure('CUSTOM_CODE_RESERVED', `${why} Choose another ${field}.`);
}

export function externalIdTaken(externalId: string): Failure {
  return new Failure(
    'EXTERNAL_ID_TAKEN',
    `Another link in this account has the externalId "${externalId}". Choose another externalId, or change that link.`,
  );
}

export function linkExists(code: string, id: string): Failure {
  const message = `The link "${code}" with the id ${id} already has this destination.`;
  return new Failure('LINK_EXISTS', message, {
    problems: [problem('url', 'exists', message, 'LINK_EXISTS')],
  });
}

/** Returns the failure for an upsert whose `customCode` differs from the existing link's code. */
export function codeImmutable(code: string): Failure {
  const message = `customCode cannot be changed here: the link with this externalId has the code "${code}".`;
  return refused([problem('customCode', 'immutable', message, 'IMMUTABLE_FIELD')]);
}
