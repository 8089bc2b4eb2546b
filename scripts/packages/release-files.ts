import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, hash, sign } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import { own, platforms } from '../executable/platforms.ts';
import { root, version } from '../executable/program.ts';

// Builds every file of a release from a clean clone into dist/release: packages, executables, images, their contents,
// checksums and signature. Publishes nothing.

const usage = `Usage: npm run release:files -- [--key FILE] [--upgrade-url URL] [--own]

  --key FILE         Ed25519 private key in PEM that signs the checksums (openssl genpkey -algorithm ed25519)
  --upgrade-url URL  where linkfold upgrade looks when UPGRADE_URL is not set
  --own              only what is for the platform of this machine`;

const out = join(root, 'dist', 'release');
const node = process.execPath;
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  });

function packPackages(): void {
  // Packing rebuilds dist/, so packages come first.
  const packed = mkdtempSync(join(tmpdir(), 'linkfold-release-'));
  run('npm', 'pack', '--silent', '--pack-destination', packed);
  run('npm', 'run', '--silent', 'pack:client', '--', '--pack-destination', packed);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  cpSync(packed, out, { recursive: true });
  rmSync(packed, { recursive: true });
}

/** Two compressions of each: `.xz` is smallest, for downloads; `linkfold upgrade` uses `.zst`. */
function compressExecutables(): void {
  for (const name of Object.keys(platforms).flatMap((one) =>
    globSync(`linkfold-${one}{,.exe}`, { cwd: out }),
  )) {
    const path = join(out, name);
    const [, platform = ''] = /^linkfold-(\w+-\w+)/.exec(name) ?? [];
    const compressed = join(out, `linkfold-${version}-${platform}`);
    const filter = platform.endsWith('x64') ? ['--x86'] : [];
    execFileSync('sh', [
      '-c',
      `exec xz --stdout "$@" > '${compressed}.xz'`,
      'sh',
      ...filter,
      '--lzma2=preset=9',
      path,
    ]);
    const params = { [constants.ZSTD_c_compressionLevel]: 12 };
    writeFileSync(`${compressed}.zst`, zstdCompressSync(readFileSync(path), { params }));
    rmSync(path);
  }
}

/**
 * Software bill of materials: every package with license and checksum, by npm, without parts that differ between runs.
 */
function writeComponents(): void {
  const made = run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only');
  const { serialNumber: _, metadata, ...rest } = JSON.parse(made);
  const document = {
    ...rest,
    metadata: { ...metadata, timestamp: undefined, component: { ...metadata.component, name: 'linkfold' } },
  };
  writeFileSync(join(out, `linkfold-${version}.cdx.json`), `${JSON.stringify(document, null, 2)}\n`);
}

/** Source and tools of the build, so that it can be reproduced. */
function writeProvenance(): void {
  const firstLine = (program: string): string => run(program, '--version').split('\n')[0] ?? '';
  const facts = {
    version,
    commit: run('git', 'rev-parse', 'HEAD').trim(),
    packageLock: `sha256:${hash('sha256', readFileSync(join(root, 'package-lock.json')))}`,
    node: process.version,
    npm: run('npm', '--version').trim(),
    xz: firstLine('xz'),
    buildah: firstLine('buildah'),
    dpkg: firstLine('dpkg-deb'),
  };
  writeFileSync(join(out, `linkfold-${version}.provenance.json`), `${JSON.stringify(facts, null, 2)}\n`);
}

function writeChecksums(key: string | undefined): void {
  const names = globSync('*', { cwd: out }).sort();
  const list = Buffer.from(
    names.map((name) => `${hash('sha256', readFileSync(join(out, name)))}  ${name}\n`).join(''),
  );
  writeFileSync(join(out, 'SHA256SUMS'), list);
  if (key === undefined) console.error('NOT SIGNED: without --key nobody can upgrade to this.');
  else writeFileSync(join(out, 'SHA256SUMS.sig'), sign(null, list, createPrivateKey(key)));
}

function main(): void {
  const { values } = parseArgs({
    options: { key: { type: 'string' }, 'upgrade-url': { type: 'string' }, own: { type: 'boolean' } },
  });
  const changed = run('git', 'status', '--porcelain');
  if (changed !== '')
    throw new Error(`The working tree is not clean; commit or remove first:\n${changed}\n\n${usage}`);
  const key = values.key === undefined ? undefined : readFileSync(values.key, 'utf8');
  const trusted =
    key &&
    Buffer.from(String(createPublicKey(key).export({ format: 'jwk' }).x), 'base64url').toString('base64');
  packPackages();
  const script = (path: string, ...args: readonly string[]): void =>
    void process.stdout.write(run(node, join(root, 'scripts', path), ...args));
  script('build-dashboard.ts');
  const upgrade = [
    ...(values['upgrade-url'] === undefined ? [] : ['--upgrade-url', values['upgrade-url']]),
    ...(trusted === undefined ? [] : ['--upgrade-key', trusted]),
  ];
  script('executable/build.ts', '--platform', values.own ? own : 'all', ...upgrade);
  compressExecutables();
  const architecture = values.own ? (process.arch === 'arm64' ? 'arm64' : 'amd64') : 'all';
  script('packages/image.ts', '--arch', architecture);
  script('packages/debian.ts', '--arch', architecture);
  writeComponents();
  writeProvenance();
  writeChecksums(key);
  for (const name of globSync('*', { cwd: out }).sort())
    console.log(`${(statSync(join(out, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}`);
  if (trusted !== undefined) console.log(`UPGRADE_KEY=${trusted}`);
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
