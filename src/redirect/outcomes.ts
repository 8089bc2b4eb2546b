import type { ErrorCode } from '../contract/errors.ts';

/** The outcomes of a request for a public path. */
export const outcomes = [
  'redirected', // 302, to GET, which counts a click, and to HEAD, which does not
  'previewed',
  'unknown',
  'unfilled', // a template without a value for a placeholder
  'expired',
  'locked', // a password is asked for, was wrong, or was right and the visitor asks again
  'limited',
  'shed',
  'failed',
  'page', // the root, robots.txt
  'refused', // no such path, wrong method, over-long target
] as const;

export type Outcome = (typeof outcomes)[number];

/** Requests for public paths since the start, by outcome. Counting one is an addition. */
export type Outcomes = Record<Outcome, number>;

export function createOutcomes(): Outcomes {
  return {
    redirected: 0,
    previewed: 0,
    unknown: 0,
    unfilled: 0,
    expired: 0,
    locked: 0,
    limited: 0,
    shed: 0,
    failed: 0,
    page: 0,
    refused: 0,
  };
}

/** As what a refusal counts. */
export function outcomeOf(code: ErrorCode): Outcome {
  switch (code) {
    case 'CODE_NOT_FOUND':
      return 'unknown';
    case 'LINK_UNFILLED':
      return 'unfilled';
    case 'LINK_EXPIRED':
    case 'LINK_NOT_STARTED':
    case 'LINK_UNAVAILABLE':
    case 'LINK_EXHAUSTED':
      return 'expired';
    case 'PASSWORD_REQUIRED':
    case 'WRONG_PASSWORD':
      return 'locked';
    case 'RATE_LIMIT_EXCEEDED':
      return 'limited';
    case 'OVERLOADED':
      return 'shed';
    case 'INTERNAL_ERROR':
    case 'STORAGE_UNAVAILABLE':
      return 'failed';
    default:
      return 'refused';
  }
}
