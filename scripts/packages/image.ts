import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, version } from '../executable/program.ts';
import { addLibraries } from './libraries.ts';
import { put, writeTree } from './tree.ts';

// Builds container images without a daemon or a base image.
// Usage: npm run build:image -- [--arch amd64|arm64|all] [--out FOLDER]

const platforms = { amd64: 'linux-x64', arm64: 'linux-arm64' } as const;
type Architecture = keyof typeof platforms;
const user = '65532:65532';
const environment = {
  PATH: '/usr/bin',
  HOST: '0.0.0.0',
  PORT: '3000',
  DATA_DIR: '/data',
  HOME: '/data',
  NODE_COMPILE_CACHE: '/tmp/linkfold',
  // Memory allocator settings, as in bin/linkfold.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
};

async function writeRoot(folder: string, architecture: Architecture, work: string): Promise<void> {
  await writeTree(folder, platforms[architecture]);
  addLibraries(folder, architecture, work);
  put(join(folder, 'etc', 'passwd'), 'root:x:0:0::/:/none\nlinkfold:x:65532:65532::/data:/none\n');
  put(join(folder, 'etc', 'group'), 'root:x:0:\nlinkfold:x:65532:\n');
  put(join(folder, 'etc', 'nsswitch.conf'), 'hosts: files dns\n');
  mkdirSync(join(folder, 'tmp'));
  chmodSync(join(folder, 'tmp'), 0o1777);
}

function commit(
  folder: string,
  architecture: Architecture,
  store: string,
  work: string,
  archive: string,
): void {
  const buildah = (...args: readonly string[]): string =>
    execFileSync(
      'buildah',
      ['--root', join(store, 'root'), '--runroot', join(store, 'run'), '--storage-driver', 'vfs', ...args],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    ).trim();
  const container = buildah('from', '--format', 'docker', '--arch', architecture, 'scratch');
  buildah('copy', '--quiet', '--chown', '0:0', container, folder, '/');
  mkdirSync(join(work, 'data'));
  buildah('copy', '--quiet', '--chown', user, '--chmod', '0700', container, join(work, 'data'), '/data');
  // A node that is not ready, for example because PostgreSQL is down, still redirects from its cache. It must not be
  // killed.
  const health = ['--healthcheck', 'CMD /usr/bin/linkfold ready --live', '--healthcheck-interval', '10s'];
  buildah(
    'config',
    ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...[...health, '--healthcheck-timeout', '5s', '--healthcheck-start-period', '10m'],
    ...[
      '--user',
      user,
      '--workingdir',
      '/data',
      '--volume',
      '/data',
      '--port',
      '3000',
      '--stop-signal',
      'SIGTERM',
    ],
    ...['--entrypoint', '["/usr/bin/linkfold"]', '--cmd', 'serve', '--os', 'linux', '--arch', architecture],
    ...[
      '--label',
      `org.opencontainers.image.version=${version}`,
      '--label',
      'org.opencontainers.image.licenses=MIT',
    ],
    container,
  );
  // Uses Docker's format, because the health check is a Docker extension. Registries and other engines accept this
  // format.
  buildah(
    'commit',
    '--quiet',
    '--format',
    'docker',
    '--timestamp',
    '0',
    '--rm',
    container,
    `linkfold:${version}`,
  );
  rmSync(archive, { force: true });
  buildah('push', '--quiet', `linkfold:${version}`, `docker-archive:${archive}:linkfold:${version}`);
}

async function make(architecture: Architecture, out: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'linkfold-image-'));
  try {
    const [folder, packages, store] = ['image', 'packages', 'store'].map((name) => join(work, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(packages);
    await writeRoot(folder, architecture, packages);
    const archive = join(out, `linkfold-${version}-image-${architecture}.tar`);
    commit(folder, architecture, store, work, archive);
    execFileSync('gzip', ['-9nf', archive]);
    const size = (statSync(`${archive}.gz`).size / 1e6).toFixed(1);
    console.log(`${archive}.gz: ${size} MB${architecture === 'amd64' ? '' : ' (built, but not run)'}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: 'amd64' },
    out: { type: 'string', default: join(root, 'dist', 'release') },
  },
});
const missing = ['buildah', 'apt-get', 'dpkg-deb'].filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
);
const chosen = values.arch === 'all' ? Object.keys(platforms) : [values.arch];
if (missing.length > 0 || chosen.some((one) => !(one in platforms))) {
  console.error(
    missing.length > 0
      ? `Could not build the image: ${missing.join(', ')} missing (Debian: buildah, apt, dpkg).`
      : 'Usage: npm run build:image -- [--arch amd64|arm64|all] [--out FOLDER]',
  );
  process.exit(1);
}
mkdirSync(resolve(values.out), { recursive: true });
for (const architecture of chosen) await make(architecture as Architecture, resolve(values.out));
