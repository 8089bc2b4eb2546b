import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js';
/**
 * Matches the bcrypt versions `$2a$`, `$2b$` and `$2y$` up to cost 12, which takes about a quarter of a second. Each
 * increment doubles the time.
 */
const hashes = /^\$2[aby]\$(?:0[4-9]|1[0-2])\$[./A-Za-z\d]{53}$/;

/** Returns true for a bcrypt hash that {@link compareBcrypt} accepts. */
export function isBcryptHash(text: string): boolean {
  return hashes.test(text);
}

/**
 * Compares a password with a bcrypt hash in a separate thread. The bcrypt package is loaded in that thread, so only
 * when needed.
 */
export async function compareBcrypt(password: string, stored: string): Promise<boolean> {
  const script = new URL(`./bcrypt-thread${extension}`, import.meta.url);
  const worker = new Worker(script, {
    // The password is normalized to the composed form (NFC). The stored hash was most likely computed from this form,
    // because most keyboards produce it.
    workerData: { password: password.normalize('NFC'), stored },
    name: 'linkfold-bcrypt',
    execArgv: [],
  });
  const [isRight] = await once(worker, 'message');
  return isRight === true;
}
