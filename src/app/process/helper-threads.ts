import { readdirSync, readFileSync } from 'node:fs';
import { lowerPriority } from '../../runtime/lower-priority.ts';

const helperThreads = 'node-V8Worker';

/**
 * Lets the threads on which V8 collects garbage and compiles wait for those that serve. There are four of them: where
 * processors are scarce, they would take four turns while the one that answers visitors waits for its own.
 *
 * Only Linux gives each thread a priority of its own, and shows which is which.
 */
export function lowerHelperThreads(): void {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
      if (name === helperThreads) lowerPriority(Number(thread));
    }
  } catch {
    // Where it is forbidden, everything works as before.
  }
}
