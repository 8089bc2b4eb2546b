/** Creates a generator of uniform numbers from 0 to 1, the same in every run (sfc32 by Chris Doty-Humphrey). */
export function createEven(seed: number): () => number {
  let a = 0;
  let b = seed;
  let c = 0x9e3779b9;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 16; round += 1) next();
  return () => (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53;
}

/**
 * Generates ranks from 1 to `size`, rank k with probability proportional to k^-exponent, by rejection-inversion,
 * whose cost does not grow with the size (Hörmann and Derflinger, "Rejection-inversion to generate variates from
 * monotone discrete distributions", 1996).
 */
export function createZipf(size: number, exponent: number, even: () => number): () => number {
  const slope = 1 - exponent;
  const density = (x: number): number => Math.exp(-exponent * Math.log(x));
  // The integral of the density and its inverse, written so that an exponent of 1 needs no special case.
  const integral = (x: number): number => {
    const log = Math.log(x);
    return log * (Math.abs(slope * log) > 1e-8 ? Math.expm1(slope * log) / (slope * log) : 1);
  };
  const inverse = (y: number): number => {
    const t = Math.max(-1, y * slope);
    return Math.exp(y * (Math.abs(t) > 1e-8 ? Math.log1p(t) / t : 1));
  };
  const from = integral(1.5) - 1;
  const to = integral(size + 0.5);
  const surely = 2 - inverse(integral(2.5) - density(2));
  return () => {
    for (;;) {
      const at = to + even() * (from - to);
      const x = inverse(at);
      const rank = Math.min(size, Math.max(1, Math.round(x)));
      if (rank - x <= surely || at >= integral(rank + 0.5) - density(rank)) return rank;
    }
  };
}

/**
 * Returns the sum of k^-exponent for k from 1 to `size`: the first terms one by one, the rest with the Euler–Maclaurin
 * formula.
 */
export function zeta(size: number, exponent: number): number {
  const summed = Math.min(size, 100_000);
  let sum = 0;
  for (let k = 1; k <= summed; k += 1) sum += k ** -exponent;
  if (size === summed) return sum;
  const area =
    exponent === 1
      ? Math.log(size / summed)
      : (size ** (1 - exponent) - summed ** (1 - exponent)) / (1 - exponent);
  return sum + area + (size ** -exponent - summed ** -exponent) / 2;
}

const exactUpTo = 100_000;
const stepsPerFactorOfE = 200;

/** Returns the average number of different ranks in a number of draws. */
export function distinctOf(size: number, exponent: number, draws: number): number {
  const perWeight = draws / zeta(size, exponent);
  const seen = (rank: number): number => -Math.expm1(-perWeight * rank ** -exponent);
  let sum = 0;
  const summed = Math.min(size, exactUpTo);
  for (let rank = 1; rank <= summed; rank += 1) sum += seen(rank);
  if (size === summed) return sum;
  // The rest as an area over the logarithm of the rank.
  const steps = Math.ceil(stepsPerFactorOfE * Math.log(size / summed));
  const step = Math.log(size / summed) / steps;
  for (let at = 0; at < steps; at += 1) {
    const rank = summed * Math.exp((at + 0.5) * step);
    sum += seen(rank) * rank * step;
  }
  return sum;
}
