import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { nodeFor, type Platform, platforms } from './platforms.ts';
import { root, version } from './program.ts';

// Builds executables: copies of Node that contain the program.

const node = join(root, 'node_modules', '.bin', 'node');

/** Writes the inputs for the executables to a folder. @returns the configuration shared by all executables */
async function prepare(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
  installed?: string,
): Promise<object> {
  const digest = createHash('sha256');
  const lengths: Record<string, number> = {};
  const assets: Record<string, string> = { 'contents.json': 'contents.json' };
  for (const [path, contents] of files) {
    digest.update(`${path}\0${contents.length}\0`).update(contents);
    lengths[path] = contents.length;
    assets[path] = path;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Files are unpacked only once per version, so size matters more than speed.
    writeFileSync(
      join(folder, path),
      zstdCompressSync(contents, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
    );
  }
  const name = `${version}-${digest.digest('hex').slice(0, 32)}`;
  writeFileSync(
    join(folder, 'contents.json'),
    JSON.stringify({ name, files: lengths, ...(installed && { installed }) }),
  );
  const main = 'boot.cjs';
  await build({
    absWorkingDir: root,
    entryPoints: ['src/external/executable/boot.ts'],
    outfile: join(folder, main),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node26',
    logLevel: 'error',
  });
  // Node arguments, as in bin/linkfold.
  const execArgv = ['--max-semi-space-size=8', '--expose-gc'];
  return { main, assets, execArgv, disableExperimentalSEAWarning: true };
}

/** Copies Node without its symbols, which take up a fifth of its size. Must be called before the program is added. */
function strip(platform: Platform, from: string, to: string): void {
  copyFileSync(from, to);
  if (!platforms[platform].strips) return;
  for (const tool of ['llvm-strip', 'strip'])
    try {
      execFileSync(tool, [to], { stdio: 'ignore' });
      return;
    } catch {
      // The tool is missing, or does not support the processor architecture. Try the next one.
    }
  console.error(
    `${platform}: could not strip symbols, so the executable is 30 MB larger. Install llvm-strip or strip (Debian: llvm, binutils).`,
  );
}

function sealFor(platform: Platform, shared: object, folder: string, output: string): void {
  const bare = join(folder, `node-${platform}`);
  strip(platform, nodeFor(platform), bare);
  const config = `${platform}.json`;
  const made = join(folder, 'made');
  // The executable contains the name of its main script as given in the configuration. A relative name makes builds
  // reproducible.
  writeFileSync(join(folder, config), JSON.stringify({ ...shared, executable: bare, output: made }));
  execFileSync(node, ['--build-sea', config], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(made, `${output}.part`);
  renameSync(`${output}.part`, output);
}

/** An executable to build. */
export interface Wanted {
  readonly platform: Platform;
  readonly output: string;
}

/**
 * Builds executables.
 * @param files program files that the executables unpack
 * @param installed folder in which a package installs the files; if set, the executables contain no files
 * @throws Error if Node or a file is not available
 */
export async function seal(
  wanted: readonly Wanted[],
  files: ReadonlyMap<string, Uint8Array>,
  installed?: string,
): Promise<void> {
  const folder = mkdtempSync(join(root, 'node_modules', '.cache', 'executable-'));
  try {
    const shared = await prepare(folder, installed === undefined ? files : new Map(), installed);
    for (const { platform, output } of wanted) {
      mkdirSync(dirname(output), { recursive: true });
      sealFor(platform, shared, folder, output);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
