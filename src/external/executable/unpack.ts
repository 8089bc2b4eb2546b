import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { makeFolder } from '../../runtime/files/make-folder.ts';

/** Contents of the executable. */
export interface Packed {
  /** Name of the folder for this program. The name depends on the version and on every byte of the contents. */
  readonly name: string;
  /** Length of each file in bytes, by path. */
  readonly files: Readonly<Record<string, number>>;
  read(path: string): Uint8Array;
}

/**
 * Returns the folder into which the program is extracted: LINKFOLD_CACHE, the cache folder set by systemd, or the
 * user's cache folder.
 */
export function cacheFolder(env: NodeJS.ProcessEnv, platform = process.platform): string {
  const [ofService] = (env['CACHE_DIRECTORY'] ?? '').split(delimiter);
  const named = env['LINKFOLD_CACHE'] || ofService;
  if (named) return named;
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || homedir(), 'linkfold', 'cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'linkfold');
  const ofUser = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(ofUser) ? ofUser : join(homedir(), '.cache'), 'linkfold');
}

/**
 * Finds the program in the cache, or extracts it atomically to the cache, even if several processes do so at once.
 * @returns the program's folder
 * @throws Error with a message for the operator if the folder cannot be written, or other users could have written to
 * it
 */
export function unpack(packed: Packed, cache: string): string {
  const folder = join(cache, packed.name);
  try {
    if (isComplete(packed, folder)) return requireOwn(cache, folder);
    makeFolder(cache, 0o700);
    requireOwn(cache);
    write(packed, folder, cache);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `Could not unpack Linkfold into ${cache} (${code ?? message}). Set LINKFOLD_CACHE to a folder that this user can write to.`,
    );
  }
  return requireOwn(cache, folder);
}

/**
 * Returns true if all files exist and have their full size. A cache cleaner may have deleted files, or a power failure
 * may have truncated them.
 */
function isComplete({ files }: Packed, folder: string): boolean {
  return Object.entries(files).every(
    ([path, bytes]) => statSync(join(folder, path), { throwIfNoEntry: false })?.size === bytes,
  );
}

/**
 * Checks that no other user can write to the folders, because another user who can write there could run any program as
 * this user.
 * @returns the last folder
 * @throws Error that names the folder
 */
function requireOwn(...folders: readonly string[]): string {
  const uid = process.getuid?.();
  for (const folder of folders) {
    const found = lstatSync(folder);
    const isOwn = uid === undefined || ((found.uid === uid || found.uid === 0) && (found.mode & 0o022) === 0);
    if (!found.isDirectory() || !isOwn)
      throw new Error(
        `${folder} must be a folder that belongs to this user or root, and that nobody else may write to. Delete it, or set LINKFOLD_CACHE to another folder.`,
      );
  }
  return folders.at(-1) ?? '';
}

function write({ files, read }: Packed, folder: string, cache: string): void {
  const part = mkdtempSync(join(cache, '.part-'));
  try {
    chmodSync(part, 0o755);
    for (const path of Object.keys(files)) {
      mkdirSync(dirname(join(part, path)), { recursive: true, mode: 0o755 });
      writeFileSync(join(part, path), read(path), { mode: 0o644, flush: true });
    }
    // An existing folder is replaced. Either it is incomplete, or another process has just completed it with the same
    // content.
    const aside = join(part, '.before');
    if (statSync(folder, { throwIfNoEntry: false }) !== undefined) renameSync(folder, aside);
    renameSync(part, folder);
    rmSync(join(folder, '.before'), { recursive: true, force: true });
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
}
