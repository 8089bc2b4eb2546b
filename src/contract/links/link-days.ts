import * as z from 'zod';
import { count } from '../fields.ts';

const days = z.array(count('Clicks on that day.')).optional();

/** Field that `include=clicksByDay` adds to links. */
export const clicksByDay = days.describe(
  'Clicks per day for the last 30 days including today, oldest first.',
);

/** Field that `include=clicksByDay` adds to folders and tags. */
export const clicksOfLinksByDay = days.describe(
  'Clicks on its links per day for the last 30 days including today, oldest first; includes deleted links.',
);

/** Time zone parameter for `clicksByDay`. */
export const timezone = z
  .string()
  .optional()
  .describe('IANA name of the time zone for `clicksByDay`. Default: `UTC`.');
