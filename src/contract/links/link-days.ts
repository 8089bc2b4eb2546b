import { z } from 'zod';
import { count } from '../fields.ts';

/** What `include=clicksByDay` adds to a link that is read. */
export const clicksByDay = z
  .array(count('Clicks of a day.'))
  .optional()
  .describe('Clicks of each of the last 30 days, today included, the oldest first.');

/** The query parameter beside it. */
export const timezone = z
  .string()
  .optional()
  .describe('IANA name of the zone of the days of `clicksByDay`. Default: `UTC`.');
