import * as z from 'zod';
import { scopes } from '../../model/accounts/keys.ts';
import { plans } from '../../model/accounts/plans.ts';
import { boundScopes, maxBound } from '../../model/accounts/reach.ts';
import { limitReached } from '../../model/failures.ts';
import { endpoint } from '../endpoint.ts';
import { moment, nameText, timestamp, uuid } from '../fields.ts';

/** What a key, or a person, is bound to, as answers say it. */
export const bounds = {
  domains: z
    .array(z.string())
    .nullable()
    .describe(
      'Hosts of the domains that it is bound to: links elsewhere do not exist for it. Null for any domain.',
    ),
  folders: z
    .array(z.string())
    .nullable()
    .describe(
      'Ids of the folders that it is bound to, likewise. Null for any folder, and for links in none.',
    ),
};

/** The same as requests say it. */
export const boundsFields = {
  domains: z
    .array(z.string().min(1).max(253))
    .meta({ minItems: 1, maxItems: maxBound })
    .nullish()
    .describe('Hosts of domains to bind it to, that for all accounts too. To none, unless it is said.'),
  folders: z
    .array(z.string())
    .meta({ minItems: 1, maxItems: maxBound })
    .nullish()
    .describe('Ids of folders to bind it to. To none, unless it is said.'),
};

const facts = {
  id: z.string().describe('The public part of the key: the 8 symbols after `lfk_`.'),
  name: z.string(),
  scopes: z.array(z.string()).describe('What it may do; there may be more in time.'),
  plan: z.enum(plans).meta({ id: 'Plan' }),
  ...bounds,
  state: z.enum(['live', 'expired', 'revoked']),
  createdAt: timestamp('When it was made.'),
  expiresAt: timestamp('When it stops, or has stopped; null for never.').nullable(),
  revokedAt: timestamp('When it was revoked; null when it was not.').nullable(),
  lastUsedAt: timestamp('When it was last used, up to a minute ago; null for never.').nullable(),
  isCurrent: z.boolean().describe('Whether this request came by it.'),
  madeBy: z
    .object({ id: uuid('Identifier of the member.'), name: z.string() })
    .nullable()
    .describe('The person that made it, whose role bounds it; null when none does.'),
};
const key = z.object(facts).meta({ id: 'Key', description: 'An API key, without what proves it.' });
const newKey = z
  .object({
    ...facts,
    key: z.string().describe('The whole key. It is stored nowhere: this is its only showing.'),
  })
  .meta({ id: 'NewKey', description: 'An API key that was just made.' });
const rotatedKey = newKey
  .extend({
    replaces: z.string().describe('The id of the key that it replaces.'),
    oldExpiresAt: timestamp('When the replaced key stops.'),
  })
  .meta({ id: 'RotatedKey', description: 'An API key that was just made in the place of another one.' });

const example = {
  id: '9kQ2mX4p',
  name: 'newsletter',
  scopes: ['links:read', 'links:write'],
  plan: 'enterprise',
  domains: null,
  folders: null,
  state: 'live',
  createdAt: '2027-03-01T08:00:00.000Z',
  expiresAt: '2027-06-01T00:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
  isCurrent: false,
  madeBy: null,
} as const;
/** Its checksum is wrong on purpose: nothing that looks like a key of a server stands in documentation. */
const shownKey = 'lfk_9kQ2mX4p…';

const keyId = z
  .string()
  .meta({ description: 'The public part of the key, as `GET /api/v1/keys` lists it.', example: example.id });
/** 30 days, s. */
const longestGrace = 2_592_000;
const exampleScopes = ['links:read', 'links:write'];
const rights =
  'A key never gives more than it has: no scope that it lacks, no higher plan, no later expiry. One that a person made is bounded by their role, also when that is lowered later.';

export const keyEndpoints = {
  listKeys: endpoint({
    method: 'GET',
    path: '/keys',
    access: { key: 'keys:write' },
    priority: 'list',
    summary: 'List keys',
    description: 'The newest 1,000 keys of the account, ended ones too, the newest first.',
    success: {
      status: 200,
      description: 'The keys.',
      body: z.object({ success: z.literal(true), keys: z.array(key) }),
      example: { success: true, keys: [example] },
    },
    failures: [],
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/keys',
    access: { key: 'keys:write' },
    priority: 'write',
    summary: 'Make a key',
    description: `${rights} One that is bound to domains or folders sees and changes links there alone: a link must be on one of the domains, and in one of the folders, where both are named. Its scopes are of ${boundScopes.map((scope) => `\`${scope}\``).join(', ')}. The answer shows the key this once. For any other scope than these three, a session must have proved itself within 15 minutes. An account has at most 200 live keys.`,
    body: {
      name: nameText(1, 100).describe('What the key is for.'),
      scopes: z
        .array(z.enum(scopes))
        .meta({ minItems: 1 })
        .optional()
        .describe('What it may do. All that the key in hand may do, unless it is said.'),
      plan: z.enum(plans).optional().describe('Its plan. That of the key in hand, unless it is said.'),
      expiresAt: moment
        .nullish()
        .describe('When it stops, or null for never. With the key in hand, unless it is said.'),
      ...boundsFields,
    },
    success: {
      status: 201,
      showsSecret: true,
      description: 'The key was made.',
      body: z.object({ success: z.literal(true), data: newKey }),
      example: { success: true, data: { ...example, key: shownKey } },
    },
    exampleRequest: {
      body: { name: 'newsletter', scopes: exampleScopes, expiresAt: '2030-06-01' },
    },
    failures: [
      'EXPIRY_IN_PAST',
      'DOMAIN_NOT_FOUND',
      'FOLDER_NOT_FOUND',
      limitReached('keys', 200),
      'REAUTHENTICATION_REQUIRED',
    ],
  }),
  rotateKey: endpoint({
    method: 'POST',
    path: '/keys/:keyId/rotate',
    params: { keyId },
    access: { key: 'keys:write' },
    priority: 'write',
    summary: 'Replace a key',
    description: `Makes a key with the same name, scopes, bounds, plan and expiry. The old one goes on for a grace, so that there is time to put the new one in its place, and its sessions with it. A session asks for it as for a new key. ${rights}`,
    body: {
      graceSeconds: z
        .int()
        .refine((value) => value >= 0 && value <= longestGrace, {
          params: { reason: 'out_of_range', min: 0, max: longestGrace },
        })
        .meta({ minimum: 0, maximum: longestGrace })
        .optional()
        .describe('How long the old key still works, at most 30 days. A day, unless it is said.'),
    },
    success: {
      status: 201,
      showsSecret: true,
      description: 'The new key was made, and the end of the old one is set.',
      body: z.object({ success: z.literal(true), data: rotatedKey }),
      example: {
        success: true,
        data: { ...example, key: shownKey, replaces: '4fT9qLz2', oldExpiresAt: '2027-03-02T08:00:00.000Z' },
      },
    },
    exampleRequest: { path: '/keys/4fT9qLz2/rotate', body: { graceSeconds: 86_400 } },
    failures: ['KEY_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
  revokeKey: endpoint({
    method: 'DELETE',
    path: '/keys/:keyId',
    params: { keyId },
    access: { key: 'keys:write' },
    priority: 'write',
    summary: 'Revoke a key',
    description:
      'It stops for good, at once, and its sessions with it. The key in hand can be revoked too; one of somebody with more rights cannot.',
    success: { status: 204, description: 'The key does not work any more.' },
    exampleRequest: { path: '/keys/4fT9qLz2' },
    failures: ['KEY_NOT_FOUND'],
  }),
} as const;
