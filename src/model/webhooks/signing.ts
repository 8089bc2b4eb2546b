import { createHmac } from 'node:crypto';
import type { RandomBytes } from '../ids.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** A secret that a receiver checks signatures with, as the Standard Webhooks specification writes it. */
export function drawSecret(randomBytes: RandomBytes): string {
  return prefix + Buffer.from(randomBytes(secretBytes)).toString('base64');
}

/**
 * The headers of a request of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks, "Signature scheme".
 * @param id the same over retries
 * @param at ms since the epoch
 * @param secrets all of which sign: a receiver may know the old one or the new one
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
