import * as z from 'zod';
import { maxPasskeys, passkeyFields } from '../../model/accounts/passkeys.ts';
import { limitReached } from '../../model/failures.ts';
import { endpoint } from '../endpoint.ts';
import { nameText } from '../fields.ts';
import { exampleOf, responseShape } from '../record-shapes.ts';
import { personSession } from './sessions.ts';

const passkey = z
  .object(responseShape(passkeyFields))
  .meta({ id: 'Passkey', description: 'A passkey of the signed-in person.' });
const ofWebAuthn = (about: string) => z.record(z.string(), z.unknown()).describe(about);
const options = z.object({
  success: z.literal(true),
  data: ofWebAuthn('WebAuthn options, in JSON.'),
});
const response = ofWebAuthn('The browser’s `PublicKeyCredential`, from `toJSON()`.');

const example = exampleOf(passkeyFields);
const inPath = { id: responseShape(passkeyFields).id.meta({ example: example.id }) };
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
const forMembers = { key: 'any', person: true, bound: true } as const;
const membersOnly = 'Requires a signed-in person; only their own passkeys are accessible.';
const host =
  'Passkeys are bound to the dashboard’s host: `DASHBOARD_HOST`, or the host of `BASE_URL`, or `localhost`. They do not work with IP addresses.';

export const passkeyEndpoints = {
  listPasskeys: endpoint({
    method: 'GET',
    path: '/passkeys',
    access: forMembers,
    priority: 'read',
    summary: 'List passkeys',
    description: `Returns the person’s passkeys, oldest first. ${membersOnly}`,
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
    access: forMembers,
    priority: 'read',
    changes: false,
    summary: 'Start adding a passkey',
    description: `Returns WebAuthn options for creating a passkey. They can be used once, within 5 minutes. The session must have been verified within the last 15 minutes, and not with a sign-in link that the person created themselves. ${host} ${membersOnly}`,
    success: {
      status: 200,
      description: 'Options for `navigator.credentials.create`.',
      body: options,
      example: { success: true, data: exampleOptions },
    },
    failures: ['PASSKEY_REFUSED', 'OIDC_ONLY', 'REAUTHENTICATION_REQUIRED'],
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/passkeys',
    access: forMembers,
    priority: 'read',
    isRepeatable: false,
    summary: 'Add a passkey',
    description: `Saves the passkey that the browser created. A person can have at most ${maxPasskeys}. ${membersOnly}`,
    body: { name: nameText(1, 100).describe('Name of the passkey, such as the device.'), response },
    success: {
      status: 201,
      description: 'The passkey was added.',
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
    access: forMembers,
    priority: 'write',
    summary: 'Rename a passkey',
    description: membersOnly,
    body: { name: nameText(1, 100).describe('New name of the passkey.') },
    success: {
      status: 200,
      description: 'The renamed passkey.',
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
    access: forMembers,
    priority: 'write',
    summary: 'Remove a passkey',
    description: `The passkey can no longer sign in. Existing sessions continue. The current session must have been verified within the last 15 minutes. ${membersOnly}`,
    success: { status: 204, description: 'The passkey was removed.' },
    failures: ['PASSKEY_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
  askForPasskey: endpoint({
    method: 'POST',
    path: '/session/passkey-options',
    access: { key: 'none' },
    priority: 'read',
    changes: false,
    summary: 'Start signing in with a passkey',
    description: `Returns WebAuthn options for signing in. They can be used once, within 5 minutes, and do not identify a person. Limit: 60 requests per minute and IP address. ${host}`,
    success: {
      status: 200,
      description: 'Options for `navigator.credentials.get`.',
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
    summary: 'Sign in with a passkey',
    description: 'Starts a session for the owner of the passkey. All failures return the same error.',
    setsCookie: true,
    body: { response },
    success: personSession('The session was started; the response sets its cookie.'),
    exampleRequest: { body: { response: exampleAnswer } },
    failures: ['PASSKEY_REFUSED', 'OIDC_ONLY', 'CROSS_SITE_REQUEST', 'INSECURE_CONNECTION'],
  }),
} as const;
