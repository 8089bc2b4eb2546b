import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns a process's current or maximum resident memory in bytes. */
export function memoryOf(pid: number | undefined, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  return (
    Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
  );
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
