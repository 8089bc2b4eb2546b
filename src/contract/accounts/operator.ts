import * as z from 'zod';
import { plans } from '../../model/accounts/plans.ts';
import { Failure } from '../../model/failures.ts';
import { endpoint } from '../endpoint.ts';
import { count, integer, text, timestamp } from '../fields.ts';
import { changesCursor, changesPagination } from '../links/history.ts';

const account = z
  .object({
    name: z.string(),
    createdAt: timestamp('When it was made.'),
    suspendedAt: timestamp('Since when it is suspended; null while it is not.').nullable(),
    plans: z
      .array(z.enum(plans).meta({ id: 'Plan' }))
      .describe('Those of its live keys and its people; none while it has neither.'),
    people: count('People in it.'),
    keys: count('Live keys of programs.'),
    links: count('Links that are not deleted.'),
    lastUsedAt: timestamp(
      'When a key or a person did something last, up to a minute ago; null for never.',
    ).nullable(),
  })
  .meta({ id: 'OperatedAccount', description: 'An account, as an operator sees it.' });

const example = {
  name: 'acme',
  createdAt: '2027-03-01T08:00:00.000Z',
  suspendedAt: null,
  plans: ['enterprise'],
  people: 4,
  keys: 2,
  links: 1200,
  lastUsedAt: '2027-03-01T09:30:00.000Z',
} as const;

/** Only people who are signed in, and named by `linkfold operators`. */
const access = { key: 'any', person: true, operator: true } as const;
const named = { account: text(1, 100).describe('The exact name of the account.') };
const one = z.object({ success: z.literal(true), data: account });
const hidden = 'For anybody but an operator there is no such path.';

export const operatorEndpoints = {
  listAccounts: endpoint({
    method: 'GET',
    path: '/operator/accounts',
    access,
    priority: 'list',
    summary: 'List all accounts',
    description: `Every account of the installation with its numbers, the newest first, and nothing of its records. ${hidden}`,
    query: {
      limit: integer(1, 100, 20).optional().describe('Accounts on a page.'),
      cursor: changesCursor,
      search: text(1, 100).optional().describe('Only accounts whose names have this, in any case.'),
    },
    success: {
      status: 200,
      description: 'One page of accounts.',
      body: z.object({ success: z.literal(true), data: z.array(account), pagination: changesPagination }),
      example: { success: true, data: [example], pagination: { limit: 20, nextCursor: null } },
    },
    exampleRequest: { path: '/operator/accounts?search=acme' },
    failures: ['VALIDATION_ERROR'],
  }),
  suspendAccount: endpoint({
    method: 'POST',
    path: '/operator/accounts/suspend',
    access,
    priority: 'write',
    summary: 'Suspend an account',
    description: `At once and on every node the API refuses its keys, everybody in it is signed out and stays out, and its public statistics are 404. Its short links go on working, their clicks count, and its webhooks are told. The account that you are in cannot be suspended. ${hidden}`,
    body: named,
    success: {
      status: 200,
      description: 'The account is suspended.',
      body: one,
      example: { success: true, data: { ...example, suspendedAt: '2027-03-01T10:00:00.000Z' } },
    },
    exampleRequest: { body: { account: 'acme' } },
    failures: [
      'ACCOUNT_NOT_FOUND',
      new Failure('INSUFFICIENT_SCOPE', 'Nobody suspends the account that they are in.'),
      'REAUTHENTICATION_REQUIRED',
    ],
  }),
  resumeAccount: endpoint({
    method: 'POST',
    path: '/operator/accounts/resume',
    access,
    priority: 'write',
    summary: 'Resume an account',
    description: `Lifts a suspension: keys work again, and people sign in again. ${hidden}`,
    body: named,
    success: {
      status: 200,
      description: 'The account is not suspended.',
      body: one,
      example: { success: true, data: example },
    },
    exampleRequest: { body: { account: 'acme' } },
    failures: ['ACCOUNT_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
} as const;
