import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { number, quantile } from './figures.ts';
import { sleep } from './servers.ts';

function firstLineOf(command: string, ...args: readonly string[]): string | undefined {
  try {
    const out = execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
    return out.split('\n', 1)[0];
  } catch (error) {
    // nginx and wrk print their version on stderr, wrk with exit code 1.
    const { stdout = '', code } = error as { stdout?: string; code?: string };
    return code === 'ENOENT' ? undefined : stdout.split('\n', 1)[0];
  }
}

/** Returns true if a program is installed. */
export function isInstalled(command: string, ...args: readonly string[]): boolean {
  return firstLineOf(command, ...args) !== undefined;
}

/** Returns the measured commit, and whether the tree had uncommitted changes. */
export function revisionOf(tree: string): string {
  const commit = firstLineOf('git', '-C', tree, 'rev-parse', '--short=10', 'HEAD');
  if (commit === undefined || commit === '') return 'unknown';
  const changed = firstLineOf('git', '-C', tree, 'status', '--porcelain', '--', 'src');
  return changed === '' ? commit : `${commit} + uncommitted changes`;
}

const syncs = 200;

/** Measures how long the disk takes to sync 4 KiB at the end of a file: the lower limit of every create. */
function measureSync(dir: string): { p50: number; p99: number } {
  const path = join(dir, `sync-${process.pid}`);
  const block = Buffer.alloc(4096, 1);
  const fd = openSync(path, 'w');
  try {
    const times = Array.from({ length: syncs }, () => {
      const start = performance.now();
      writeSync(fd, block);
      fdatasyncSync(fd);
      return performance.now() - start;
    });
    return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  } finally {
    closeSync(fd);
    unlinkSync(path);
  }
}

const lookMs = 2_000;

/** Returns the load of the machine by other work, in per cent. */
async function othersShare(): Promise<number> {
  const ticks = () => {
    const times = os.cpus().map((cpu) => cpu.times);
    const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq + one.idle, 0);
    return { all, idle: times.reduce((sum, one) => sum + one.idle, 0) };
  };
  const before = ticks();
  await sleep(lookMs);
  const after = ticks();
  return 100 * (1 - (after.idle - before.idle) / (after.all - before.all));
}

/** Returns the facts needed to interpret the results. */
export async function machineFacts(dir: string, load: string): Promise<Readonly<Record<string, string>>> {
  const cpus = os.cpus();
  const sync = measureSync(dir);
  return {
    machine: `${cpus[0]?.model.trim() ?? 'unknown'}, ${cpus.length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}`,
    disk: `fdatasync of 4 KiB: ${number(sync.p50)} ms p50, ${number(sync.p99)} ms p99`,
    software: `Node ${process.version}, SQLite ${process.versions['sqlite']}, load from ${load}`,
    others: `${number(await othersShare())} % of all cores were busy before the run`,
  };
}
