import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  createWriteStream,
  globSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { NoUpgrade, open, type Release, unreachable } from './release.ts';

const maxBytes = 300 * 1_024 * 1_024;
const maxDownloadMs = 15 * 60_000;
const maxTrialMs = 60_000;
/** Age in ms above which a file must be left over from a killed upgrade, because no upgrade takes that long. */
const leftoverMs = 2 * maxDownloadMs;

/**
 * Replaces an executable with a release's file. The previous executable is kept next to it as `.old`. The last step is
 * an atomic rename (on Windows, two renames); until then, the executable is unchanged.
 * @throws NoUpgrade if the file cannot be downloaded or written, does not match the list, or does not run
 */
export async function install(release: Release, executable: string): Promise<void> {
  const folder = dirname(executable);
  try {
    accessSync(folder, constants.W_OK);
    removeLeft(folder, basename(executable));
  } catch (error) {
    throw new NoUpgrade(`Could not write to ${folder}: ${reasonOf(error)}. Nothing was changed.`);
  }
  const part = `${executable}.part-${process.pid}-${randomUUID().slice(0, 8)}`;
  try {
    await download(release, part);
    chmodSync(part, statSync(executable).mode & 0o777);
    requireRuns(release, part);
    replace(executable, part);
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof NoUpgrade) throw error;
    throw new NoUpgrade(`Could not replace ${executable}: ${reasonOf(error)}. Nothing was changed.`);
  }
}

function removeLeft(folder: string, name: string): void {
  for (const left of globSync('*.part-*', { cwd: folder })) {
    if (!left.startsWith(`${name}.part-`)) continue;
    const [, pid] = /\.part-(\d+)-/.exec(left) ?? [];
    const isOld = statSync(join(folder, left)).mtimeMs < Date.now() - leftoverMs;
    if (isOld || (pid !== undefined && !isAlive(Number(pid)))) rmSync(join(folder, left));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function download({ url, digest }: Release, part: string): Promise<void> {
  const signal = AbortSignal.timeout(maxDownloadMs);
  const hash = createHash('sha256');
  const body = await open(url, signal);
  try {
    await pipeline(
      body,
      limit((chunk) => hash.update(chunk)),
      createZstdDecompress(),
      limit(),
      createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }),
      { signal },
    );
  } catch (error) {
    if (error instanceof NoUpgrade || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    if (/^(?:ZSTD|Z)_/.test((error as NodeJS.ErrnoException).code ?? '')) throw damaged(url);
    throw unreachable(url, (signal.aborted ? signal.reason : error) as Error);
  }
  if (hash.digest('hex') !== digest) throw damaged(url);
}

function damaged(url: string): NoUpgrade {
  return new NoUpgrade(`${url} does not match the signed list, or is incomplete. Nothing was changed.`);
}

function limit(onChunk?: (chunk: Buffer) => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      onChunk?.(chunk);
      if (bytes > maxBytes)
        done(new NoUpgrade(`The file is longer than ${maxBytes} bytes. Nothing was changed.`));
      else done(null, chunk);
    },
  });
}

/**
 * Checks that the downloaded file runs on this machine. A file for another CPU, or a file that needs a missing library,
 * must not replace a working executable.
 */
function requireRuns({ version }: Release, part: string): void {
  let said: string;
  try {
    said = execFileSync(part, ['--version'], {
      encoding: 'utf8',
      timeout: maxTrialMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    throw new NoUpgrade(
      `Version ${version} does not run on this machine (${reasonOf(error)}). Nothing was changed.`,
    );
  }
  if (said.trim() !== version)
    throw new NoUpgrade(
      `The file of version ${version} reports version ${said.trim().slice(0, 40)}. Nothing was changed.`,
    );
}

function replace(executable: string, part: string): void {
  const old = `${executable}.old`;
  rmSync(old, { force: true });
  // Windows cannot replace a running executable, but can rename it.
  if (process.platform === 'win32') renameSync(executable, old);
  else linkSync(executable, old);
  renameSync(part, executable);
}
