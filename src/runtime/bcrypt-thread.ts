// Compares a password with a bcrypt hash. A cost of 12 takes a quarter of a second, during which visitors must not
// wait.
import { parentPort, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

const { password, stored } = workerData as { readonly password: string; readonly stored: string };
parentPort?.postMessage(compareSync(password, stored));
