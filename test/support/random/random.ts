import type { TestContext } from 'node:test';

/**
 * `LINKFOLD_SEED`, or the second argument: the same seed repeats the same choices, but not the timing of the machine.
 */
export const seed: number =
  numberFrom(process.env['LINKFOLD_SEED'], process.argv[3]) ?? Math.floor(Math.random() * 2 ** 31);

/** Returns count and seed of a test: `LINKFOLD_COUNT` or the first argument, otherwise the usual count. */
export function effort(usual: number): { readonly count: number; readonly seed: number } {
  return { count: numberFrom(process.env['LINKFOLD_COUNT'], process.argv[2]) ?? usual, seed };
}

function numberFrom(...texts: readonly (string | undefined)[]): number | undefined {
  const text = texts.find((one) => one !== undefined && /^\d+$/.test(one));
  return text === undefined ? undefined : Number(text);
}

/** Parameters of a property: fast-check prints the seed of a counterexample. */
export function runs(usual: number): { seed: number; numRuns: number } {
  return { seed, numRuns: effort(usual).count };
}

/** Prints seed and count, and adds them to errors: reporters may drop diagnostics. */
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
  /** At least 0, less than 1. */
  next(): number;
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  /** An element of a non-empty list. */
  pick<T>(list: readonly T[]): T;
}

/** Creates a small random number generator (mulberry32): the same seed gives the same numbers. */
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

/** Returns random bytes in the form that the model's `Context` expects. */
export function randomBytesFrom({ below } = createRandom(seed)): (size: number) => Uint8Array {
  return (size) => Uint8Array.from({ length: size }, () => below(256));
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
