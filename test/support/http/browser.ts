import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

interface Found {
  readonly executable: string;
  readonly env?: NodeJS.ProcessEnv;
}

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Prefers the pinned browser, which is the same on every machine and needs two thirds of the CPU time of an installed
 * one. LINKFOLD_BROWSER sets the path of another browser.
 */
const found = named() ?? unpacked() ?? installed();

/** Returns why browser tests cannot run, or undefined if they can. */
export function whyNoBrowser(): string | undefined {
  return found === undefined ? 'No working Chromium was found (Debian: apt-get install chromium)' : undefined;
}

/**
 * Opens a headless browser. The browser's sandbox is off, because the browser loads only our own pages, and tests may
 * run as root.
 */
export function openBrowser(): Promise<Browser> {
  if (found === undefined) throw new Error(whyNoBrowser());
  const { executable, env } = found;
  return chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', '--in-process-gpu'],
    ...(env && { env }),
  });
}

function named(): Found | undefined {
  const executable = process.env['LINKFOLD_BROWSER'];
  return executable === undefined ? undefined : { executable };
}

function installed(): Found | undefined {
  const [executable] = names
    .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
    .filter((path) => path !== '');
  return executable === undefined ? undefined : { executable };
}

/**
 * Returns the packaged browser for Linux on x64 with its libraries and fonts. The browser is unpacked once into a
 * separate folder, which is then moved into place, because the package treats existing files as complete and tests run
 * in parallel.
 */
function unpacked(): Found | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const root = join(import.meta.dirname, '../../..');
  const manifest = join(root, 'node_modules/@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const aside = mkdtempSync(join(cache, 'unpacking-'));
    const script = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;
    // The package unpacks its libraries only if it seems to run in a cloud function.
    const env = { ...process.env, TMPDIR: aside, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };
    execFileSync(process.execPath, ['-e', script], { cwd: root, env });
    writeFileSync(
      join(aside, 'fonts.conf'),
      `<fontconfig>
        <dir>${folder}/fonts</dir><cachedir>${folder}/fonts/cache</cachedir>
        <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
      </fontconfig>`,
    );
    try {
      renameSync(aside, folder);
    } catch {
      // Another test unpacked the browser first, so this copy is removed.
      rmSync(aside, { recursive: true });
    }
  }
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  };
  const executable = join(folder, 'chromium');
  return spawnSync(executable, ['--version'], { env }).status === 0 ? { executable, env } : undefined;
}
