import { Failure, problem, refused } from '../failures.ts';
import { firstSegment } from './codes/codes.ts';

// What another link of the account, or another account, stands in the way of; and what a link keeps.

/** @param codes none of which is free */
export function codeTaken(codes: readonly string[], advice = 'Choose another customCode.'): Failure {
  const names = codes.map((code) => `"${code}"`).join(', ');
  return new Failure('CUSTOM_CODE_TAKEN', `The code ${names} is taken. ${advice}`);
}

/** For a link that is to come back: it can have no other code. */
export function codeTakenMeanwhile(codes: readonly string[]): Failure {
  return codeTaken(codes, 'Another link of this account has it now: delete that one first.');
}

export function codeReserved(code: string, field = 'customCode'): Failure {
  const first = firstSegment(code);
  const why =
    first === code
      ? `The code "${code}" is reserved.`
      : `"${code}" begins with the reserved word "${first}".`;
  return new Failure('CUSTOM_CODE_RESERVED', `${why} Choose another ${field}.`);
}

export function externalIdTaken(externalId: string): Failure {
  return new Failure(
    'EXTERNAL_ID_TAKEN',
    `The externalId "${externalId}" is taken by another link of this account. Choose another externalId, or change that link.`,
  );
}

export function linkExists(code: string, id: string): Failure {
  const message = `url is the destination of the link "${code}" already; its id is ${id}.`;
  return new Failure('LINK_EXISTS', message, {
    problems: [problem('url', 'exists', message, 'LINK_EXISTS')],
  });
}

/** For a request that names another code than the link with its externalId has. */
export function codeStays(code: string): Failure {
  const message = `customCode cannot be changed here; the link with this externalId has the code "${code}".`;
  return refused([problem('customCode', 'immutable', message, 'IMMUTABLE_FIELD')]);
}
