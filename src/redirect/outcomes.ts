import type { ErrorCode } from '../contract/errors.ts';

/** Outcomes of requests for public paths. */
export const outcomes = [
  'redirected', // 302, or the page of an app: for GET, which counts a click, and for HEAD, which does not
  'previewed',
  'unknown',
  'unfilled', // a template without a value for a placeholder
  'expired',
  'locked', // a password is required, was wrong, or was right and the visitor is redirected to the same URL
  'limited',
  'shed',
  'failed',
  'page', // the root, robots.txt
  'refused', // unknown path, wrong method, oversized target
] as const;

export type Outcome = (typeof outcomes)[number];

/** Number of requests for public paths since the start, by outcome. */
export type Outcomes = Record<Outcome, number>;

export function createOutcomes(): Outcomes {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Outcomes;
}

/** Returns the outcome as which an error counts. */
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
