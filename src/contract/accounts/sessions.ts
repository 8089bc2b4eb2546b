import * as z from 'zod';
import { created, endpoint, ok } from '../endpoint.ts';
import { count, timestamp, uuid } from '../fields.ts';
import { identity, person } from './account.ts';

export const session = z
  .object({
    id: uuid('Session ID. It is not a credential.'),
    keyId: z.string().describe('Public part of the key that the session uses.'),
    keyName: z.string().describe('Name of the key or the person.'),
    person: person
      .nullable()
      .describe('The signed-in person; null if the session’s key does not belong to a member.'),
    agent: z.string().describe('Browser and system, such as `Firefox on Linux`.'),
    createdAt: timestamp('When the session started.'),
    lastSeenAt: timestamp('When the session was last used, up to a minute ago.'),
    expiresAt: timestamp('When the session expires unless it is used again.'),
    isCurrent: z.boolean().describe('Whether the request was made with this session.'),
  })
  .meta({ id: 'Session', description: 'A browser session of a key or a person.' });

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

/** Returns the response definition for a member's sign-in, which contains the new session. */
export const personSession = (description: string, personId = '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60') => {
  const person = { id: personId, name: 'Ada Lovelace', role: 'editor' };
  return created(
    description,
    { data: session },
    { data: { ...exampleSession, keyName: person.name, person } },
  );
};

const mine =
  'A key without `keys:write`, and its sessions, can see only this key’s sessions; others see all of the account’s sessions.';

export const sessionEndpoints = {
  createSession: endpoint('POST', '/session', {
    access: { key: 'any', session: false, loginLink: true, bound: true },
    summary: 'Sign in',
    description:
      'Starts a browser session for a key. The cookie is limited to this host, cannot be read by scripts and is not sent with requests from pages on other sites. Instead of a key, you can send the one-time token of a sign-in link from `linkfold login`. A session ends after 12 hours without use, after 30 days at the latest, and when its key expires or is revoked.',
    setsCookie: true,
    success: {
      ...created(
        'The session was started; the response sets its cookie.',
        { data: session },
        { data: exampleSession },
      ),
      showsSecret: true,
    },
    failures: ['INVALID_LOGIN_LINK', 'OIDC_ONLY', 'CROSS_SITE_REQUEST', 'INSECURE_CONNECTION'],
  }),
  describeSignInLink: endpoint('POST', '/sign-in-links/describe', {
    access: { key: 'none' },
    changes: false,
    summary: 'Describe a sign-in link by its secret',
    description:
      'Returns who the link signs in, and to which account, without using it. Show this before you call `POST /session`. Limit: 60 requests per minute per IP address.',
    body: {
      token: z.string().min(1).max(100).describe('The part of the sign-in link after `#`.'),
    },
    success: ok(
      'Who the link signs in.',
      {
        data: session
          .pick({ keyName: true, person: true, expiresAt: true })
          .extend({
            account: z.string().describe('Name of the account.'),
            person: person
              .nullable()
              .describe('The person who will be signed in; null if the link signs in with a key.'),
            expiresAt: timestamp('When the link expires.'),
          })
          .meta({ id: 'DescribedSignInLink', description: 'Who a sign-in link signs in.' }),
      },
      {
        data: {
          keyName: 'Ada Lovelace',
          person: { id: '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60', name: 'Ada Lovelace', role: 'editor' },
          expiresAt: '2027-03-01T08:30:00.000Z',
          account: 'acme',
        },
      },
    ),
    exampleRequest: { body: { token: 'lfl_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd' } },
    failures: ['INVALID_LOGIN_LINK'],
  }),
  getSession: endpoint('GET', '/session', {
    access: { key: 'any', bound: true },
    summary: 'Get the current session',
    description:
      'Returns the same data as `/me`, plus the session, the server version and the base URL of short links.',
    success: ok(
      'The current account, key and session.',
      {
        data: identity
          .extend({
            session: session.nullable().describe('Null if the request uses an API key.'),
            version: z.string().describe('Version of the server.'),
            baseUrl: z.string().describe('Base URL of short links.'),
          })
          .meta({ id: 'SignedIn', description: 'The current identity and session.' }),
      },
      {
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
    ),
  }),
  endSession: endpoint('DELETE', '/session', {
    access: { key: 'any', bound: true },
    summary: 'Sign out',
    description:
      'Ends all sessions of this browser, including those in other accounts, and clears its cookie. With an API key, nothing happens.',
    setsCookie: true,
    success: { status: 204, description: 'The session has ended.' },
  }),
  listAccountsOfBrowser: endpoint('GET', '/session/accounts', {
    access: { key: 'none' },
    summary: 'List the accounts of this browser',
    description:
      'Returns the sessions of this browser, the current one first unless it has ended. A browser can have up to 8 sessions, for different accounts or members; a new sign-in keeps the others. Without a session cookie, the list is empty. Limit: 60 requests per minute per IP address.',
    success: ok(
      'The sessions of this browser.',
      {
        data: z.array(
          session
            .extend({ account: z.string().describe('Account of the session.') })
            .meta({ id: 'AccountOfBrowser', description: 'An account that this browser is signed in to.' }),
        ),
      },
      { data: [{ ...exampleSession, account: 'default' }] },
    ),
  }),
  switchAccount: endpoint('POST', '/session/switch', {
    access: { key: 'none' },
    changes: false,
    summary: 'Switch accounts',
    description:
      'Makes another session of this browser the current one; the others stay signed in. Requests in progress still use the previous account.',
    setsCookie: true,
    body: { sessionId: uuid('ID of the session, from `/session/accounts`.') },
    success: ok(
      'The new current session; the response sets its cookie.',
      { data: session },
      { data: exampleSession },
    ),
    exampleRequest: { body: { sessionId: id } },
    failures: ['SESSION_NOT_FOUND', 'CROSS_SITE_REQUEST'],
  }),
  listSessions: endpoint('GET', '/sessions', {
    access: { key: 'any', bound: true },
    priority: 'list',
    summary: 'List sessions',
    description: `Returns sessions that have not ended, most recently used first. ${mine}`,
    success: ok('The sessions.', { sessions: z.array(session) }, { sessions: [exampleSession] }),
  }),
  endOtherSessions: endpoint('DELETE', '/sessions', {
    access: { key: 'any', bound: true },
    summary: 'Sign out everywhere else',
    description: `Ends all sessions except the current one. A member ends their own sessions only. ${mine}`,
    success: ok(
      'The sessions have ended.',
      { data: z.object({ ended: count('Number of sessions that were ended.') }) },
      { data: { ended: 2 } },
    ),
  }),
  endSessionById: endpoint('DELETE', '/sessions/:id', {
    params: { id: uuid('Identifier of the session.').meta({ example: id }) },
    access: { key: 'any', bound: true },
    summary: 'End a session',
    description: `Signs the browser out. ${mine}`,
    success: { status: 204, description: 'The session has ended.' },
    failures: ['SESSION_NOT_FOUND'],
  }),
} as const;
