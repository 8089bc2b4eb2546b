import { readdirSync, readFileSync } from 'node:fs';
import { lowerPriority } from '../../runtime/lower-priority.ts';

const helperThreads = 'node-V8Worker';

/**
 * Lowers the priority of V8's garbage collection and compiler threads. On a machine with few CPUs, these four threads
 * would otherwise get four times the CPU time of the thread that serves visitors. Only Linux supports priorities and
 * names per thread.
 */
export function lowerHelperThreads(): void {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
      if (name === helperThreads) lowerPriority(Number(thread));
    }
  } catch {
    // This process is not permitted to change priorities, so the threads keep theirs.
  }
}
