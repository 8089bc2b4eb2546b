// Installs the locked dependencies when they are missing or out of date. Runs before `npm start` and `npm test`
// and from bin/linkfold on whatever Node the machine has, so it stays plain JavaScript that Node 20 understands.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pinnedNode = `${root}node_modules/.bin/${process.platform === 'win32' ? 'node.cmd' : 'node'}`;
const packagesIn = (path) => JSON.parse(readFileSync(`${root}${path}`, 'utf8')).packages;

if (!installed()) {
  const release = await lock(`${root}.installing`);
  const code = installed() ? 0 : install();
  release();
  process.exitCode = code;
}

/** Whether everything the lock file asks for is there: npm leaves a list of what it installed. */
function installed() {
  if (!existsSync(pinnedNode) || !existsSync(`${root}node_modules/.package-lock.json`)) return false;
  const there = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(
    ([name, { integrity, optional }]) => name === '' || optional || there[name]?.integrity === integrity,
  );
}

/** @returns the exit code of npm */
function install() {
  console.error('Installing what Linkfold needs (once) ...');
  const npm = process.env.npm_execpath; // set when npm runs this script; absent when bin/linkfold does
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, npm_config_update_notifier: 'false' },
  };
  const done = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (done.status !== 0) {
    console.error('The installation failed. Is the npm registry reachable? Try again with: npm ci');
  }
  return done.status ?? 1;
}

/** Two first starts at once must not install over each other: the second waits for the first. */
async function lock(path) {
  for (let waiting = false; ; waiting = true) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isAlive(path)) rmSync(path, { force: true });
      else if (!waiting) console.error('Waiting for another installation to finish ...');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** Whether the process that holds the lock still runs; a killed one leaves its file behind. */
function isAlive(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')) || -1, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
