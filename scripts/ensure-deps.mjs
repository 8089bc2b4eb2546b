// Installs the locked dependencies when they are missing or out of date. Runs before `npm start` and `npm test`
// and from bin/linkfold on whatever Node the machine has, so it stays plain JavaScript that Node 20 understands.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.lock-hash`;
const pinnedNode = `${root}node_modules/.bin/${process.platform === 'win32' ? 'node.cmd' : 'node'}`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
const installed = () => existsSync(pinnedNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;

if (process.argv.includes('--stamp')) {
  // npm runs this after every `npm install` and `npm ci`: an install done by hand counts as well.
  if (existsSync(`${root}node_modules`)) writeFileSync(stamp, wanted);
} else if (!installed()) {
  const release = await lock(`${root}.installing`);
  try {
    if (!installed()) install();
  } finally {
    release();
  }
}

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
    process.exit(done.status ?? 1);
  }
  writeFileSync(stamp, wanted);
}

/** Two first starts at once must not install over each other: the second waits for the first. */
async function lock(path) {
  for (;;) {
    try {
      mkdirSync(path);
      closeSync(openSync(`${path}/owner`, 'w'));
      return () => rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const age = Date.now() - statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (age > 10 * 60_000) rmSync(path, { recursive: true, force: true }); // left behind by a killed install
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
