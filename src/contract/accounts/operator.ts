import * as z from 'zod';
import { plans } from '../../model/accounts/plans.ts';
import { Failure } from '../../model/failures.ts';
import { endpoint, ok } from '../endpoint.ts';
import { count, integer, text, timestamp } from '../fields.ts';
import { changesCursor, changesPagination } from '../links/history.ts';

const account = z
  .object({
    name: z.string(),
    createdAt: timestamp('When the account was created.'),
    suspendedAt: timestamp('When the account was suspended; null if it is not.').nullable(),
    plans: z
      .array(z.enum(plans).meta({ id: 'Plan' }))
      .describe('Plans of its active keys and members; empty if it has none.'),
    people: count('Number of members.'),
    keys: count('Number of active keys that do not belong to a member.'),
    links: count('Number of live links.'),
    lastUsedAt: timestamp('Last activity of a key or member, up to a minute ago; null if none.').nullable(),
  })
  .meta({ id: 'OperatedAccount', description: 'An account, as shown to operators.' });

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

/** Access for signed-in operators only (see `linkfold operators`). */
const access = { key: 'any', person: true, operator: true } as const;
const named = { account: text(1, 100).describe('Exact name of the account.') };
const body = { data: account };
const hidden = 'Returns 404 unless you are an operator.';

export const operatorEndpoints = {
  listAccounts: endpoint('GET', '/operator/accounts', {
    access,
    priority: 'list',
    summary: 'List all accounts',
    description: `Returns all accounts in the installation with their counts, newest first. The accounts’ records are not included. ${hidden}`,
    query: {
      limit: integer(1, 100, 20).optional().describe('Accounts per page.'),
      cursor: changesCursor,
      search: text(1, 100)
        .optional()
        .describe('Only accounts whose name contains this text, case-insensitive.'),
    },
    success: ok(
      'One page of accounts.',
      { data: z.array(account), pagination: changesPagination },
      { data: [example], pagination: { limit: 20, nextCursor: null } },
    ),
    exampleRequest: { path: '/operator/accounts?search=acme' },
    failures: ['VALIDATION_ERROR'],
  }),
  suspendAccount: endpoint('POST', '/operator/accounts/suspend', {
    access,
    summary: 'Suspend an account',
    description: `Takes effect immediately on all nodes: the API rejects the account’s keys, its members are signed out and cannot sign in, and its shared statistics return 404. Its short links keep working, clicks are counted, and webhooks are sent. You cannot suspend your own account. ${hidden}`,
    body: named,
    success: ok('The account was suspended.', body, {
      data: { ...example, suspendedAt: '2027-03-01T10:00:00.000Z' },
    }),
    exampleRequest: { body: { account: 'acme' } },
    failures: [
      'ACCOUNT_NOT_FOUND',
      new Failure('INSUFFICIENT_SCOPE', 'You cannot suspend your own account.'),
      'REAUTHENTICATION_REQUIRED',
    ],
  }),
  resumeAccount: endpoint('POST', '/operator/accounts/resume', {
    access,
    summary: 'Resume an account',
    description: `Ends a suspension: keys work and members can sign in again. ${hidden}`,
    body: named,
    success: ok('The account was resumed.', body, { data: example }),
    exampleRequest: { body: { account: 'acme' } },
    failures: ['ACCOUNT_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
} as const;
