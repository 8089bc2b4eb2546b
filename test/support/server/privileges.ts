import { spawnSync } from 'node:child_process';

/**
 * Goes in front of a command to which the modes of files are to apply. Root may do anything, so the command gives up what root may
 * do more than others. It stays root, as another user could not read a checkout in a private folder.
 */
export const withoutPrivileges: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Why a command cannot be run so here; undefined when it can. */
export function whyPrivileged(): string | undefined {
  const [command, ...args] = withoutPrivileges;
  if (command === undefined) return undefined;
  const { error, status, stderr } = spawnSync(command, [...args, 'true'], { encoding: 'utf8' });
  if (error !== undefined) return 'root may do anything, and setpriv is not installed (Debian: util-linux)';
  return status === 0
    ? undefined
    : `root may do anything, and setpriv may not change that here: ${stderr.trim()}`;
}
