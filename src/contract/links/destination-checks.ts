import * as z from 'zod';
import { checkNotices, checkProblems, checkStates } from '../../model/links/destination-checks.ts';
import { timestamp } from '../fields.ts';

/** Field that `include=destinationCheck` adds to links. */
export const destinationCheck = z
  .object({
    state: z
      .enum(checkStates)
      .describe(
        '`suspect`: the last check failed; `failing`: another check an hour later failed too; `recovered`: the destination works again, shown for a week.',
      ),
    problem: z
      .enum(checkProblems)
      .nullable()
      .describe('Why visitors cannot reach the destination; null if the destination works.'),
    notice: z
      .enum(checkNotices)
      .nullable()
      .describe(
        'Warnings that do not affect visitors yet: five or more `redirects`, or a `certificate` that expires within 14 days.',
      ),
    status: z.int().nullable().describe('HTTP status of the last response; null without a response.'),
    redirects: z.int().min(0).describe('Number of redirects that the destination makes.'),
    certificateEndsAt: timestamp(
      'When the destination’s TLS certificate expires; null without a certificate.',
    ).nullable(),
    since: timestamp('When the destination entered this state.'),
    checkedAt: timestamp('When the destination was last checked.'),
  })
  .nullable()
  .meta({
    id: 'DestinationCheck',
    description: 'Result of destination monitoring; null before the first check.',
  });
