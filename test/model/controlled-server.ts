// Runs the real server in a separate process, for tests that compare it with a model or another server. The parent
// process moves its clock. With a seed, its randomness is deterministic.
import { createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createRandom, type Random } from '../support/random/random.ts';

/** Messages to this process: move the clock, or stop gracefully. */
export type ToServer = { readonly advanceMs: number } | 'stop';
/** Messages from this process: its port once it is listening, then the time after each move of the clock. */
export type FromServer = { readonly port: number } | { readonly now: number };

function say(message: FromServer): void {
  process.send?.(message);
}

let now = Number(process.env['LINKFOLD_TEST_NOW']);
const seed = process.env['LINKFOLD_TEST_RANDOM'];
/**
 * One random generator per line of code that calls it, so that random values for background work, such as daily
 * secrets, do not change IDs and codes.
 */
const randoms = new Map<string, Random>();
function randomBytes(size: number): Uint8Array {
  const place = new Error().stack?.split('\n')[2]?.trim() ?? '';
  const random = randoms.get(place) ?? createRandom(Number(seed) + hash(place));
  randoms.set(place, random);
  return Uint8Array.from({ length: size }, () => random.below(256));
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000_007, 7);
}
const app = await createApp(loadConfig(process.env), {
  now: () => now,
  ...(seed !== undefined && { randomBytes }),
});
const { port } = await app.listen();

process.on('message', (message: ToServer) => {
  if (message === 'stop') {
    void app.close().then(() => process.disconnect?.());
    return;
  }
  now += message.advanceMs;
  say({ now });
});
// If the parent process exits, nothing else would stop this process.
process.on('disconnect', () => process.exit(0));
say({ port });
