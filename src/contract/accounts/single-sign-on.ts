import * as z from 'zod';
import { identityFields } from '../../model/accounts/own-identities.ts';
import { signOnLifetimeMs } from '../../model/accounts/single-sign-on.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { uri } from '../fields.ts';
import { exampleOf, responseShape } from '../record-shapes.ts';
import { personSession } from './sessions.ts';

const minutes = signOnLifetimeMs / 60_000;
const token = 'lfo_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd';
const exampleSignOn = {
  url: 'https://id.example.com/authorize?client_id=linkfold&scope=openid+profile+email&response_type=code&state=4nT8Zq',
  token,
};

const signOn = {
  data: z.object({
    url: uri('URL of the provider’s sign-in page.'),
    token: z.string().describe('One-time token for completing the sign-in. Keep it in this browser.'),
  }),
};
const begun = {
  token: z.string().min(1).max(100).describe('The token returned when the sign-in was started.'),
  answer: z
    .string()
    .min(1)
    .max(8_192)
    .describe('Query string that the provider redirected the browser back with.'),
};
const exampleBegun = {
  token,
  answer: '?code=9aF3…&state=4nT8Zq&iss=https%3A%2F%2Fid.example.com',
};

const identity = z
  .object(responseShape(identityFields))
  .meta({ id: 'ProviderIdentity', description: 'A connected identity at a provider.' });
const exampleIdentity = exampleOf(identityFields);
const forMembers = { key: 'any', person: true, bound: true } as const;

export const singleSignOnEndpoints = {
  getSignInWays: endpoint('GET', '/session/ways', {
    access: { key: 'none' },
    summary: 'List sign-in methods',
    description:
      'Returns the methods that the sign-in page offers. Limit: 60 requests per minute per IP address.',
    success: ok(
      'The sign-in methods.',
      {
        data: z.object({
          singleSignOn: z
            .object({
              name: z.string().nullable().describe('Display name of the provider; null if not set.'),
            })
            .nullable()
            .describe('The OpenID Connect provider; null if none is configured.'),
          isOnly: z
            .boolean()
            .describe('Whether members can only sign in through the provider. API keys still work.'),
          mail: z.boolean().describe('Whether the server can send sign-in links by email.'),
        }),
      },
      { data: { singleSignOn: { name: 'Example ID' }, isOnly: false, mail: false } },
    ),
  }),
  getSignOutAtProvider: endpoint('GET', '/session/sign-out-at-provider', {
    access: { key: 'none' },
    summary: 'Get the provider’s sign-out URL',
    description:
      'Returns the URL for signing out of the provider after signing out here (RP-initiated logout). The provider redirects back to the dashboard. Limit: 60 requests per minute per IP address.',
    success: ok(
      'The sign-out URL.',
      {
        data: z.object({
          url: z
            .string()
            .nullable()
            .describe(
              'Null if no provider is configured, or if it does not support this or does not respond.',
            ),
        }),
      },
      { data: { url: null } },
    ),
  }),
  beginSingleSignOn: endpoint('POST', '/session/oidc-options', {
    access: { key: 'none' },
    changes: false,
    summary: 'Start single sign-on',
    description: `Returns the provider URL to open. The provider redirects back to \`/dashboard/oidc\`; this must happen within ${minutes} minutes. If the browser is already signed in here, the provider asks for credentials again (\`prompt=login\`). Limit: 60 requests per minute per IP address.`,
    success: ok('Open the URL and keep the token in the browser.', signOn, { data: exampleSignOn }),
    failures: ['OIDC_REFUSED', 'OIDC_UNAVAILABLE'],
  }),
  signInBySingleSignOn: endpoint('POST', '/session/oidc', {
    access: { key: 'none' },
    isRepeatable: false,
    summary: 'Complete single sign-on',
    description:
      'Starts a session for the member whose identity (issuer and subject) the provider confirms. A new person becomes a member through a group in `OIDC_GROUPS` or an invitation’s secret. If the invitation has an email address, the provider must have verified the same address.',
    setsCookie: true,
    body: {
      ...begun,
      invitation: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('The part of the invitation URL after `#`, to accept it.'),
    },
    success: personSession('The session was started; the response sets its cookie.'),
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
  listIdentities: endpoint('GET', '/identities', {
    access: forMembers,
    summary: 'List connected identities',
    description: 'Returns the signed-in person’s identities, most recently used first.',
    success: ok('The identities.', { data: z.array(identity) }, { data: [exampleIdentity] }),
  }),
  beginIdentity: endpoint('POST', '/identities/options', {
    access: forMembers,
    changes: false,
    summary: 'Start connecting an identity',
    description: `Like starting single sign-on, but the response is only valid for this person and for ${minutes} minutes. The session must have been verified within the last 15 minutes, and not with a sign-in link that the person created themselves.`,
    success: ok('Open the URL and keep the token in the browser.', signOn, { data: exampleSignOn }),
    failures: ['OIDC_REFUSED', 'OIDC_UNAVAILABLE', 'REAUTHENTICATION_REQUIRED'],
  }),
  connectIdentity: endpoint('POST', '/identities', {
    access: forMembers,
    priority: 'read',
    isRepeatable: false,
    summary: 'Connect an identity',
    description:
      'Lets the identity sign this person in. In an account, each identity belongs to one member, and each member has one identity per provider. Roles from groups apply at the next sign-in.',
    body: begun,
    success: created('The identity was connected.', { data: identity }, { data: exampleIdentity }),
    exampleRequest: { body: exampleBegun },
    failures: ['OIDC_REFUSED', 'OIDC_UNAVAILABLE'],
  }),
  disconnectIdentities: endpoint('DELETE', '/identities', {
    access: forMembers,
    summary: 'Disconnect an identity',
    description:
      'The provider can no longer sign this person in. Members who get access from a group cannot be disconnected, nor can anyone if single sign-on is required (`OIDC_ONLY=1`). The session must have been verified within the last 15 minutes.',
    success: { status: 204, description: 'The identity was disconnected.' },
    failures: ['OIDC_REFUSED', 'OIDC_ONLY', 'REAUTHENTICATION_REQUIRED'],
  }),
} as const;
