import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const goneWithinMs = 5_000;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns true if a process is running. A zombie counts as ended. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return read(`/proc/${pid}/stat`).split(') ').at(-1)?.[0] !== 'Z';
}

/** Returns the process IDs of the PostgreSQL servers in a process's or test run's folder. */
function databasesIn(folder: string): readonly number[] {
  return globSync(join(folder, '{,*/}postgres-*/data/postmaster.pid')).map((file) =>
    Number.parseInt(read(file), 10),
  );
}

/** Returns the IDs of the processes whose command or environment mentions a folder. Linux only. */
function usersOf(folder: string): readonly number[] {
  return (existsSync('/proc/self/environ') ? readdirSync('/proc') : [])
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) =>
      ['cmdline', 'environ'].some((file) => read(`/proc/${pid}/${file}`).includes(`${folder}/`)),
    );
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ignored: the process has already ended
  }
}

/** Ends the processes that use a folder, and waits for them. */
export function endUsersOf(folder: string): void {
  const databases = databasesIn(folder).filter(lives);
  const others = usersOf(folder).filter((pid) => !databases.includes(pid));
  // SIGQUIT is PostgreSQL's `immediate` shutdown, which writes nothing and releases shared memory.
  for (const pid of databases) end(pid, 'SIGQUIT');
  for (const pid of others) end(pid, 'SIGKILL');
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let left = goneWithinMs; left > 0 && [...databases, ...others].some(lives); left -= 10) {
    Atomics.wait(sleeper, 0, 0, 10);
  }
}
