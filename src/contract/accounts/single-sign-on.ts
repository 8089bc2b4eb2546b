import * as z from 'zod';
import { signOnLifetimeMs } from '../../model/accounts/single-sign-on.ts';
import { endpoint } from '../endpoint.ts';
import { timestamp } from '../fields.ts';
import { personSession } from './sessions.ts';

const minutes = signOnLifetimeMs / 60_000;
const token = 'lfo_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd';
const exampleSignOn = {
  url: 'https://id.example.com/authorize?client_id=linkfold&scope=openid+profile+email&response_type=code&state=4nT8Zq',
  token,
};

const signOn = z.object({
  success: z.literal(true),
  data: z.object({
    url: z.string().meta({ description: 'Where the person signs in.', format: 'uri' }),
    token: z.string().describe('What the answer is good with, once. It stays in this browser.'),
  }),
});
const begun = {
  token: z.string().min(1).max(100).describe('From when the browser began.'),
  answer: z.string().min(1).max(8_192).describe('The query with which the browser came back.'),
};
const exampleBegun = {
  token,
  answer: '?code=9aF3…&state=4nT8Zq&iss=https%3A%2F%2Fid.example.com',
};

const identity = z
  .object({
    issuer: z.string().describe('What the provider calls itself.'),
    isByGroup: z.boolean().describe('Whether a group of the provider decides what the person may do here.'),
    createdAt: timestamp('When the person was connected.'),
    lastUsedAt: timestamp('When the person signed in there last.'),
  })
  .meta({ id: 'ProviderIdentity', description: 'A provider at which a person signs in.' });
const exampleIdentity = {
  issuer: 'https://id.example.com',
  isByGroup: false,
  createdAt: '2027-03-01T08:00:00.000Z',
  lastUsedAt: '2027-03-01T08:00:00.000Z',
} as const;
const forPeople = { key: 'any', person: true, bound: true } as const;

export const singleSignOnEndpoints = {
  getSignInWays: endpoint({
    method: 'GET',
    path: '/session/ways',
    access: { key: 'none' },
    priority: 'read',
    summary: 'Tell how people sign in here',
    description: 'What the page to sign in offers. One address may ask 60 times a minute.',
    success: {
      status: 200,
      description: 'The ways in.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          singleSignOn: z
            .object({
              name: z.string().nullable().describe('What people call the provider; null for no name.'),
            })
            .nullable()
            .describe('The provider of OpenID Connect; null for none.'),
          isOnly: z.boolean().describe('Whether people have no other way in. Keys go on.'),
          mail: z.boolean().describe('Whether this server sends links by mail.'),
        }),
      }),
      example: { success: true, data: { singleSignOn: { name: 'Example ID' }, isOnly: false, mail: false } },
    },
    failures: [],
  }),
  getSignOutAtProvider: endpoint({
    method: 'GET',
    path: '/session/sign-out-at-provider',
    access: { key: 'none' },
    priority: 'read',
    summary: 'Tell where to sign out of the provider',
    description:
      'Where a browser goes after it has signed out here, to sign out of the provider too (RP-initiated logout); it comes back to the dashboard. One address may ask 60 times a minute.',
    success: {
      status: 200,
      description: 'The address.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          url: z
            .string()
            .nullable()
            .describe('Null without a provider, or where it does not offer that or does not answer.'),
        }),
      }),
      example: { success: true, data: { url: null } },
    },
    failures: [],
  }),
  beginSingleSignOn: endpoint({
    method: 'POST',
    path: '/session/oidc-options',
    access: { key: 'none' },
    priority: 'read',
    changes: false,
    summary: 'Begin to sign in at the provider',
    description: `Where the browser goes, to come back within ${minutes} minutes at \`/dashboard/oidc\`. Of a browser that is signed in here already the provider asks for a sign-in even where the person is signed in there (\`prompt=login\`). One address may ask 60 times a minute.`,
    success: {
      status: 200,
      description: 'The browser goes to the address, and keeps the token.',
      body: signOn,
      example: { success: true, data: exampleSignOn },
    },
    failures: ['OIDC_REFUSED', 'OIDC_UNAVAILABLE'],
  }),
  signInBySingleSignOn: endpoint({
    method: 'POST',
    path: '/session/oidc',
    access: { key: 'none' },
    priority: 'read',
    isRepeatable: false,
    summary: 'Sign in by the answer of the provider',
    description:
      'Gives a browser the session of the person whom the provider proves. Issuer and subject say who that is. A group that `OIDC_GROUPS` names, or the secret of an invitation, makes somebody new a member; an invitation with an email address is for whoever has verified that at the provider.',
    setsCookie: true,
    body: {
      ...begun,
      invitation: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('What follows `#` in the address of an invitation that the person accepts.'),
    },
    success: personSession('The session has begun; the answer sets its cookie.'),
    exampleRequest: { body: exampleBegun },
    failures: [
      'OIDC_REFUSED',
      'OIDC_NO_ACCESS',
      'OIDC_UNAVAILABLE',
      'INVITATION_NOT_FOUND',
      'ACCOUNT_SUSPENDED',
      'CROSS_SITE_REQUEST',
      'INSECURE_CONNECTION',
    ],
  }),
  listIdentities: endpoint({
    method: 'GET',
    path: '/identities',
    access: forPeople,
    priority: 'read',
    summary: 'List at which providers a person signs in',
    description: 'Those of the person who is signed in, the one last used first.',
    success: {
      status: 200,
      description: 'The providers.',
      body: z.object({ success: z.literal(true), data: z.array(identity) }),
      example: { success: true, data: [exampleIdentity] },
    },
    failures: [],
  }),
  beginIdentity: endpoint({
    method: 'POST',
    path: '/identities/options',
    access: forPeople,
    priority: 'read',
    changes: false,
    summary: 'Begin to connect a person to the provider',
    description: `As for signing in, but the answer is good for this person alone, within ${minutes} minutes. The session must have begun within 15 minutes, and not by a link that the person created for themselves.`,
    success: {
      status: 200,
      description: 'The browser goes to the address, and keeps the token.',
      body: signOn,
      example: { success: true, data: exampleSignOn },
    },
    failures: ['OIDC_REFUSED', 'OIDC_UNAVAILABLE', 'REAUTHENTICATION_REQUIRED'],
  }),
  connectIdentity: endpoint({
    method: 'POST',
    path: '/identities',
    access: forPeople,
    priority: 'read',
    isRepeatable: false,
    summary: 'Connect a person to the provider',
    description:
      'From then on the provider signs this person in. Somebody at the provider is one person in an account, and a person one at a provider; what groups give counts from the next sign-in.',
    body: begun,
    success: {
      status: 201,
      description: 'The person is connected.',
      body: z.object({ success: z.literal(true), data: identity }),
      example: { success: true, data: exampleIdentity },
    },
    exampleRequest: { body: exampleBegun },
    failures: ['OIDC_REFUSED', 'OIDC_UNAVAILABLE'],
  }),
  disconnectIdentities: endpoint({
    method: 'DELETE',
    path: '/identities',
    access: forPeople,
    priority: 'write',
    summary: 'Disconnect a person from the provider',
    description:
      'The provider signs this person in no more. Whom a group of it lets in cannot be disconnected, nor anybody where it is the only way in (`OIDC_ONLY=1`). The session must have begun within 15 minutes.',
    success: { status: 204, description: 'The person is connected to no provider.' },
    failures: ['OIDC_REFUSED', 'OIDC_ONLY', 'REAUTHENTICATION_REQUIRED'],
  }),
} as const;
