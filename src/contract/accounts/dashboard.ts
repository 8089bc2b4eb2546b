import * as z from 'zod';
import { domainNotActive } from '../../model/domains/domains.ts';
import { codeStates } from '../../model/links/codes/code-checks.ts';
import { longestExactCode } from '../../model/links/codes/codes.ts';
import { endpoint } from '../endpoint.ts';
import { codeText, text, timestamp, uuid } from '../fields.ts';
import { codeDomain } from '../links/links.ts';

/** Most characters of an account's preferences, names and values together. */
export const maxPreferences = 32_768;

const kept = text(0, maxPreferences, { multiline: true });
const preferences = z
  .object({
    values: z.record(z.string(), z.string()).describe('Texts by their names.'),
    updatedAt: timestamp('When they were last put; null for never.').nullable(),
  })
  .meta({ id: 'Preferences', description: 'What an account keeps for its dashboard.' });
const examplePreferences = {
  success: true,
  data: {
    values: { views: '[{"name":"Spring","query":"?q=spring"}]' },
    updatedAt: '2027-03-01T08:00:00.000Z',
  },
} as const;

/** What a page for people asks beside the rest. */
export const dashboardEndpoints = {
  checkCode: endpoint({
    method: 'GET',
    path: '/codes',
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Check whether a code is free',
    description:
      'Tells whether a new link could have the code now, without regard to case, and offers up to three others where it could not. A code of a deleted link is free for its own account alone. Without `customCode`, three codes are drawn.',
    query: {
      customCode: codeText(longestExactCode).optional().describe('The code that is wished for.'),
      domain: codeDomain,
    },
    success: {
      status: 200,
      description: 'What becomes of the wish, at this moment.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          status: z
            .enum(codeStates)
            .describe('`yours`: a live link of the account has the code. `free` when none was given.'),
          linkId: uuid('The link that has the code, when it is yours.').nullable(),
          suggestions: z.array(z.string()).describe('Codes that are free.'),
        }),
      }),
      example: {
        success: true,
        data: { status: 'taken', linkId: null, suggestions: ['launch-2', 'launch-3', 'launch-2027'] },
      },
    },
    exampleRequest: { path: '/codes?customCode=launch' },
    failures: [
      'VALIDATION_ERROR',
      'INVALID_CUSTOM_CODE',
      'DOMAIN_NOT_FOUND',
      domainNotActive('go.example.com'),
    ],
  }),
  getPreferences: endpoint({
    method: 'GET',
    path: '/preferences',
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Read what the account keeps for its dashboard',
    description:
      'Texts by names, such as saved views. They are the same on every device. A person who is signed in has their own.',
    success: {
      status: 200,
      description: 'The texts.',
      body: z.object({ success: z.literal(true), data: preferences }),
      example: examplePreferences,
    },
    failures: [],
  }),
  putPreferences: endpoint({
    method: 'PUT',
    path: '/preferences',
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Keep texts for the dashboard',
    description:
      'Replaces all that was kept. Names and texts have at most 32,768 characters together; the server does not look into them.',
    body: { values: z.record(kept, kept).describe('Texts by their names.') },
    success: {
      status: 200,
      description: 'They are kept.',
      body: z.object({ success: z.literal(true), data: preferences }),
      example: examplePreferences,
    },
    exampleRequest: { body: { values: examplePreferences.data.values } },
    failures: [],
  }),
} as const;
