import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { count, timestamp, uuid } from '../fields.ts';
import { idInPath } from '../links/links.ts';
import { identity, person } from './account.ts';

export const session = z
  .object({
    id: uuid('Names the session; it proves nothing.'),
    keyId: z.string().describe('The public part of the key with which it acts.'),
    keyName: z.string().describe('What the key is called, or the person.'),
    person: person.nullable().describe('Who is signed in; null when the browser acts with a key of nobody.'),
    agent: z.string().describe('The browser that began it, such as `Firefox on Linux`.'),
    createdAt: timestamp('When it began.'),
    lastSeenAt: timestamp('When it was last used, up to a minute ago.'),
    expiresAt: timestamp('When it ends if it is not used again.'),
    isCurrent: z.boolean().describe('Whether this request came by it.'),
  })
  .meta({ id: 'Session', description: 'A browser that acts with a key, or as a person.' });

const id = '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e5f';
export const exampleSession = {
  id,
  keyId: '4fT9qLz2',
  keyName: 'first key',
  person: null,
  agent: 'Firefox on Linux',
  createdAt: '2027-03-01T08:00:00.000Z',
  lastSeenAt: '2027-03-01T09:30:00.000Z',
  expiresAt: '2027-03-01T21:30:00.000Z',
  isCurrent: true,
};

/** The session of a person, who has just come in. */
export const personSession = (description: string, personId = '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60') => ({
  status: 201 as const,
  description,
  body: z.object({ success: z.literal(true), data: session }),
  example: {
    success: true,
    data: {
      ...exampleSession,
      keyName: 'Ada Lovelace',
      person: { id: personId, name: 'Ada Lovelace', role: 'editor' },
    },
  },
});

const mine =
  'A key without `keys:write`, and its sessions, reach those of this key; others all of the account.';

export const sessionEndpoints = {
  createSession: endpoint({
    method: 'POST',
    path: '/session',
    access: { key: 'any', session: false, loginLink: true, bound: true },
    priority: 'write',
    summary: 'Sign in',
    description:
      'Gives a browser a session that acts with the key: its cookie is for this host only, no script can read it, and no page of another site can use it. In the place of a key, the token of a link by `linkfold login` is taken, once. A session lasts 12 hours without use and 30 days at most, and ends with its key.',
    setsCookie: true,
    success: {
      status: 201,
      showsSecret: true,
      description: 'The session has begun; the answer sets its cookie.',
      body: z.object({ success: z.literal(true), data: session }),
      example: { success: true, data: exampleSession },
    },
    failures: ['INVALID_LOGIN_LINK', 'OIDC_ONLY', 'CROSS_SITE_REQUEST', 'INSECURE_CONNECTION'],
  }),
  describeSignInLink: endpoint({
    method: 'POST',
    path: '/sign-in-links/describe',
    access: { key: 'none' },
    priority: 'read',
    changes: false,
    summary: 'Describe a sign-in link by its secret',
    description:
      'Returns who the link signs in, and to which account, without using it. Show this before you call `POST /session`. An IP address may send 60 requests a minute.',
    body: {
      token: z.string().min(1).max(100).describe('The part of the sign-in link after `#`.'),
    },
    success: {
      status: 200,
      description: 'Who the link signs in.',
      body: z.object({
        success: z.literal(true),
        data: session
          .pick({ keyName: true, person: true, expiresAt: true })
          .extend({
            account: z.string().describe('Name of the account.'),
            person: person.nullable().describe('Who is signed in; null for a link that acts with a key.'),
            expiresAt: timestamp('When the link expires.'),
          })
          .meta({ id: 'DescribedSignInLink', description: 'Who a sign-in link signs in.' }),
      }),
      example: {
        success: true,
        data: {
          keyName: 'Ada Lovelace',
          person: { id: '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60', name: 'Ada Lovelace', role: 'editor' },
          expiresAt: '2027-03-01T08:30:00.000Z',
          account: 'acme',
        },
      },
    },
    exampleRequest: { body: { token: 'lfl_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd' } },
    failures: ['INVALID_LOGIN_LINK'],
  }),
  getSession: endpoint({
    method: 'GET',
    path: '/session',
    access: { key: 'any', bound: true },
    priority: 'read',
    summary: 'Describe who is signed in',
    description:
      'What `/me` tells, with the session, the version of the server and its address for short URLs.',
    success: {
      status: 200,
      description: 'The account, the key and the session in hand.',
      body: z.object({
        success: z.literal(true),
        data: identity
          .extend({
            session: session.nullable().describe('Null when a key asks.'),
            version: z.string().describe('The version of the server.'),
            baseUrl: z.string().describe('What short URLs begin with.'),
          })
          .meta({ id: 'SignedIn', description: 'Who is signed in, and where.' }),
      }),
      example: {
        success: true,
        data: {
          account: 'default',
          key: { id: '4fT9qLz2', name: 'first key', expiresAt: null },
          person: null,
          isOperator: false,
          scopes: ['links:read', 'links:write'],
          plan: 'enterprise',
          domains: null,
          folders: null,
          limits: { links: null, folders: 1000, requestsPerMinute: null, linkLifetimeDays: null },
          usage: { links: 1, folders: 0 },
          session: exampleSession,
          version: '1.0.0',
          baseUrl: 'https://go.example.com',
        },
      },
    },
    failures: [],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/session',
    access: { key: 'any', bound: true },
    priority: 'write',
    summary: 'Sign out',
    description:
      'Ends all sessions of this browser, also in other accounts, and takes its cookie away. A key has none: nothing happens.',
    setsCookie: true,
    success: { status: 204, description: 'There is no session in hand any more.' },
    failures: [],
  }),
  listAccountsOfBrowser: endpoint({
    method: 'GET',
    path: '/session/accounts',
    access: { key: 'none' },
    priority: 'read',
    summary: 'List the accounts of this browser',
    description:
      'A browser is signed in to at most 8 accounts, or as so many people: signing in to another one keeps the others. The one in hand comes first, unless it has ended. Without the cookie of a browser there are none. One address may ask 60 times a minute.',
    success: {
      status: 200,
      description: 'The sessions of this browser.',
      body: z.object({
        success: z.literal(true),
        data: z.array(
          session
            .extend({ account: z.string().describe('The account of the session.') })
            .meta({ id: 'AccountOfBrowser', description: 'An account to which this browser is signed in.' }),
        ),
      }),
      example: { success: true, data: [{ ...exampleSession, account: 'default' }] },
    },
    failures: [],
  }),
  switchAccount: endpoint({
    method: 'POST',
    path: '/session/switch',
    access: { key: 'none' },
    priority: 'read',
    changes: false,
    summary: 'Go on in another account',
    description:
      'Takes another session of this browser in hand; the others stay signed in. Requests that are under way were sent in the account before.',
    setsCookie: true,
    body: { sessionId: uuid('Which, as `/session/accounts` has it.') },
    success: {
      status: 200,
      description: 'The session in hand from now on; the answer sets its cookie.',
      body: z.object({ success: z.literal(true), data: session }),
      example: { success: true, data: exampleSession },
    },
    exampleRequest: { body: { sessionId: id } },
    failures: ['SESSION_NOT_FOUND', 'CROSS_SITE_REQUEST'],
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/sessions',
    access: { key: 'any', bound: true },
    priority: 'list',
    summary: 'List sessions',
    description: `Sessions that have not ended, the one last used first. ${mine}`,
    success: {
      status: 200,
      description: 'The sessions.',
      body: z.object({ success: z.literal(true), sessions: z.array(session) }),
      example: { success: true, sessions: [exampleSession] },
    },
    failures: [],
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/sessions',
    access: { key: 'any', bound: true },
    priority: 'write',
    summary: 'Sign out everywhere else',
    description: `Ends every session but the one in hand; of a person, their own. ${mine}`,
    success: {
      status: 200,
      description: 'They have ended.',
      body: z.object({
        success: z.literal(true),
        data: z.object({ ended: count('How many sessions have ended by this.') }),
      }),
      example: { success: true, data: { ended: 2 } },
    },
    failures: [],
  }),
  endSessionById: endpoint({
    method: 'DELETE',
    path: '/sessions/:id',
    params: { id: idInPath },
    access: { key: 'any', bound: true },
    priority: 'write',
    summary: 'End a session',
    description: `The browser has to sign in again. ${mine}`,
    success: { status: 204, description: 'The session has ended.' },
    failures: ['SESSION_NOT_FOUND'],
  }),
} as const;
