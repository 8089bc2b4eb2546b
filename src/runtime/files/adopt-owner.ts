import { lchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * As root, sets the owner and group of a new file to those of its folder, so that the service can open files written by
 * a command.
 */
export function adoptOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    const { uid, gid } = statSync(dirname(path));
    lchownSync(path, uid, gid);
  } catch {
    // Containers may deny root this operation. The file then keeps its owner.
  }
}
