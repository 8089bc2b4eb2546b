import * as z from 'zod';
import {
  maxRestrictionEntries,
  restrictedScopes,
  restrictionFields,
} from '../../model/accounts/key-restrictions.ts';
import { scopes } from '../../model/accounts/keys.ts';
import { plans } from '../../model/accounts/plans.ts';
import { limitReached } from '../../model/failures.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { moment, nameText, timestamp, uuid, wholeNumber } from '../fields.ts';
import { responseShape } from '../record-shapes.ts';

/** Response schemas for the restrictions of a key or member. */
export const bounds = responseShape(restrictionFields);

/** Request schemas for the restrictions of a key or member. */
export const boundsFields = {
  domains: z
    .array(z.string().min(1).max(253))
    .meta({ minItems: 1, maxItems: maxRestrictionEntries })
    .nullish()
    .describe(
      'Hosts of domains to restrict the key to; the shared domain is allowed. Default: no restriction.',
    ),
  folders: z
    .array(z.string())
    .meta({ minItems: 1, maxItems: maxRestrictionEntries })
    .nullish()
    .describe('IDs of folders to restrict the key to. Default: no restriction.'),
};

const facts = {
  id: z.string().describe('Public part of the key: the 8 characters after `lfk_`.'),
  name: z.string(),
  scopes: z.array(z.string()).describe('Scopes of the key. New scopes may be added.'),
  plan: z.enum(plans).meta({ id: 'Plan' }),
  ...bounds,
  state: z.enum(['live', 'expired', 'revoked']),
  createdAt: timestamp('When the key was created.'),
  expiresAt: timestamp('When the key expires or expired; null if never.').nullable(),
  revokedAt: timestamp('When the key was revoked; null if it was not.').nullable(),
  lastUsedAt: timestamp('When the key was last used, up to a minute ago; null if never.').nullable(),
  isCurrent: z.boolean().describe('Whether the request was made with this key.'),
  madeBy: z
    .object({ id: uuid('Identifier of the member.'), name: z.string() })
    .nullable()
    .describe('The member who created the key and whose role limits it; null if none.'),
};
const key = z.object(facts).meta({ id: 'Key', description: 'An API key, without its secret.' });
const newKey = z
  .object({
    ...facts,
    key: z.string().describe('The full key. It is shown only once and cannot be retrieved later.'),
  })
  .meta({ id: 'CreatedKey', description: 'A newly created API key.' });
const rotatedKey = newKey
  .extend({
    replaces: z.string().describe('ID of the key that it replaces.'),
    oldExpiresAt: timestamp('When the replaced key expires.'),
  })
  .meta({ id: 'RotatedKey', description: 'A new API key that replaces another one.' });

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
/** Example key, truncated so that the documentation contains no valid key. */
const shownKey = 'lfk_9kQ2mX4p…';

const keyId = z
  .string()
  .meta({ description: 'Public part of the key, as returned by `GET /api/v1/keys`.', example: example.id });
/** Maximum grace period for a rotated key, in seconds: 30 days. */
const maxGraceSeconds = 2_592_000;
const exampleScopes = ['links:read', 'links:write'];
const rights =
  'A key cannot grant more than it has: no scope that it lacks, no higher plan, no later expiry. A key that a member creates is also limited by their current role.';

export const keyEndpoints = {
  listKeys: endpoint('GET', '/keys', {
    access: { key: 'keys:write' },
    priority: 'list',
    summary: 'List keys',
    description: 'Returns the account’s newest 1,000 keys, including expired and revoked ones, newest first.',
    success: ok('The keys.', { keys: z.array(key) }, { keys: [example] }),
  }),
  createKey: endpoint('POST', '/keys', {
    access: { key: 'keys:write' },
    summary: 'Create a key',
    description: `${rights} A key restricted to domains or folders can only see and change links there. If both are set, a link must be on one of the domains and in one of the folders. A restricted key can have the scopes ${restrictedScopes.map((scope) => `\`${scope}\``).join(', ')}; to grant any other scope, a session must have been verified within the last 15 minutes. The key is shown only once. An account can have at most 200 active keys.`,
    body: {
      name: nameText(1, 100).describe('Purpose of the key.'),
      scopes: z
        .array(z.enum(scopes))
        .meta({ minItems: 1 })
        .optional()
        .describe('Scopes of the new key. Default: all scopes of the current key.'),
      plan: z.enum(plans).optional().describe('Plan of the new key. Default: the plan of the current key.'),
      expiresAt: moment
        .nullish()
        .describe('When the new key expires; null for never. Default: with the current key.'),
      ...boundsFields,
    },
    success: {
      ...created('The key was created.', { data: newKey }, { data: { ...example, key: shownKey } }),
      showsSecret: true,
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
  rotateKey: endpoint('POST', '/keys/:keyId/rotate', {
    params: { keyId },
    access: { key: 'keys:write' },
    summary: 'Rotate a key',
    description: `Creates a key with the same name, scopes, restrictions, plan and expiry. The old key and its sessions keep working for a grace period, so that you can deploy the new one. A session needs the same verification as for creating a key. ${rights}`,
    body: {
      graceSeconds: wholeNumber(0, maxGraceSeconds)
        .optional()
        .describe('Seconds until the old key expires, at most 30 days. Default: 1 day.'),
    },
    success: {
      ...created(
        'The new key was created, and the old one will expire.',
        { data: rotatedKey },
        {
          data: { ...example, key: shownKey, replaces: '4fT9qLz2', oldExpiresAt: '2027-03-02T08:00:00.000Z' },
        },
      ),
      showsSecret: true,
    },
    exampleRequest: { path: '/keys/4fT9qLz2/rotate', body: { graceSeconds: 86_400 } },
    failures: ['KEY_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
  revokeKey: endpoint('DELETE', '/keys/:keyId', {
    params: { keyId },
    access: { key: 'keys:write' },
    summary: 'Revoke a key',
    description:
      'Revokes the key and its sessions immediately and permanently. You can revoke the current key, but not a key that belongs to someone with more permissions.',
    success: { status: 204, description: 'The key was revoked.' },
    exampleRequest: { path: '/keys/4fT9qLz2' },
    failures: ['KEY_NOT_FOUND'],
  }),
} as const;
