// Generators need many packages, so they are not dependencies: `npm run test:generators` installs them in a separate
// cache.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const root = join(import.meta.dirname, '..', '..');

/** @returns the package folder and, if packages are missing, the reason */
export async function installPackages(
  name: string,
  packages: Readonly<Record<string, string>>,
): Promise<{ folder: string; missing: string | undefined }> {
  const folder = join(root, 'node_modules', '.cache', name);
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages });
  const file = join(folder, 'package.json');
  const isThere = existsSync(file) && readFileSync(file, 'utf8') === manifest;
  if (isThere && existsSync(join(folder, 'whole'))) return { folder, missing: undefined };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, manifest);
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  try {
    await run('npm', ['install', ...quietly], { cwd: folder, timeout: 300_000 });
    writeFileSync(join(folder, 'whole'), '');
    return { folder, missing: undefined };
  } catch (error) {
    return { folder, missing: `the generators cannot be installed: ${String(error).slice(0, 300)}` };
  }
}
