// Installs locked dependencies that are missing or outdated: those required to run the server, or all with `--dev`.
// Then generates the files in src/ that are not in git (scripts/generated-files.ts). `npm start` and bin/linkfold run
// this script with any installed Node, so it is plain JavaScript for Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = `${root}node_modules`;
/** npm's record of the installed packages. npm writes it last, so it is missing after an interrupted installation. */
const listPath = `${modules}/.package-lock.json`;
const lockPath = `${root}.installing`;
const pinnedNode = `${modules}/.bin/${process.platform === 'win32' ? 'node.cmd' : 'node'}`;
const wantsDev = process.argv.includes('--dev');

if (!isInstalled(wantsDev)) {
  try {
    const unlock = await lock();
    process.exitCode = isInstalled(wantsDev) ? 0 : await install();
    unlock();
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    console.error(
      `Could not install Linkfold's dependencies, which are missing or outdated: this user cannot write to ${root} (${error.code}). As its owner, run in that folder: npm ci --omit=dev`,
    );
    process.exitCode = 1;
  }
}
const generator = `${root}scripts/generated-files.ts`;
if (!process.exitCode && existsSync(generator))
  process.exitCode = spawnSync(pinnedNode, [generator], { stdio: 'inherit' }).status ?? 1;

/** Returns the packages in a lock file, by path. */
function packagesIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined; // the file is missing, or was not completely written before a crash
  }
}

/**
 * Returns the required packages by path. Omits packages that the lock file marks as development packages, unless
 * `withDev` is set.
 */
function wanted(withDev) {
  return Object.entries(packagesIn(`${root}package-lock.json`)).filter(
    ([place, { dev, devOptional }]) => place !== '' && (withDev || !(dev || devOptional)),
  );
}

/** Returns true if every package in the lock file is installed at its locked version. */
function isInstalled(withDev) {
  const there = packagesIn(listPath);
  if (there === undefined || !existsSync(pinnedNode)) return false;
  return wanted(withDev).every(([place, { integrity, optional }]) => {
    // npm omits optional packages for other platforms, so these may be missing.
    if (there[place] === undefined) return optional;
    return there[place].integrity === integrity && existsSync(`${root}${place}/package.json`);
  });
}

/**
 * Runs npm. If all packages for the server are installed, npm only adds missing packages, because a server may be
 * running from this folder. Otherwise all packages are reinstalled, with development packages if they were installed
 * before.
 * @returns npm's exit code
 */
async function install() {
  const hadDev = Object.values(packagesIn(listPath) ?? {}).some(({ dev }) => dev);
  const withDev = wantsDev || hadDev;
  const command = isInstalled(false) ? ['install', '--no-save'] : ['ci'];
  const which = ['--include=optional', withDev ? '--include=dev' : '--omit=dev'];
  // Hides `engines` warnings. npm checks the Node that runs npm, but Linkfold runs on the Node that it installs as a
  // package.
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const began = Date.now();
  console.error(
    withDev
      ? 'Installing the dependencies of Linkfold and its tests into node_modules (once) ...'
      : 'Installing the dependencies of Linkfold into node_modules (once; most of the size is Node) ...',
  );
  rmSync(listPath, { force: true });
  const stopTelling = tellProgress(wanted(withDev), began);
  const code = await runNpm([...command, ...which, ...quiet]);
  stopTelling();
  if (code !== 0) {
    console.error(
      'Could not install the dependencies. Check that the npm registry is reachable, then run: npm ci',
    );
    return code;
  }
  trim();
  console.error(
    `Installed ${Object.keys(packagesIn(listPath)).length} packages in ${secondsSince(began)} s.`,
  );
  if (existsSync(pinnedNode)) return 0;
  const node = Object.values(packagesIn(`${root}package-lock.json`)).find(({ bin }) => bin?.node);
  console.error(
    `npm has no package of the pinned Node for this machine (${process.platform}, ${process.arch}). Install Node ${node?.version}, and link node_modules/.bin/node to it.`,
  );
  return 1;
}

function secondsSince(began) {
  return Math.round((Date.now() - began) / 1000);
}

/** @returns npm's exit code, or 1 if npm was killed or is not installed */
function runNpm(args) {
  // If npm, pnpm or Yarn runs this script, `npm_execpath` is the path of that program. If bin/linkfold runs this
  // script, the variable is unset.
  const [npm] = /^(?:.*[\\/])?npm[^\\/]*$/.exec(process.env.npm_execpath ?? '') ?? [];
  const options = {
    cwd: root,
    stdio: ['ignore', 'ignore', 2],
    env: { ...process.env, npm_config_update_notifier: 'false' },
  };
  const child = npm
    ? spawn(process.execPath, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  // The lock stays held while npm runs, even if only this process is killed.
  if (child.pid !== undefined) writeFileSync(lockPath, `${process.pid} ${child.pid}`);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`Could not run npm (${error.code}). Install npm, and put it on the PATH.`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Prints the number of installed packages repeatedly: in place on a terminal, otherwise every ten seconds.
 * @returns a function that stops printing
 */
function tellProgress(packages, began) {
  const { isTTY } = process.stderr;
  const tell = () => {
    const there = packages.filter(([place]) => existsSync(`${root}${place}/package.json`)).length;
    const line = `  packages installed so far: ${there} (${secondsSince(began)} s)`;
    process.stderr.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
  const timer = setInterval(tell, isTTY ? 250 : 10_000);
  return () => {
    clearInterval(timer);
    if (isTTY) process.stderr.write('\r\x1b[K');
  };
}

/** Removes files that neither Linkfold nor its tests read, about a third of the total size. */
function trim() {
  const unread = [
    /^node-[^/]+\/(?:include|share)$/, // headers for native addons, which Linkfold does not use
    /^@opentelemetry\/[^/]+\/build\/(?:esm|esnext)$/, // builds for bundlers
    /^(?:zod\/src|fastify\/docs|fastify\/test|bintrees\/test)$/,
    /\.map$/,
  ];
  for (const path of readdirSync(modules, { recursive: true })) {
    if (unread.some((pattern) => pattern.test(path)))
      rmSync(`${modules}/${path}`, { recursive: true, force: true });
  }
}

/**
 * Acquires the lock. If two processes install at the same time, the second one waits.
 * @returns a function that releases the lock
 */
async function lock() {
  for (let isWaiting = false, hadLeftover = false; ; isWaiting = true) {
    try {
      writeFileSync(lockPath, String(process.pid), { flag: 'wx' });
      // Another process that found the same stale lock may now remove this new lock instead. Waits, then checks again.
      if (hadLeftover) await pause(500);
      if (readFileSync(lockPath, 'utf8') === String(process.pid))
        return () => rmSync(lockPath, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error;
      if (!isHeld()) {
        rmSync(lockPath, { force: true });
        hadLeftover = true;
      } else if (!isWaiting) {
        console.error(
          `Waiting for another installation to finish (if none is running, delete ${lockPath}) ...`,
        );
      }
      await pause(200);
    }
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns true if a process named in the lock is still running. A killed process leaves its lock behind. */
function isHeld() {
  let holders;
  try {
    holders = readFileSync(lockPath, 'utf8').split(' ').map(Number);
  } catch {
    return true; // the lock was just released
  }
  return holders.some((pid) => {
    try {
      process.kill(pid || -1, 0); // -1: the lock is empty, and its holder is about to write it
      return true;
    } catch (error) {
      return error.code === 'EPERM';
    }
  });
}
