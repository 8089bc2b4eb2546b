import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../server/server.ts';

/** Small tmpfs disks in a separate mount namespace. Tests can fill and free them. */
export interface SmallDisks {
  /** Prefix that runs a command inside the namespace. */
  readonly within: readonly string[];
  /** Returns the path of a disk inside the namespace. */
  path(disk: string): string;
  /** Returns the path of a disk's content as seen from outside the namespace. */
  seen(disk: string): string;
  /** Uses up all space on a disk until `free` is called, including space that becomes free later. */
  fill(disk: string): void;
  free(disk: string): void;
  close(): void;
}

const refillEveryMs = 20;
const isolated = ['--mount', '--propagation', 'private'];

/** Returns why small disks are not available, or undefined if they are. */
export function whyNoSmallDisks(): string | undefined {
  if (process.platform !== 'linux') return 'mount namespaces exist only on Linux';
  const folder = temporaryFolder('mount');
  const mount = ['mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', folder];
  const { error, status, stderr } = spawnSync('unshare', [...isolated, ...mount], { encoding: 'utf8' });
  if (error !== undefined) return 'unshare is not installed (Debian: util-linux)';
  return status === 0 ? undefined : `no disk can be mounted here (requires root): ${stderr.trim()}`;
}

/** @param size size of each disk in MiB */
export async function mountSmallDisks(disks: readonly string[], size: number): Promise<SmallDisks> {
  const folder = temporaryFolder('disks');
  const path = (disk: string): string => join(folder, disk);
  for (const disk of disks) mkdirSync(path(disk));
  const mounts = disks.map((disk) => `mount -t tmpfs -o size=${size}m none ${path(disk)}`);
  const script = [...mounts, 'echo mounted', 'exec sleep 86400'].join(' && ');
  const holder = spawn('unshare', [...isolated, 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The guardian finds the process by this variable, so that it is ended even if this test process is killed.
    env: { PATH: process.env['PATH'] ?? '', DISKS: `${folder}/` },
  });
  process.on('exit', () => holder.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: holder.stdout }).once('line', () => resolve());
    holder.once('exit', (code) => reject(new Error(`Could not mount the disks: exit code ${code}.`)));
  });
  const seen = (disk: string): string => `/proc/${holder.pid}/root${path(disk)}`;

  const fillers = new Map<string, { readonly fd: number; readonly timer: NodeJS.Timeout }>();
  return {
    within: ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, `--wd=${process.cwd()}`],
    path,
    seen,
    fill(disk) {
      const fd = openSync(join(seen(disk), 'ballast'), 'w');
      writeUntilFull(fd);
      fillers.set(disk, { fd, timer: setInterval(() => writeUntilFull(fd), refillEveryMs).unref() });
    },
    free(disk) {
      const filler = fillers.get(disk);
      if (filler === undefined) return;
      clearInterval(filler.timer);
      closeSync(filler.fd);
      fillers.delete(disk);
      rmSync(join(seen(disk), 'ballast'));
    },
    close() {
      for (const { timer } of fillers.values()) clearInterval(timer);
      holder.kill('SIGKILL');
    },
  };
}

function writeUntilFull(fd: number): void {
  for (const bytes of [Buffer.alloc(1_048_576, 1), Buffer.alloc(4_096, 1)]) {
    try {
      for (;;) if (writeSync(fd, bytes) < bytes.length) break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
