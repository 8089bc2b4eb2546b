import { createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';

// Signs requests to a certificate authority as JSON Web Signatures (RFC 7515, RFC 8555 section 6.2).

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Returns the public part of a P-256 key as a JWK, with members in the order that RFC 7638 requires. */
export function publicJwk(key: KeyObject) {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' });
  return { crv, kty, x, y };
}

/** Returns the key authorization for a challenge (RFC 8555, section 8.1). */
export function keyAuthorization(token: string, account: KeyObject): string {
  const thumbprint = createHash('sha256').update(JSON.stringify(publicJwk(account)));
  return `${token}.${thumbprint.digest('base64url')}`;
}

/** Returns a signed request body. @param payload undefined for a request that only reads (POST-as-GET) */
export function signedBy(key: KeyObject, header: object, payload: unknown): string {
  const head = encoded({ alg: 'ES256', ...header });
  const body = payload === undefined ? '' : encoded(payload);
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
  return JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') });
}

/** The operator's existing account at the authority, to which the ACME account is bound. */
export interface ExternalAccount {
  readonly id: string;
  /** MAC key in base64url, as provided by the authority. */
  readonly key: string;
}

/**
 * Returns the external account binding (RFC 8555, section 7.3.4).
 * @param url URL of the request that contains the binding
 */
export function externalBinding({ id, key }: ExternalAccount, account: KeyObject, url: string): object {
  const head = encoded({ alg: 'HS256', kid: id, url });
  const body = encoded(publicJwk(account));
  const signature = createHmac('sha256', Buffer.from(key, 'base64url')).update(`${head}.${body}`);
  return { protected: head, payload: body, signature: signature.digest('base64url') };
}
