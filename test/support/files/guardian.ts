// Ends the processes of a test run and removes its folder when the run's process is gone; both are arguments. After
// `kill -9`, nothing else would.
import { rmSync } from 'node:fs';
import { endUsersOf, lives } from './leftovers.ts';

const [runner = '', folder = ''] = process.argv.slice(2);

const look = setInterval(() => {
  if (lives(Number(runner))) return;
  clearInterval(look);
  endUsersOf(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, 200);
