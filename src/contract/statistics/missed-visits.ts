import * as z from 'zod';
import { missedVisitDays, missReasons } from '../../model/clicks/missed-visits.ts';
import { endpoint, ok } from '../endpoint.ts';
import { count, integer, uuid } from '../fields.ts';
import { exampleLinkId } from '../links/link-examples.ts';

const missedVisit = z
  .object({
    linkId: uuid('Identifier of the link.'),
    shortCode: z.string().describe('Short code of the link.'),
    domain: z.string().describe('Host of the link’s domain.'),
    reason: z.enum(missReasons).describe('Why the visitor was not redirected at the time.'),
    visits: count('Number of visits that failed for this reason.'),
    lastDay: z
      .string()
      .meta({ description: 'Last UTC day with such a visit, as YYYY-MM-DD.', format: 'date' }),
  })
  .meta({
    id: 'MissedVisits',
    description: 'Failed visits to a link that have the same reason.',
  });

export const missedVisitEndpoints = {
  missedVisits: endpoint('GET', '/missed-visits', {
    access: { key: 'analytics:read' },
    priority: 'list',
    summary: 'List not-found visits',
    description:
      'Returns visits to links that were deleted, expired, disabled, exhausted or not started at the time, by link and reason, most frequent first. They are not counted as clicks. Visits that an expired link redirected to a fallback URL are not included. Visits appear within two minutes and are kept for 30 UTC days. During a flood of visits to unknown codes, counts can be too low, never too high.',
    query: {
      link: z.string().optional().describe('Only visits to the link with this ID.'),
      days: integer(1, missedVisitDays, missedVisitDays)
        .optional()
        .describe('Number of UTC days, including today.'),
      limit: integer(1, 1_000, 100).optional().describe('Maximum number of rows (link and reason).'),
    },
    success: ok(
      'The not-found visits.',
      { data: z.array(missedVisit) },
      {
        data: [
          {
            linkId: exampleLinkId,
            shortCode: 'launch',
            domain: '127.0.0.1',
            reason: 'expired',
            visits: 17,
            lastDay: '2027-03-29',
          },
        ],
      },
    ),
    exampleRequest: { path: '/missed-visits?days=7' },
    failures: ['VALIDATION_ERROR'],
  }),
} as const;
