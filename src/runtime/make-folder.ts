import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Node's own way (`recursive`) never returns where a folder that is there takes no
 * entries and says that it is absent, as those of /proc do.
 * @param mode of the folder itself; those above it get the default
 * @throws what the system says
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === 'EEXIST' && isFolder(path)) return;
    if (code !== 'ENOENT' || above === path || existsSync(above)) throw error;
    makeFolder(above);
    mkdirSync(path, { mode });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
