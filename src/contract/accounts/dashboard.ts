import * as z from 'zod';
import { domainNotActive } from '../../model/domains/domains.ts';
import { codeStates } from '../../model/links/codes/code-checks.ts';
import { longestExactCode } from '../../model/links/codes/codes.ts';
import { endpoint, ok } from '../endpoint.ts';
import { codeText, text, timestamp, uuid } from '../fields.ts';
import { codeDomain } from '../links/links.ts';

/** Maximum total length of the preferences' keys and values, in characters. */
export const maxPreferences = 32_768;

const preference = text(0, maxPreferences, { multiline: true });
const preferences = z
  .object({
    values: z.record(z.string(), z.string()).describe('Values by key.'),
    updatedAt: timestamp('When the preferences were last saved; null if never.').nullable(),
  })
  .meta({ id: 'Preferences', description: 'Dashboard preferences.' });
const examplePreferences = {
  data: {
    values: { views: '[{"name":"Spring","query":"?q=spring"}]' },
    updatedAt: '2027-03-01T08:00:00.000Z',
  },
} as const;

/** Endpoints that are meant for the dashboard only. */
export const dashboardEndpoints = {
  checkCode: endpoint('GET', '/codes', {
    access: { key: 'links:read', bound: true },
    summary: 'Check whether a code is available',
    description:
      'Returns whether a new link could use the code now, and suggests up to three others if not. Codes are case-insensitive. The code of a deleted link is only available to the same account. Without `customCode`, three codes are generated.',
    query: {
      customCode: codeText(longestExactCode).optional().describe('The code to check.'),
      domain: codeDomain,
    },
    success: ok(
      'Availability at the time of the request.',
      {
        data: z.object({
          status: z
            .enum(codeStates)
            .describe('`yours`: a live link of the account has the code. `free` if no code was given.'),
          linkId: uuid('The link that has the code, if it is in your account.').nullable(),
          suggestions: z.array(z.string()).describe('Available codes.'),
        }),
      },
      { data: { status: 'taken', linkId: null, suggestions: ['launch-2', 'launch-3', 'launch-2027'] } },
    ),
    exampleRequest: { path: '/codes?customCode=launch' },
    failures: [
      'VALIDATION_ERROR',
      'INVALID_CUSTOM_CODE',
      'DOMAIN_NOT_FOUND',
      domainNotActive('go.example.com'),
    ],
  }),
  getPreferences: endpoint('GET', '/preferences', {
    access: { key: 'links:read', bound: true },
    summary: 'Get dashboard preferences',
    description:
      'Returns stored values by key, such as saved views, for use on all devices. Each signed-in member has their own.',
    success: ok('The preferences.', { data: preferences }, examplePreferences),
  }),
  putPreferences: endpoint('PUT', '/preferences', {
    access: { key: 'links:write', bound: true },
    summary: 'Save dashboard preferences',
    description:
      'Replaces all preferences. Keys and values can have at most 32,768 characters in total; the server does not interpret them.',
    body: { values: z.record(preference, preference).describe('Values by key.') },
    success: ok('The preferences were saved.', { data: preferences }, examplePreferences),
    exampleRequest: { body: { values: examplePreferences.data.values } },
  }),
} as const;
