import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Libraries that Node links to, keyed by Debian package. */
const libraries: Readonly<Record<string, string>> = {
  libc6: '{ld-linux*,libc,libm,libdl,libpthread,libresolv,libnss_dns,libnss_files}.so.[0-9]*',
  'libgcc-s1': 'libgcc_s.so.1',
  'libstdc++6': 'libstdc++.so.6',
  libatomic1: 'libatomic.so.1',
};

/**
 * Copies the libraries that the executable needs into an image's root folder. The libraries come from packages of this
 * machine's Debian release and are verified by apt. The machine itself is not changed.
 * @param work an empty folder
 * @throws Error if apt-get or dpkg-deb fails
 */
export function addLibraries(folder: string, architecture: 'amd64' | 'arm64', work: string): void {
  const [state, cache, unpacked] = ['state', 'cache', 'unpacked'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [join(state, 'lists', 'partial'), join(cache, 'archives', 'partial'), unpacked])
    mkdirSync(one, { recursive: true });
  const options = Object.entries({
    'Dir::State': state,
    'Dir::Cache': cache,
    'Dir::State::status': '/dev/null',
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': '',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...args: readonly string[]) =>
    execFileSync('apt-get', ['-qq', ...options, ...args], { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
  apt('update');
  apt('download', ...Object.keys(libraries));
  for (const archive of globSync('*.deb', { cwd: work }))
    execFileSync('dpkg-deb', ['-x', join(work, archive), unpacked]);
  const lib = join(folder, 'lib');
  mkdirSync(lib, { recursive: true });
  for (const pattern of Object.values(libraries))
    for (const path of globSync([`lib*/**/${pattern}`, `usr/lib*/**/${pattern}`], { cwd: unpacked }))
      cpSync(realpathSync(join(unpacked, path)), join(lib, basename(path)));
  // Copies the loader to the fixed path where the executable expects it. The loader searches for libraries in /lib.
  const loader = readdirSync(lib).find((name) => name.startsWith('ld-linux')) ?? '';
  const loaders = join(folder, architecture === 'amd64' ? 'lib64' : 'lib');
  mkdirSync(loaders, { recursive: true });
  if (loaders !== lib) cpSync(join(lib, loader), join(loaders, loader));
  for (const name of Object.keys(libraries)) {
    const notes = join(folder, 'usr', 'share', 'doc', name);
    mkdirSync(notes, { recursive: true });
    // The libraries from GCC share the copyright file of their source package.
    const [found] = globSync([`usr/share/doc/${name}/copyright`, 'usr/share/doc/gcc-*-base/copyright'], {
      cwd: unpacked,
    });
    if (found !== undefined) cpSync(join(unpacked, found), join(notes, 'copyright'));
  }
}
