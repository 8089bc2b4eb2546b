import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Ceremonies } from '../../model/accounts/passkeys.ts';

// The WebAuthn package is loaded on demand. It takes half as long to load as the rest of the program, and few
// installations need it at startup.
const load = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256. Every authenticator supports at least one of them. */
const algorithms = [-8, -7, -257];
const timeoutMs = 5 * 60_000;

/** WebAuthn ceremonies with user verification and discoverable credentials (no user name). */
export const ceremonies: Ceremonies = {
  async creation({ host }, { challenge, memberId, name, known }) {
    const { generateRegistrationOptions } = await load();
    const options = await generateRegistrationOptions({
      rpName: 'Linkfold',
      rpID: host,
      userName: name,
      userDisplayName: name,
      userID: new TextEncoder().encode(memberId),
      challenge: bytesOf(challenge),
      timeout: timeoutMs,
      attestationType: 'none',
      excludeCredentials: known.map((id) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
    });
    return { ...options };
  },

  async request({ host }, challenge) {
    const { generateAuthenticationOptions } = await load();
    const options = await generateAuthenticationOptions({
      rpID: host,
      challenge: bytesOf(challenge),
      timeout: timeoutMs,
      userVerification: 'required',
    });
    return { ...options };
  },

  async verifyCreation({ host, origin }, challenge, answer) {
    const { verifyRegistrationResponse } = await load();
    try {
      const { verified, registrationInfo: made } = await verifyRegistrationResponse({
        response: answer as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      });
      if (!verified || made === undefined) return undefined;
      const { id, publicKey, counter } = made.credential;
      return { credential: id, publicKey, counter, isSynced: made.credentialBackedUp };
    } catch {
      return undefined; // the response is malformed or forged
    }
  },

  async verifyUse({ host, origin }, challenge, answer, known) {
    const { verifyAuthenticationResponse } = await load();
    const response = answer as unknown as AuthenticationResponseJSON;
    try {
      const handle = response.response.userHandle;
      if (handle !== undefined && textOf(handle) !== known.memberId) return undefined;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
        credential: {
          id: known.credential,
          publicKey: new Uint8Array(known.publicKey),
          counter: known.counter,
        },
      });
      return verified ? authenticationInfo.newCounter : undefined;
    } catch {
      return undefined;
    }
  },
};

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(base64url, { alphabet: 'base64url' });
}

function textOf(base64url: string): string {
  return new TextDecoder().decode(bytesOf(base64url));
}
