import { lchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * If run as root, gives a new file the owner and group of its folder, so that the service can open files written by a
 * command.
 */
export function adoptOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    const { uid, gid } = statSync(dirname(path));
    lchownSync(path, uid, gid);
  } catch {
    // In some containers, even root is not permitted to change the owner. The file then keeps its owner.
  }
}
