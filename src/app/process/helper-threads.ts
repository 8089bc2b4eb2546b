import { readdirSync, readFileSync } from 'node:fs';
import { lowerPriority } from '../../runtime/lower-priority.ts';

const helperThreads = 'node-V8Worker';

/**
 * Lowers the priority of V8's garbage collection and compiler threads. There are four of them: where CPUs are scarce,
 * they would run four turns while the thread that answers visitors waits for its own.
 *
 * Only Linux has priorities per thread, and shows which thread is which.
 */
export function lowerHelperThreads(): void {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
      if (name === helperThreads) lowerPriority(Number(thread));
    }
  } catch {
    // Not permitted: everything works as before.
  }
}
