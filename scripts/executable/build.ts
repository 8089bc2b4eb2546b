import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleServer } from '../bundle-server.ts';
import { nodeFor, own, type Platform, platforms } from './platforms.ts';

// Makes one file of the program and the pinned Node, for this machine or others: npm run build:executable -- [OPTIONS]

const usage = `Usage: npm run build:executable -- [--platform NAME]... [--out FOLDER]
         [--upgrade-url URL] [--upgrade-key KEY]

  --platform NAME    ${Object.keys(platforms).join(', ')}, or all; without it that of this machine
  --out FOLDER       where the files go, dist/release without it
  --upgrade-url URL  where linkfold upgrade looks when UPGRADE_URL is not set
  --upgrade-key KEY  the Ed25519 key it trusts when UPGRADE_KEY is not set`;

const root = join(import.meta.dirname, '..', '..');
const node = join(root, 'node_modules', '.bin', 'node');

/** Every file that the executable unpacks, in a fixed order. */
async function programFiles(upgrade: {
  readonly url?: string;
  readonly key?: string;
}): Promise<Map<string, Uint8Array>> {
  const { name, version, type, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = new Map<string, Uint8Array>();
  const put = (path: string, text: string) => files.set(path, Buffer.from(text));
  put('package.json', `${JSON.stringify({ name, version, type, exports })}\n`);
  put('upgrade.json', `${JSON.stringify(upgrade)}\n`);
  put('start.cjs', 'module.exports = (path) => import(path);\n');
  for (const path of ['openapi.json', 'LICENSE', 'NOTICE']) files.set(path, readFileSync(join(root, path)));
  const bundle = await bundleServer(['pg-native']);
  if (!bundle.has('dashboard.json')) throw new Error('The dashboard is not built: npm run build:dashboard');
  for (const [path, contents] of bundle) files.set(`dist/${path}`, contents);
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Writes what the executables are made from into a folder. @returns the configuration that they share */
async function prepare(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<object> {
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
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `${version}-${digest.digest('hex').slice(0, 32)}`;
  writeFileSync(join(folder, 'contents.json'), JSON.stringify({ name, files: lengths }));
  const main = 'boot.cjs';
  await build({
    absWorkingDir: root,
    entryPoints: ['src/executable/boot.ts'],
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

function buildFor(platform: Platform, shared: object, folder: string, out: string): void {
  const bare = join(folder, `node-${platform}`);
  strip(platform, nodeFor(platform), bare);
  const output = join(out, `linkfold-${platform}${platform.startsWith('win') ? '.exe' : ''}`);
  const config = `${platform}.json`;
  const made = join(folder, 'made');
  // The executable says the name of its main script as it stands here: without the folder two builds are the same bytes.
  writeFileSync(join(folder, config), JSON.stringify({ ...shared, executable: bare, output: made }));
  execFileSync(node, ['--build-sea', config], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(made, `${output}.part`);
  renameSync(`${output}.part`, output);
  const size = (statSync(output).size / 1e6).toFixed(1);
  console.log(`${output}: ${size} MB${platform === own ? '' : ', made, not run'}`);
}

const { values } = parseArgs({
  options: {
    platform: { type: 'string', multiple: true, default: [own] },
    out: { type: 'string', default: join(root, 'dist', 'release') },
    'upgrade-url': { type: 'string' },
    'upgrade-key': { type: 'string' },
  },
});
const chosen = (values.platform.includes('all') ? Object.keys(platforms) : values.platform) as Platform[];
const unknown = chosen.find((one) => !(one in platforms));
if (unknown !== undefined || !existsSync(node)) {
  console.error(`There is no executable for ${unknown}.\n\n${usage}`);
  process.exit(1);
}
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(root, 'node_modules', '.cache', 'executable-'));
try {
  const { 'upgrade-url': url, 'upgrade-key': key } = values;
  const shared = await prepare(folder, await programFiles({ ...(url && { url }), ...(key && { key }) }));
  for (const platform of chosen) buildFor(platform, shared, folder, out);
} finally {
  rmSync(folder, { recursive: true });
}
