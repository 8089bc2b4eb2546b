import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js';
/** `$2a$`, `$2b$` and `$2y$` up to this cost, which takes about a quarter of a second; each step more doubles that. */
const hashes = /^\$2[aby]\$(?:0[4-9]|1[0-2])\$[./A-Za-z\d]{53}$/;

/** Returns true for a bcrypt hash that {@link compareBcrypt} accepts. */
export function isBcryptHash(text: string): boolean {
  return hashes.test(text);
}

/** Compares a password with a bcrypt hash in a thread of its own, which also keeps the package out of every start. */
export async function compareBcrypt(password: string, stored: string): Promise<boolean> {
  const script = new URL(`./bcrypt-thread${extension}`, import.meta.url);
  const worker = new Worker(script, {
    // Where the password was set it had the composed form that most keyboards give.
    workerData: { password: password.normalize('NFC'), stored },
    name: 'linkfold-bcrypt',
    execArgv: [],
  });
  const [isRight] = await once(worker, 'message');
  return isRight === true;
}
