import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isSystemError, reasonOf } from '../../runtime/files/file-faults.ts';
import { makeFolder } from '../../runtime/files/make-folder.ts';
import { replaceFile } from '../../runtime/files/replace-file.ts';
import { exits, Stop, unreadable } from './exits.ts';

/** A server and its API key. */
export interface Profile {
  readonly server: string;
  readonly key: string;
}

export interface Profiles {
  /** Name of the default profile. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Returns the path of the profiles file in the user's configuration folder (XDG Base Directory Specification). */
function pathOfProfiles(): string {
  const base = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(base, 'linkfold', 'profiles.json');
}

/**
 * Reads this user's profiles. Returns no profiles if the file does not exist.
 * @throws Stop if other users may read the file, or it is invalid
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
    throw unreadable(`the profiles in ${path}`, error);
  }
  try {
    const { current, profiles } = JSON.parse(text) as Profiles;
    const isComplete = Object.values(profiles).every(
      ({ server, key }) => typeof server === 'string' && typeof key === 'string',
    );
    if (isComplete) return { current: Object.hasOwn(profiles, current ?? '') ? current : null, profiles };
  } catch {
    // The error is reported below.
  }
  throw new Stop(
    exits.usage,
    `${path} is not a valid profiles file. Delete it and create the profiles again: linkfold profiles create`,
  );
}

/**
 * Checks that only the user can read the profiles file. Not checked on Windows, which has no file modes; there, the
 * folder belongs to the user.
 */
function requirePrivate(path: string): void {
  if ((statSync(path).mode & 0o077) === 0 || process.platform === 'win32') return;
  throw new Stop(
    exits.usage,
    `Other users may read or change ${path}, which holds API keys. Run chmod 600 ${path}, and rotate the keys if somebody else may have read them.`,
  );
}

/** Saves the profiles in a file that only this user can read. @returns the path of the file */
export function writeProfiles(profiles: Profiles): string {
  const path = pathOfProfiles();
  try {
    makeFolder(join(path, '..'), 0o700);
    replaceFile(path, `${JSON.stringify(profiles, null, 2)}\n`);
  } catch (error) {
    throw new Stop(exits.refused, `Could not save the profiles in ${path}: ${reasonOf(error)}.`);
  }
  return path;
}

/** Returns the profile with a name. @throws Stop if there is no such profile */
export function profileNamed({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(profiles);
  const known = names.length === 0 ? 'There are no profiles yet' : `Profiles: ${names.join(', ')}`;
  throw new Stop(
    exits.usage,
    `There is no profile "${name}". ${known}; to create one: linkfold profiles create`,
  );
}

/** Returns the profile named in LINKFOLD_PROFILE, or else the default profile. */
export function defaultProfile(): Profile | undefined {
  const known = readProfiles();
  const name = process.env['LINKFOLD_PROFILE'] || known.current;
  return name === null ? undefined : profileNamed(known, name);
}
