import * as z from 'zod';
import { plans } from '../../model/accounts/plans.ts';
import { roles } from '../../model/accounts/roles.ts';
import { endpoint } from '../endpoint.ts';
import { count, timestamp, uuid } from '../fields.ts';
import { bounds } from './keys.ts';

function most(about: string) {
  return z.int().min(0).nullable().describe(about);
}

export const person = z
  .object({
    id: uuid('Identifier of the person in this account.'),
    name: z.string(),
    role: z.enum(roles).meta({ id: 'Role' }),
  })
  .meta({ id: 'Person', description: 'The person who acts.' });

export const identity = z
  .object({
    account: z.string().describe('Name of the account.'),
    key: z.object({
      id: z.string().describe('The public part of the key.'),
      name: z.string(),
      expiresAt: timestamp('When the key stops working; null for never.').nullable(),
    }),
    person: person.nullable().describe('Who is signed in; null when the key of a program acts.'),
    isOperator: z
      .boolean()
      .describe('Whether the person who is signed in is an operator of the installation.'),
    scopes: z
      .array(z.string())
      .describe('What the key may do, such as `links:read`; there may be more in time.'),
    plan: z.enum(plans).meta({ id: 'Plan' }),
    ...bounds,
    limits: z.object({
      links: most('Most live links; null for no limit.'),
      folders: z.int().min(0).describe('Most folders.'),
      requestsPerMinute: most('Most requests of this key in a minute; null for no limit.'),
      linkLifetimeDays: most('Days after which links made with this key expire; null when it may choose.'),
    }),
    usage: z.object({
      links: count('Links that are not deleted.'),
      folders: count('Folders that are not deleted.'),
    }),
  })
  .meta({ id: 'Identity', description: 'Whose key this is, what it may do, and what the account uses.' });

const watchDestinations = z
  .boolean()
  .describe(
    'Whether it is looked at now and then where links lead. Off: no link’s destination is looked at, whatever the link says.',
  );
const account = z
  .object({ name: z.string().describe('Name of the account.'), watchDestinations })
  .meta({ id: 'Account', description: 'What holds for an account as a whole.' });
const one = {
  status: 200,
  description: 'The account.',
  body: z.object({ success: z.literal(true), data: account }),
  example: { success: true, data: { name: 'default', watchDestinations: false } },
} as const;

export const accountEndpoints = {
  me: endpoint({
    method: 'GET',
    path: '/me',
    access: { key: 'any', bound: true },
    priority: 'read',
    summary: 'Describe this key',
    description:
      'Which account the key belongs to, what it may do, and what the account uses. Any valid key may ask.',
    success: {
      status: 200,
      description: 'The account and the key in hand.',
      body: z.object({
        success: z.literal(true),
        data: identity,
      }),
      example: {
        success: true,
        data: {
          account: 'default',
          key: { id: '4fT9qLz2', name: 'first key', expiresAt: null },
          person: null,
          isOperator: false,
          scopes: ['links:read', 'links:write', 'analytics:read'],
          plan: 'enterprise',
          domains: null,
          folders: null,
          limits: { links: null, folders: 1000, requestsPerMinute: null, linkLifetimeDays: null },
          usage: { links: 1, folders: 0 },
        },
      },
    },
    failures: [],
  }),
  getAccount: endpoint({
    method: 'GET',
    path: '/account',
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Read the account',
    description: 'What its owner has set for all of its links.',
    success: one,
    failures: [],
  }),
  updateAccount: endpoint({
    method: 'PATCH',
    path: '/account',
    access: { key: 'domains:write' },
    priority: 'write',
    summary: 'Change the account',
    description: 'Absent fields stay.',
    body: { watchDestinations: watchDestinations.optional() },
    success: one,
    exampleRequest: { body: { watchDestinations: false } },
    failures: [],
  }),
} as const;
