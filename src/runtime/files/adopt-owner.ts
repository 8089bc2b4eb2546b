import { lchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * As root, gives a new file the owner and group of its folder, so that the service can open what a command has
 * written.
 */
export function adoptOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    const { uid, gid } = statSync(dirname(path));
    lchownSync(path, uid, gid);
  } catch {
    // Containers may deny root this permission.
  }
}
