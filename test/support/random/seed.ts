/** LINKFOLD_SEED repeats a failed run, LINKFOLD_COUNT makes it longer or shorter; every failure prints both. */
export const seed = Number(process.env['LINKFOLD_SEED'] ?? Math.floor(Math.random() * 0x7fffffff));

/** Parameters of a property: fast-check prints the seed itself when it finds a counterexample. */
export function runs(count: number): { seed: number; numRuns: number } {
  return {
    seed,
    numRuns: Number(process.env['LINKFOLD_COUNT'] ?? count),
  };
}

/** Random numbers that the seed decides (mulberry32), for tests that are not properties. */
export function randomNumbers(from = seed): () => number {
  let state = from | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same as bytes, in the shape that the core is given. */
export function randomBytesFrom(numbers = randomNumbers()): (size: number) => Uint8Array {
  return (size) => Uint8Array.from({ length: size }, () => Math.floor(numbers() * 256));
}
