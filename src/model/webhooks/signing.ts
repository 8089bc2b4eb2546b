import { createHmac } from 'node:crypto';
import type { RandomBytes } from '../ids.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** Generates a signing secret in the Standard Webhooks format. */
export function generateSigningSecret(randomBytes: RandomBytes): string {
  return prefix + Buffer.from(randomBytes(secretBytes)).toString('base64');
}

/**
 * Returns the Standard Webhooks headers for a request: https://github.com/standard-webhooks/standard-webhooks,
 * "Signature scheme".
 * @param id message id, the same for all attempts
 * @param at ms since the epoch
 * @param secrets secrets to sign the request with; the receiver may have only the previous or only the current secret
 */
export function signedHeaders(
  id: string,
  at: number,
  body: string,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
