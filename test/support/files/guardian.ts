// Ends all processes in a test run and removes its folder once the run's own process is gone, even after `kill -9`. The
// arguments are the ID of the run's process and the folder.
import { rmSync } from 'node:fs';
import { endUsersOf, lives } from './leftovers.ts';

const [runner = '', folder = ''] = process.argv.slice(2);

const look = setInterval(() => {
  if (lives(Number(runner))) return;
  clearInterval(look);
  endUsersOf(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, 200);
