// Compares one password with one bcrypt hash: with a cost of 12 that takes a quarter of a second, in which no visitor may wait.
import { parentPort, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

const { password, stored } = workerData as { readonly password: string; readonly stored: string };
parentPort?.postMessage(compareSync(password, stored));
