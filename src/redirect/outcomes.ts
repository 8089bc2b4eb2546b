import type { ErrorCode } from '../contract/errors.ts';

/** Outcomes of requests for public paths. */
export const outcomes = [
  'redirected', // a redirect or the app page, including HEAD requests, which do not count as clicks
  'previewed',
  'unknown',
  'unfilled', // the visit has no value for a placeholder of the link's template
  'expired',
  'locked', // a password is required, was wrong, or was right and the visitor is redirected to the same URL
  'limited',
  'shed',
  'failed',
  'page', // the root, robots.txt and other files
  'refused', // unknown path, wrong method, oversized target
] as const;

export type Outcome = (typeof outcomes)[number];

/** Number of requests for public paths since the process started, by outcome. */
export type Outcomes = Record<Outcome, number>;

export function createOutcomes(): Outcomes {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Outcomes;
}

/** Returns the outcome for an error code. */
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
