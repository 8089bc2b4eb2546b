import * as z from 'zod';
import { maxPasskeys } from '../../model/accounts/passkeys.ts';
import { limitReached } from '../../model/failures.ts';
import { endpoint } from '../endpoint.ts';
import { nameText, timestamp, uuid } from '../fields.ts';
import { personSession } from './sessions.ts';

const passkey = z
  .object({
    id: uuid('Identifier of the passkey.'),
    name: z.string(),
    isSynced: z.boolean().describe('Whether it is on several devices of the person.'),
    createdAt: timestamp('When it was added.'),
    lastUsedAt: timestamp('When it signed in last; null for never.').nullable(),
  })
  .meta({ id: 'Passkey', description: 'What a person signs in with.' });
const ofWebAuthn = (about: string) => z.record(z.string(), z.unknown()).describe(about);
const options = z.object({
  success: z.literal(true),
  data: ofWebAuthn('What the browser is asked, as WebAuthn writes it in JSON.'),
});
const response = ofWebAuthn('What the browser answers: its `PublicKeyCredential`, by `toJSON()`.');

const id = '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e62';
const inPath = { id: uuid('Identifier of the passkey.').meta({ example: id }) };
const example = {
  id,
  name: 'Ada’s phone',
  isSynced: true,
  createdAt: '2027-03-01T08:00:00.000Z',
  lastUsedAt: null,
} as const;
const exampleAnswer = {
  id: 'kq3…',
  rawId: 'kq3…',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0…' },
};
const exampleOptions = {
  challenge: 'm2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd',
  rpId: 'links.example.com',
  userVerification: 'required',
};
const forPeople = { key: 'any', person: true, bound: true } as const;
const onlyPeople = 'For people who are signed in, and for nobody else’s passkeys.';
const host =
  'Passkeys are bound to the host of the dashboard: `DASHBOARD_HOST`, or that of `BASE_URL`; on a machine by itself `localhost`. An address by numbers has none.';

export const passkeyEndpoints = {
  listPasskeys: endpoint({
    method: 'GET',
    path: '/passkeys',
    access: forPeople,
    priority: 'read',
    summary: 'List passkeys',
    description: `Those of the person, the oldest first. ${onlyPeople}`,
    success: {
      status: 200,
      description: 'The passkeys.',
      body: z.object({ success: z.literal(true), data: z.array(passkey) }),
      example: { success: true, data: [example] },
    },
    failures: [],
  }),
  beginPasskey: endpoint({
    method: 'POST',
    path: '/passkeys/options',
    access: forPeople,
    priority: 'read',
    changes: false,
    summary: 'Begin a new passkey',
    description: `What the browser is asked to make one, to be answered once, within 5 minutes. The session must have begun within 15 minutes, and not by a link that the person created for themselves. ${host} ${onlyPeople}`,
    success: {
      status: 200,
      description: 'For `navigator.credentials.create`.',
      body: options,
      example: { success: true, data: exampleOptions },
    },
    failures: ['PASSKEY_REFUSED', 'OIDC_ONLY', 'REAUTHENTICATION_REQUIRED'],
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/passkeys',
    access: forPeople,
    priority: 'read',
    isRepeatable: false,
    summary: 'Add a passkey',
    description: `Keeps what the browser has made. A person has at most ${maxPasskeys}. ${onlyPeople}`,
    body: { name: nameText(1, 100).describe('What it is called, such as the device.'), response },
    success: {
      status: 201,
      description: 'It signs in from now on.',
      body: z.object({ success: z.literal(true), data: passkey }),
      example: { success: true, data: example },
    },
    exampleRequest: { body: { name: 'Ada’s phone', response: exampleAnswer } },
    failures: ['PASSKEY_REFUSED', limitReached('passkeys', maxPasskeys)],
  }),
  renamePasskey: endpoint({
    method: 'PATCH',
    path: '/passkeys/:id',
    params: inPath,
    access: forPeople,
    priority: 'write',
    summary: 'Rename a passkey',
    description: onlyPeople,
    body: { name: nameText(1, 100).describe('What it is called from now on.') },
    success: {
      status: 200,
      description: 'The passkey as it is now.',
      body: z.object({ success: z.literal(true), data: passkey }),
      example: { success: true, data: example },
    },
    exampleRequest: { body: { name: 'Ada’s phone' } },
    failures: ['PASSKEY_NOT_FOUND'],
  }),
  removePasskey: endpoint({
    method: 'DELETE',
    path: '/passkeys/:id',
    params: inPath,
    access: forPeople,
    priority: 'write',
    summary: 'Remove a passkey',
    description: `It signs in no more. Sessions go on. The one in hand must have begun within 15 minutes. ${onlyPeople}`,
    success: { status: 204, description: 'It is removed.' },
    failures: ['PASSKEY_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
  askForPasskey: endpoint({
    method: 'POST',
    path: '/session/passkey-options',
    access: { key: 'none' },
    priority: 'read',
    changes: false,
    summary: 'Begin to sign in by a passkey',
    description: `What the browser is asked, to be answered once, within 5 minutes. It is the same for everybody. One address may ask 60 times a minute. ${host}`,
    success: {
      status: 200,
      description: 'For `navigator.credentials.get`.',
      body: options,
      example: { success: true, data: exampleOptions },
    },
    failures: ['PASSKEY_REFUSED', 'OIDC_ONLY'],
  }),
  signInByPasskey: endpoint({
    method: 'POST',
    path: '/session/passkey',
    access: { key: 'none' },
    priority: 'read',
    isRepeatable: false,
    summary: 'Sign in by a passkey',
    description:
      'Gives a browser the session of the person whose passkey answers. Whatever is wrong, the refusal is the same.',
    setsCookie: true,
    body: { response },
    success: personSession('The session has begun; the answer sets its cookie.'),
    exampleRequest: { body: { response: exampleAnswer } },
    failures: ['PASSKEY_REFUSED', 'OIDC_ONLY', 'CROSS_SITE_REQUEST', 'INSECURE_CONNECTION'],
  }),
} as const;
