import type { TestContext } from 'node:test';

/**
 * Seed from `LINKFOLD_SEED` or the second argument. Equal seeds produce equal choices, but timing depends on the
 * machine.
 */
export const seed: number =
  numberFrom(process.env['LINKFOLD_SEED'], process.argv[3]) ?? Math.floor(Math.random() * 2 ** 31);

/**
 * Returns a test's count and seed. The count is `LINKFOLD_COUNT`, or else the first argument on the command line, or
 * else the usual count.
 */
export function effort(usual: number): { readonly count: number; readonly seed: number } {
  return { count: numberFrom(process.env['LINKFOLD_COUNT'], process.argv[2]) ?? usual, seed };
}

function numberFrom(...texts: readonly (string | undefined)[]): number | undefined {
  const text = texts.find((one) => one !== undefined && /^\d+$/.test(one));
  return text === undefined ? undefined : Number(text);
}

/** Returns the parameters for a fast-check property. fast-check prints a counterexample's seed. */
export function runs(usual: number): { seed: number; numRuns: number } {
  return { seed, numRuns: effort(usual).count };
}

/** Runs a test. Prints its seed and count, and adds them to errors, because reporters may drop diagnostics. */
export async function withSeed(
  t: TestContext,
  { seed, count }: { readonly seed: number; readonly count: number },
  work: () => Promise<void>,
): Promise<void> {
  const again = `LINKFOLD_SEED=${seed} LINKFOLD_COUNT=${count}`;
  t.diagnostic(again);
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) error.message = `${again}\n${error.message}`;
    throw error;
  }
}

export interface Random {
  /** Returns a number that is at least 0 and less than 1. */
  next(): number;
  /** Returns an integer that is at least 0 and less than `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  /** Returns a random element of a nonempty list. */
  pick<T>(list: readonly T[]): T;
}

/** Creates a small random number generator (mulberry32). Equal seeds produce equal sequences of numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
  };
}

/** Returns a function that returns random bytes, as the model's `Context` expects. */
export function randomBytesFrom({ below } = createRandom(seed)): (size: number) => Uint8Array {
  return (size) => Uint8Array.from({ length: size }, () => below(256));
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
