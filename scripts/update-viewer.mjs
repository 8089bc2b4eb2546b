// Updates the viewer for the API reference: one compressed file from the package, and the licenses of its bundled code.
// To change the version, run: node scripts/update-viewer.mjs 1.72.1
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const name = '@scalar/api-reference';
const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) {
  console.error('Specify the version: node scripts/update-viewer.mjs 1.72.1');
  process.exit(2);
}
const target = fileURLToPath(new URL('../src/api/reference/files/', import.meta.url));
const workplace = mkdtempSync(join(tmpdir(), 'viewer-'));

try {
  writeFileSync(join(workplace, 'package.json'), '{}');
  install(`${name}@${version}`);
  const modules = join(workplace, 'node_modules');
  const built = join(modules, name, 'dist', 'browser', 'standalone.js');
  const script = readFileSync(built);
  const lock = JSON.parse(readFileSync(join(workplace, 'package-lock.json'), 'utf8'));
  const parts = partsOf(JSON.parse(readFileSync(`${built}.map`, 'utf8')).sources);
  // The package may bundle dependencies that npm did not install, such as versions that were current when the package
  // was built. These dependencies are downloaded separately for their licenses.
  const missing = [...parts].filter(([part]) => folderOf(modules, part) === undefined);
  if (missing.length > 0) install(...missing.map((part) => part.join('@')));

  writeFileSync(join(target, 'viewer.js.gz'), gzipSync(script, { level: 9 }));
  writeFileSync(join(target, 'viewer-licenses.txt'), licences(modules, [name, ...parts.keys()]));
  const manifest = {
    package: name,
    version,
    license: 'MIT',
    integrity: lock.packages[`node_modules/${name}`].integrity,
    file: 'dist/browser/standalone.js',
    sha256: createHash('sha256').update(script).digest('hex'),
  };
  writeFileSync(join(target, 'viewer.json'), `${JSON.stringify(manifest, null, 2)}\n`);
} finally {
  rmSync(workplace, { recursive: true, force: true });
}

function install(...packages) {
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: workplace,
    stdio: ['ignore', 2, 2],
  });
}

/** Returns the packages whose code is bundled according to the source map, with their versions if known. */
function partsOf(sources) {
  const parts = sources.flatMap((source) => {
    const [, folder, found] = /.*\.pnpm\/([^/]+)\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
    if (found !== undefined) return [[found, /^@?[^@]+@([^_]+)/.exec(folder)?.[1] ?? 'latest']];
    // The source map names packages of the viewer's own repository by their folder.
    const [, sibling] = /^(?:\.\.\/)+([\w-]+)\/dist\//.exec(source) ?? [];
    return sibling === undefined ? [] : [[`@scalar/${sibling}`, 'latest']];
  });
  return new Map(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns all packages' licenses. A license text shared by several packages appears only once. */
function licences(modules, packages) {
  const byText = new Map();
  for (const one of packages) {
    const folder = folderOf(modules, one);
    if (folder === undefined) throw new Error(`${one} is part of the bundle, but is not installed.`);
    const { version: its, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const holder = typeof author === 'string' ? author : (author?.name ?? 'its authors');
    const text =
      file === undefined ? `${license}, by ${holder}` : readFileSync(join(folder, file), 'utf8').trim();
    byText.set(text, [...(byText.get(text) ?? []), `${one} ${its} (${license})`]);
  }
  const blocks = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `viewer.js.gz is ${name}, and contains code from the packages listed here.\n\n${blocks.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function folderOf(modules, one) {
  const direct = join(modules, one);
  if (existsSync(direct)) return direct;
  // npm nests a package inside another package if two versions of it are installed.
  const [found] = readdirSync(modules, { recursive: true }).filter((path) =>
    path.endsWith(`node_modules/${one}`),
  );
  return found === undefined ? undefined : join(modules, found);
}
