import { z } from 'zod';
import { plans } from '../domain/plans.ts';
import { endpoint } from './endpoint.ts';

const limit = z.number().nullable();

export const accountEndpoints = {
  me: endpoint({
    method: 'GET',
    path: '/me',
    scope: null,
    summary: 'Describe this key',
    description: 'Who the key belongs to, what it may do, and what the account uses. Any valid key may ask.',
    success: {
      status: 200,
      description: 'The account and the key in hand.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          account: z.string(),
          key: z.object({ id: z.string(), name: z.string(), expiresAt: z.string().nullable() }),
          scopes: z.array(z.string()),
          plan: z.enum(plans),
          limits: z.object({
            links: limit.describe('Most live links; null for no limit.'),
            folders: z.number().describe('Most folders.'),
            requestsPerMinute: limit.describe('Most requests of this key in a minute; null for no limit.'),
            linkLifetimeDays: limit.describe(
              'Days after which links made with this key expire; null when it may choose.',
            ),
          }),
          usage: z.object({ links: z.number(), folders: z.number() }),
        }),
      }),
      example: {
        success: true,
        data: {
          account: 'default',
          key: { id: '4fT9qLz2', name: 'first key', expiresAt: null },
          scopes: ['links:read', 'links:write'],
          plan: 'enterprise',
          limits: { links: null, folders: 1000, requestsPerMinute: null, linkLifetimeDays: null },
          usage: { links: 1, folders: 0 },
        },
      },
    },
    failures: [],
  }),
} as const;
