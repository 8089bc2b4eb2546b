// Ends what a test run leaves behind, and removes its folder, when the process of the run is gone: its arguments are
// both. Nothing else would, after a `kill -9`.
import { rmSync } from 'node:fs';
import { endUsersOf, lives } from './leftovers.ts';

const [runner = '', folder = ''] = process.argv.slice(2);

const look = setInterval(() => {
  if (lives(Number(runner))) return;
  clearInterval(look);
  endUsersOf(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, 200);
