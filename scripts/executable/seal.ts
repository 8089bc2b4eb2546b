import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { nodeFor, type Platform, platforms } from './platforms.ts';
import { root, version } from './program.ts';

// A copy of Node with the program in it.

const node = join(root, 'node_modules', '.bin', 'node');

/** Writes what the executables are made from into a folder. @returns the configuration that they share */
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
    // Unpacked once for each version, so it may be small.
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
  // What bin/linkfold gives to Node.
  const execArgv = ['--max-semi-space-size=8', '--expose-gc'];
  return { main, assets, execArgv, disableExperimentalSEAWarning: true };
}

/** Without the symbols, which are a fifth of it. Afterwards it could not be stripped any more. */
function strip(platform: Platform, from: string, to: string): void {
  copyFileSync(from, to);
  if (!platforms[platform].strips) return;
  for (const tool of ['llvm-strip', 'strip'])
    try {
      execFileSync(tool, [to], { stdio: 'ignore' });
      return;
    } catch {
      // It is not there, or not for this processor.
    }
  console.error(
    `${platform}: no llvm-strip or strip for it (Debian: llvm, binutils), so it is 30 MB larger.`,
  );
}

function sealFor(platform: Platform, shared: object, folder: string, output: string): void {
  const bare = join(folder, `node-${platform}`);
  strip(platform, nodeFor(platform), bare);
  const config = `${platform}.json`;
  const made = join(folder, 'made');
  // The executable says the name of its main script as it stands here: without the folder two builds are the same bytes.
  writeFileSync(join(folder, config), JSON.stringify({ ...shared, executable: bare, output: made }));
  execFileSync(node, ['--build-sea', config], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(made, `${output}.part`);
  renameSync(`${output}.part`, output);
}

/** One executable that is wanted. */
export interface Wanted {
  readonly platform: Platform;
  readonly output: string;
}

/**
 * Makes executables.
 * @param files of the program, which they unpack
 * @param installed the folder where these files are installed instead: then the executables hold none
 * @throws Error when Node or a file cannot be had
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
