import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A software authenticator's passkey: ES256, user verified, no attestation, counter always 0 (WebAuthn, section 6). */
export interface SoftwarePasskey {
  /** Returns the result of `navigator.credentials.create`, in the form of `PublicKeyCredential.toJSON`. */
  create(challenge: string): Record<string, unknown>;
  /** Returns the result of `navigator.credentials.get`, in the same form. */
  get(challenge: string): Record<string, unknown>;
}

const userPresent = 0x01;
const userVerified = 0x04;
const attestedCredential = 0x40;

/** @param origin the page's origin, whose host is the relying party */
export function createSoftwarePasskey(origin: string): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16);
  const id = base64url(credentialId);
  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  const authenticatorData = (flags: number, attested = new Uint8Array()) =>
    Buffer.concat([
      hash('sha256', new URL(origin).hostname, 'buffer'),
      Buffer.from([flags | userPresent | userVerified, 0, 0, 0, 0]),
      attested,
    ]);
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
  return {
    create(challenge) {
      const idLength = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), idLength, credentialId, coseKey(publicKey)]);
      const response = {
        clientDataJSON: base64url(clientData('create', challenge)),
        attestationObject: base64url(attestation(authenticatorData(attestedCredential, attested))),
        transports: ['internal'],
      };
      return { ...shared, response };
    },
    get(challenge) {
      const [data, client] = [authenticatorData(0), clientData('get', challenge)];
      const signed = Buffer.concat([data, hash('sha256', client, 'buffer')]);
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', signed, privateKey)),
      };
      return { ...shared, response };
    },
  };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** Returns the CBOR encoding of an EC2 key for ES256 (RFC 9053, sections 2.1 and 7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')]);
  const header = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([header, coordinate(0x21, x), coordinate(0x22, y)]);
}

/** Returns the CBOR encoding of `{fmt: 'none', attStmt: {}, authData}`. */
function attestation(authenticatorData: Buffer): Buffer {
  const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, authenticatorData.length]),
    authenticatorData,
  ]);
}
