import { spawnSync } from 'node:child_process';

/**
 * Prefix for commands that must obey file modes. Root ignores file modes, so the prefix drops root's capabilities. The
 * command remains root, because another user could not read a checkout in a private folder.
 */
export const withoutPrivileges: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Returns why a command cannot run without privileges, or undefined if it can. */
export function whyPrivileged(): string | undefined {
  const [command, ...args] = withoutPrivileges;
  if (command === undefined) return undefined;
  const { error, status, stderr } = spawnSync(command, [...args, 'true'], { encoding: 'utf8' });
  if (error !== undefined)
    return 'root bypasses permissions, and setpriv is not installed (Debian: util-linux)';
  return status === 0
    ? undefined
    : `root bypasses permissions, and setpriv cannot drop privileges here: ${stderr.trim()}`;
}
