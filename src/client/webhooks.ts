import type { WebhookEvent } from './endpoints.ts';
import { LinkfoldError } from './errors.ts';

/** Request headers from `fetch` or Node, or any record. Names are case-insensitive. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Maximum difference in seconds between `webhook-timestamp` and the current time. */
const toleranceSeconds = 300;

export const webhooks = {
  /**
   * Verifies a webhook request (Standard Webhooks) and returns its event. Works in Node, Deno, Bun, Workers and
   * browsers.
   * @param body raw body as received, not parsed as JSON
   * @param secret the webhook's signing secret, which starts with `whsec_`
   * @throws LinkfoldError `INVALID_SIGNATURE` if the signature does not match or the timestamp differs from the
   * current time by more than 5 minutes
   * @throws TypeError if the body or the secret is invalid
   */
  async verify(body: string | Uint8Array, headers: RequestHeaders, secret: string): Promise<WebhookEvent> {
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError('body must be the raw request body: a string or bytes, not parsed JSON.');
    const key = await hmacKey(secret);
    const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
      headerOf(headers, `webhook-${name}`),
    );
    if (!id || !timestamp || !signatures) throw invalid('A Standard Webhooks header is missing.');
    if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
      throw invalid('The timestamp differs from this machine’s time by more than 5 minutes.');
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
    const expected = `v1,${btoa(String.fromCharCode(...digest))}`;
    // While an old secret is still valid, each request has several signatures. All of them are compared, so that the
    // duration does not reveal which one matches.
    const matches = signatures.split(' ').filter((signature) => isEqual(signature, expected));
    if (matches.length === 0) throw invalid('The signature does not match this secret.');
    return JSON.parse(text) as WebhookEvent;
  },
};

function invalid(message: string): LinkfoldError {
  return new LinkfoldError(message, { code: 'INVALID_SIGNATURE' });
}

function headerOf(headers: RequestHeaders, name: string): string | null | undefined {
  if (headers instanceof Headers) return headers.get(name);
  const value = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

async function hmacKey(secret: string): Promise<CryptoKey> {
  const encoded = typeof secret === 'string' ? secret.trim().replace(/^whsec_/, '') : '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded))
    throw new TypeError('secret must be the signing secret of a webhook: whsec_…');
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Compares two strings in a time that depends only on their lengths. */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < expected.length; at += 1)
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
