import * as z from 'zod';
import { checkNotices, checkProblems, checkStates } from '../../model/links/destination-checks.ts';
import { timestamp } from '../fields.ts';

/** What `include=destinationCheck` adds to a link that is read. */
export const destinationCheck = z
  .object({
    state: z
      .enum(checkStates)
      .describe(
        '`suspect`: it failed once; `failing`: it failed again, an hour later; `recovered`: it is there again, for a week.',
      ),
    problem: z.enum(checkProblems).nullable().describe('What keeps visitors from it; null for nothing.'),
    notice: z
      .enum(checkNotices)
      .nullable()
      .describe(
        'What visitors do not notice yet: five `redirects` or more, or a `certificate` that ends within 14 days.',
      ),
    status: z.int().nullable().describe('Status of the last answer; null where there was none.'),
    redirects: z.int().min(0).describe('How often it leads on.'),
    certificateEndsAt: timestamp('When its certificate ends; null for none.').nullable(),
    since: timestamp('Since when it is in this state.'),
    checkedAt: timestamp('When it was looked at last.'),
  })
  .nullable()
  .meta({
    id: 'DestinationCheck',
    description: 'What is known of the destination; null before it was looked at.',
  });
