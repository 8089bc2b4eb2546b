import * as z from 'zod';
import { count } from '../fields.ts';

const days = z.array(count('Clicks of a day.')).optional();

/** What `include=clicksByDay` adds to a link that is read. */
export const clicksByDay = days.describe(
  'Clicks of each of the last 30 days, today included, the oldest first.',
);

/** What it adds to a folder or a tag. */
export const clicksOfLinksByDay = days.describe(
  'Clicks of its links of each of the last 30 days, today included, the oldest first; those of deleted links too.',
);

/** The query parameter beside it. */
export const timezone = z
  .string()
  .optional()
  .describe('IANA name of the zone of the days of `clicksByDay`. Default: `UTC`.');
