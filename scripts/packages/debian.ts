import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { manualPage } from '../documents/manual.ts';
import { root, version } from '../executable/program.ts';
import { put, writeTree } from './tree.ts';

// Builds Debian packages: npm run build:debian -- [--arch amd64|arm64|all] [--out FOLDER] [--compression xz|none]

const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: 'amd64' },
    compression: { type: 'string', default: 'xz' },
    out: { type: 'string', default: join(root, 'dist', 'release') },
  },
});
const platforms = { amd64: 'linux-x64', arm64: 'linux-arm64' } as const;
type Architecture = keyof typeof platforms;

const settings = `# Linkfold settings, one per line. To show all of them: linkfold config. After a change: systemctl restart linkfold
#BASE_URL=https://go.example.com
#TRUST_PROXY=1
`;

// Purging the package does not delete the system user, because the user's files are kept too. Otherwise a new user
// could get the same ID and would own the files.
const afterInstall = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  getent passwd linkfold >/dev/null || useradd --system --user-group --home-dir /var/lib/linkfold --no-create-home --shell /usr/sbin/nologin linkfold
  mkdir -p /var/lib/linkfold
  if [ -z "$2" ]; then chown linkfold:linkfold /var/lib/linkfold && chmod 700 /var/lib/linkfold; fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ -n "$2" ]; then systemctl try-restart linkfold; else systemctl enable --now linkfold; fi
  else
    echo "systemd is not running, so the server was not started. To run the server as the user linkfold: linkfold serve"
  fi
fi
`;
const beforeRemoval = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now linkfold linkfold-backup.timer; fi
`;
const afterRemoval = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = purge ]; then
  rm -rf /var/cache/linkfold
  if [ -d /var/lib/linkfold ]; then echo "Links and clicks stay in /var/lib/linkfold, backups in /var/lib/linkfold-backups. Delete both folders if you no longer need them."; fi
fi
`;

function control(architecture: Architecture, folder: string): string {
  const kilobytes = execFileSync('du', ['-sk', '--exclude=DEBIAN', folder], { encoding: 'utf8' }).split(
    '\t',
  )[0];
  return `Package: linkfold
Version: ${version}
Architecture: ${architecture}
Maintainer: Linkfold <linkfold@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1, passwd, util-linux
Recommends: systemd
Section: web
Priority: optional
Description: self-hosted link shortener that survives crashes
 A server for short links with statistics, an API, a dashboard and a command line.
`;
}

/** Returns a systemd unit from deploy/ with the package's paths. */
function unit(name: string): string {
  return readFileSync(join(root, 'deploy', name), 'utf8')
    .replace(/^# Linkfold as a systemd service\.[\s\S]*?\n\n/, '')
    .replaceAll('/opt/linkfold/docs/', '/usr/share/doc/linkfold/')
    .replaceAll('/opt/linkfold/bin/', '/usr/bin/');
}

async function make(architecture: Architecture, out: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'linkfold-deb-'));
  try {
    chmodSync(folder, 0o755);
    await writeTree(folder, platforms[architecture]);
    const command = join(folder, 'usr', 'bin', 'linkfold');
    renameSync(command, join(folder, 'usr', 'lib', 'linkfold', 'linkfold'));
    put(command, readFileSync(join(import.meta.dirname, 'linkfold.sh')), 0o755);
    for (const name of ['linkfold.service', 'linkfold-backup.service', 'linkfold-backup.timer'])
      put(join(folder, 'lib', 'systemd', 'system', name), unit(name));
    put(join(folder, 'etc', 'linkfold', 'linkfold.env'), settings, 0o640);
    const documents = join(folder, 'usr', 'share', 'doc', 'linkfold');
    put(join(documents, 'operating.md'), readFileSync(join(root, 'docs', 'operating.md')));
    put(join(documents, 'copyright'), readFileSync(join(root, 'LICENSE')));
    put(join(folder, 'usr', 'share', 'man', 'man1', 'linkfold.1'), manualPage());
    const meta = join(folder, 'DEBIAN');
    put(join(meta, 'control'), control(architecture, folder));
    put(join(meta, 'conffiles'), '/etc/linkfold/linkfold.env\n');
    put(join(meta, 'postinst'), afterInstall, 0o755);
    put(join(meta, 'prerm'), beforeRemoval, 0o755);
    put(join(meta, 'postrm'), afterRemoval, 0o755);
    const archive = join(out, `linkfold_${version}_${architecture}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', `-Z${values.compression}`, '--build', folder, archive], {
      stdio: ['ignore', 'ignore', 'inherit'],
      // A fixed timestamp makes builds reproducible.
      env: { ...process.env, SOURCE_DATE_EPOCH: '0' },
    });
    const size = (statSync(archive).size / 1e6).toFixed(1);
    console.log(`${archive}: ${size} MB${architecture === 'amd64' ? '' : ' (built, but not run)'}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const chosen = values.arch === 'all' ? Object.keys(platforms) : [values.arch];
const isMissing = spawnSync('dpkg-deb', ['--version']).error !== undefined;
if (isMissing || chosen.some((one) => !(one in platforms))) {
  console.error(
    isMissing
      ? 'Could not build the package: dpkg-deb is missing (Debian: dpkg).'
      : 'Usage: npm run build:debian -- [--arch amd64|arm64|all] [--out FOLDER]',
  );
  process.exit(1);
}
mkdirSync(resolve(values.out), { recursive: true });
for (const architecture of chosen) await make(architecture as Architecture, resolve(values.out));
