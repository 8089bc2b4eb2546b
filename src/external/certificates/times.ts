import { createHash, X509Certificate } from 'node:crypto';
import type { RenewalWindow } from '../acme/client.ts';

/** Validity of a certificate, ms since the epoch. */
export interface Life {
  readonly from: number;
  readonly to: number;
}

/** @param chain in PEM */
export function lifeOf(chain: string): Life {
  const { validFromDate, validToDate } = new X509Certificate(chain);
  return { from: validFromDate.getTime(), to: validToDate.getTime() };
}

/** Returns the renewal time if the authority suggests none: at two thirds of the lifetime. */
export function twoThirds({ from, to }: Life): number {
  return from + Math.floor(((to - from) * 2) / 3);
}

/**
 * Returns a time in the authority's renewal window: always the same for a certificate, but spread over certificates.
 */
export function momentIn({ start, end }: Pick<RenewalWindow, 'start' | 'end'>, chain: string): number {
  const share = createHash('sha256').update(chain).digest().readUInt32BE() / 2 ** 32;
  return start + Math.floor((end - start) * share);
}

const minute = 60_000;
/**
 * Pauses after 1, 2, … consecutive failures. They keep within Let's Encrypt's limit of five failed validations per host
 * and hour.
 */
const pauses = [minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute, 120 * minute, 240 * minute];
const maxPauseMs = 360 * minute;

/** Returns the pause after consecutive failures, ms. */
export function pauseAfter(failures: number): number {
  return pauses[failures - 1] ?? maxPauseMs;
}
