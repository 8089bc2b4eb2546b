import { createHash, X509Certificate } from 'node:crypto';
import type { RenewalWindow } from '../acme/client.ts';

/** Validity period of a certificate, in ms since the epoch. */
export interface Life {
  readonly from: number;
  readonly to: number;
}

/** Returns the validity period of a certificate. @param chain certificate chain in PEM */
export function lifeOf(chain: string): Life {
  const { validFromDate, validToDate } = new X509Certificate(chain);
  return { from: validFromDate.getTime(), to: validToDate.getTime() };
}

/**
 * Returns the renewal time for a certificate for which the authority suggests none: after two thirds of its lifetime.
 */
export function twoThirds({ from, to }: Life): number {
  return from + Math.floor(((to - from) * 2) / 3);
}

/**
 * Returns a time in the authority's renewal window. The time is always the same for one certificate, but differs
 * between certificates.
 */
export function momentIn({ start, end }: Pick<RenewalWindow, 'start' | 'end'>, chain: string): number {
  const share = createHash('sha256').update(chain).digest().readUInt32BE() / 2 ** 32;
  return start + Math.floor((end - start) * share);
}

const minute = 60_000;
/**
 * Milliseconds to wait after 1, 2, … consecutive failures. The pauses respect Let's Encrypt's limit of five failed
 * validations per host per hour.
 */
const pauses = [minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute, 120 * minute, 240 * minute];
const maxPauseMs = 360 * minute;

/** Returns the milliseconds to wait after a number of consecutive failures. */
export function pauseAfter(failures: number): number {
  return pauses[failures - 1] ?? maxPauseMs;
}
