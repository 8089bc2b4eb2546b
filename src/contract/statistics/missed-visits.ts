import * as z from 'zod';
import { missedVisitDays, missReasons } from '../../model/clicks/missed-visits.ts';
import { endpoint } from '../endpoint.ts';
import { count, integer, uuid } from '../fields.ts';
import { exampleLinkId } from '../links/link-examples.ts';

const missedVisit = z
  .object({
    linkId: uuid('Identifier of the link.'),
    shortCode: z.string().describe('The code of the link.'),
    domain: z.string().describe('Host of the domain that it is on.'),
    reason: z.enum(missReasons).describe('Why they got no further at that time.'),
    visits: count('How many visits led nowhere for this reason.'),
    lastDay: z
      .string()
      .meta({ description: 'The last UTC day with such a visit, as YYYY-MM-DD.', format: 'date' }),
  })
  .meta({
    id: 'MissedVisits',
    description: 'Visits of a link that led nowhere, for one reason.',
  });

export const missedVisitEndpoints = {
  missedVisits: endpoint({
    method: 'GET',
    path: '/missed-visits',
    access: { key: 'analytics:read' },
    priority: 'list',
    summary: 'List visits that led nowhere',
    description:
      'Visits of the account’s links while these were deleted, expired, switched off, used up or not started, by link and reason, the most first. They are no clicks. Visits of expired links that lead elsewhere by then are not among them. They are told within a minute or two, at most too few in a flood of other codes, and kept for 30 UTC days.',
    query: {
      days: integer(1, missedVisitDays, missedVisitDays)
        .optional()
        .describe('How many UTC days, today included.'),
      limit: integer(1, 1_000, 100).optional().describe('How many links and reasons at most.'),
    },
    success: {
      status: 200,
      description: 'The visits.',
      body: z.object({ success: z.literal(true), data: z.array(missedVisit) }),
      example: {
        success: true,
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
    },
    exampleRequest: { path: '/missed-visits?days=7' },
    failures: ['VALIDATION_ERROR'],
  }),
} as const;
