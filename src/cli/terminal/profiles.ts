import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isSystemError, reasonOf } from '../../runtime/files/file-faults.ts';
import { makeFolder } from '../../runtime/files/make-folder.ts';
import { replaceFile } from '../../runtime/files/replace-file.ts';
import { exits, Stop } from './exits.ts';

/** A server, and the key for it. */
export interface Profile {
  readonly server: string;
  readonly key: string;
}

export interface Profiles {
  /** The name of the one that is used where nothing else is said. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** In the user's configuration folder, as the XDG Base Directory Specification says. */
function pathOfProfiles(): string {
  const base = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(base, 'linkfold', 'profiles.json');
}

/**
 * Reads the profiles of this user; none where there is no file.
 * @throws Stop when others may read the file, or it is none of ours
 */
export function readProfiles(): Profiles {
  const path = pathOfProfiles();
  let text: string;
  try {
    requirePrivate(path);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Stop) throw error;
    if (isSystemError(error) && error.code === 'ENOENT') return { current: null, profiles: {} };
    throw new Stop(exits.usage, `The profiles in ${path} cannot be read: ${reasonOf(error)}.`);
  }
  try {
    const { current, profiles } = JSON.parse(text) as Profiles;
    const isWhole = Object.values(profiles).every(
      ({ server, key }) => typeof server === 'string' && typeof key === 'string',
    );
    if (isWhole) return { current: Object.hasOwn(profiles, current ?? '') ? current : null, profiles };
  } catch {
    // It is told below.
  }
  throw new Stop(
    exits.usage,
    `${path} does not hold profiles. Remove it, and add them again: linkfold profiles add`,
  );
}

/** Windows has no such modes; there the folder is the user's own. */
function requirePrivate(path: string): void {
  if ((statSync(path).mode & 0o077) === 0 || process.platform === 'win32') return;
  throw new Stop(
    exits.usage,
    `Other users may read or change ${path}, which holds API keys. Run: chmod 600 ${path} – and rotate the keys if anybody else may have read them.`,
  );
}

/** Keeps the profiles, readable by this user only. @returns the path of their file */
export function writeProfiles(profiles: Profiles): string {
  const path = pathOfProfiles();
  try {
    makeFolder(join(path, '..'), 0o700);
    replaceFile(path, `${JSON.stringify(profiles, null, 2)}\n`);
  } catch (error) {
    throw new Stop(exits.refused, `The profiles cannot be kept in ${path}: ${reasonOf(error)}.`);
  }
  return path;
}

/** @throws Stop when there is no such profile */
export function profileNamed({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(profiles);
  const known = names.length === 0 ? 'There are none yet' : `There are: ${names.join(', ')}`;
  throw new Stop(exits.usage, `There is no profile "${name}". ${known}; add one with: linkfold profiles add`);
}

/** The profile that LINKFOLD_PROFILE names, or else the current one. */
export function usualProfile(): Profile | undefined {
  const known = readProfiles();
  const name = process.env['LINKFOLD_PROFILE'] || known.current;
  return name === null ? undefined : profileNamed(known, name);
}
