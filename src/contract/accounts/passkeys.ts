import * as z from 'zod';
import { maxPasskeys, passkeyFields } from '../../model/accounts/passkeys.ts';
import { limitReached } from '../../model/failures.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { nameText } from '../fields.ts';
import { exampleOf, responseShape } from '../record-shapes.ts';
import { personSession } from './sessions.ts';

const passkey = z
  .object(responseShape(passkeyFields))
  .meta({ id: 'Passkey', description: 'A passkey of the signed-in person.' });
const ofWebAuthn = (about: string) => z.record(z.string(), z.unknown()).describe(about);
const options = {
  data: ofWebAuthn('WebAuthn options, in JSON.'),
};
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
  listPasskeys: endpoint('GET', '/passkeys', {
    access: forMembers,
    summary: 'List passkeys',
    description: `Returns the person’s passkeys, oldest first. ${membersOnly}`,
    success: ok('The passkeys.', { data: z.array(passkey) }, { data: [example] }),
  }),
  beginPasskey: endpoint('POST', '/passkeys/options', {
    access: forMembers,
    changes: false,
    summary: 'Start adding a passkey',
    description: `Returns WebAuthn options for creating a passkey. They can be used once and expire after 5 minutes. The session must have been verified within the last 15 minutes, and not with a sign-in link that the person created themselves. ${host} ${membersOnly}`,
    success: ok('Options for `navigator.credentials.create`.', options, { data: exampleOptions }),
    failures: ['PASSKEY_REFUSED', 'OIDC_ONLY', 'REAUTHENTICATION_REQUIRED'],
  }),
  addPasskey: endpoint('POST', '/passkeys', {
    access: forMembers,
    priority: 'read',
    isRepeatable: false,
    summary: 'Add a passkey',
    description: `Saves the passkey that the browser created. A person can have at most ${maxPasskeys}. ${membersOnly}`,
    body: { name: nameText(1, 100).describe('Name of the passkey, such as the device.'), response },
    success: created('The passkey was added.', { data: passkey }, { data: example }),
    exampleRequest: { body: { name: 'Ada’s phone', response: exampleAnswer } },
    failures: ['PASSKEY_REFUSED', limitReached('passkeys', maxPasskeys)],
  }),
  renamePasskey: endpoint('PATCH', '/passkeys/:id', {
    params: inPath,
    access: forMembers,
    summary: 'Rename a passkey',
    description: membersOnly,
    body: { name: nameText(1, 100).describe('New name of the passkey.') },
    success: ok('The renamed passkey.', { data: passkey }, { data: example }),
    exampleRequest: { body: { name: 'Ada’s phone' } },
    failures: ['PASSKEY_NOT_FOUND'],
  }),
  removePasskey: endpoint('DELETE', '/passkeys/:id', {
    params: inPath,
    access: forMembers,
    summary: 'Remove a passkey',
    description: `The passkey can no longer sign in. Existing sessions continue. The current session must have been verified within the last 15 minutes. ${membersOnly}`,
    success: { status: 204, description: 'The passkey was removed.' },
    failures: ['PASSKEY_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
  askForPasskey: endpoint('POST', '/session/passkey-options', {
    access: { key: 'none' },
    changes: false,
    summary: 'Start signing in with a passkey',
    description: `Returns WebAuthn options for signing in. They can be used once, expire after 5 minutes, and do not identify a person. Limit: 60 requests per minute per IP address. ${host}`,
    success: ok('Options for `navigator.credentials.get`.', options, { data: exampleOptions }),
    failures: ['PASSKEY_REFUSED', 'OIDC_ONLY'],
  }),
  signInByPasskey: endpoint('POST', '/session/passkey', {
    access: { key: 'none' },
    isRepeatable: false,
    summary: 'Sign in with a passkey',
    description: 'Starts a session for the passkey’s owner. All failures return the same error.',
    setsCookie: true,
    body: { response },
    success: personSession('The session was started; the response sets its cookie.'),
    exampleRequest: { body: { response: exampleAnswer } },
    failures: ['PASSKEY_REFUSED', 'OIDC_ONLY', 'CROSS_SITE_REQUEST', 'INSECURE_CONNECTION'],
  }),
} as const;
