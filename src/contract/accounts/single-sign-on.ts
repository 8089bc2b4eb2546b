import { z } from 'zod';
import { signOnLifetimeMs } from '../../model/accounts/single-sign-on.ts';
import { endpoint } from '../endpoint.ts';
import { personSession } from './sessions.ts';

const minutes = signOnLifetimeMs / 60_000;
const token = 'lfo_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd';
const exampleSignOn = {
  url: 'https://id.example.com/authorize?client_id=linkfold&scope=openid+profile+email&response_type=code&state=4nT8Zq',
  token,
};

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
        }),
      }),
      example: { success: true, data: { singleSignOn: { name: 'Example ID' }, isOnly: false } },
    },
    failures: [],
  }),
  beginSingleSignOn: endpoint({
    method: 'POST',
    path: '/session/oidc-options',
    access: { key: 'none' },
    priority: 'read',
    summary: 'Begin to sign in at the provider',
    description: `Where the browser goes, to come back within ${minutes} minutes at \`/dashboard/oidc\`. One address may ask 60 times a minute.`,
    success: {
      status: 200,
      description: 'The browser goes to the address, and keeps the token.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          url: z.string().meta({ description: 'Where the person signs in.', format: 'uri' }),
          token: z.string().describe('What the answer is good with, once. It stays in this browser.'),
        }),
      }),
      example: { success: true, data: exampleSignOn },
    },
    failures: ['OIDC_REFUSED', 'OIDC_UNAVAILABLE'],
  }),
  signInBySingleSignOn: endpoint({
    method: 'POST',
    path: '/session/oidc',
    access: { key: 'none' },
    priority: 'read',
    summary: 'Sign in by the answer of the provider',
    description:
      'Gives a browser the session of the person whom the provider proves. Issuer and subject say who that is. A group that `OIDC_GROUPS` names, or the secret of an invitation, makes somebody new a member; an invitation with an email address is for whoever has verified that at the provider.',
    setsCookie: true,
    body: {
      token: z.string().min(1).max(100).describe('From when the browser began.'),
      answer: z.string().min(1).max(8_192).describe('The query with which the browser came back.'),
      invitation: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('What follows `#` in the address of an invitation that the person accepts.'),
    },
    success: personSession('The session has begun; the answer sets its cookie.'),
    exampleRequest: { body: { token, answer: '?code=9aF3…&state=4nT8Zq&iss=https%3A%2F%2Fid.example.com' } },
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
} as const;
