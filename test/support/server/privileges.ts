import { spawnSync } from 'node:child_process';

/**
 * Prefix for commands that must obey file modes. Root ignores them, so the command drops root's extra capabilities. It
 * stays root, because another user could not read a checkout in a private folder.
 */
export const withoutPrivileges: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Returns why this is not possible; undefined if it is. */
export function whyPrivileged(): string | undefined {
  const [command, ...args] = withoutPrivileges;
  if (command === undefined) return undefined;
  const { error, status, stderr } = spawnSync(command, [...args, 'true'], { encoding: 'utf8' });
  if (error !== undefined) return 'root may do anything, and setpriv is not installed (Debian: util-linux)';
  return status === 0
    ? undefined
    : `root may do anything, and setpriv may not change that here: ${stderr.trim()}`;
}
