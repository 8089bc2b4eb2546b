// Ends a PostgreSQL server and removes its files when the process that it belongs to is gone: arguments are that
// process, the server's folder, and another one that goes with it. Nothing else would, after a `kill -9`.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [owner = '', folder = '', alsoRemove = ''] = process.argv.slice(2);

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** The server's process; undefined when it does not run. */
const server = (): number | undefined => {
  try {
    const [pid = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    return Number(pid) || undefined;
  } catch {
    return undefined;
  }
};

const look = setInterval(() => {
  if (!existsSync(folder)) process.exit();
  if (lives(Number(owner))) return;
  clearInterval(look);
  const pid = server();
  // What `immediate` is: no word to anybody, nothing written down.
  if (pid !== undefined && lives(pid)) process.kill(pid, 'SIGQUIT');
  const wait = setInterval(() => {
    if (pid !== undefined && lives(pid)) return;
    clearInterval(wait);
    for (const path of [folder, alsoRemove]) if (path !== '') rmSync(path, { recursive: true, force: true });
  }, 50);
}, 200);
