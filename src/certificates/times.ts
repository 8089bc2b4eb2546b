import { createHash, X509Certificate } from 'node:crypto';
import type { RenewalWindow } from '../acme/client.ts';

/** The life of a certificate, ms since the epoch. */
export interface Life {
  readonly from: number;
  readonly to: number;
}

/** @param chain in PEM */
export function lifeOf(chain: string): Life {
  const { validFromDate, validToDate } = new X509Certificate(chain);
  return { from: validFromDate.getTime(), to: validToDate.getTime() };
}

/** When to renew where the authority does not say: at two thirds of the lifetime. */
export function twoThirds({ from, to }: Life): number {
  return from + Math.floor(((to - from) * 2) / 3);
}

/** A moment in the authority's window: the same at every look, another one for every certificate. */
export function momentIn({ start, end }: Pick<RenewalWindow, 'start' | 'end'>, chain: string): number {
  const share = createHash('sha256').update(chain).digest().readUInt32BE() / 2 ** 32;
  return start + Math.floor((end - start) * share);
}

const minute = 60_000;
/** No more than five failed proofs of a host in an hour, which is what Let's Encrypt allows. */
const pauses = [minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute, 120 * minute, 240 * minute];
const longestPause = 360 * minute;

/** How long a host is left alone after so many failures in a row, ms. */
export function pauseAfter(failures: number): number {
  return pauses[failures - 1] ?? longestPause;
}
