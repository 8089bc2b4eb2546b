import {
  existsSync,
  globSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleServer } from './bundle-server.ts';

// Builds dist/ unless it is up to date. dist/ contains about 130 files instead of 750 modules, so startup is 30 %
// faster (docs/decisions/operations.md). A checkout can also run from src/, so with --optional a failure is only
// printed.

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const program = join(dist, 'main.js');
/** Packages that are not bundled. Few installations use them, and they load files of their own. */
const external = ['pg', 'pino-pretty', '@opentelemetry/*', 'pg-native'];
const sourcesOf = ['src', 'src/**', 'package-lock.json', '.dashboard.json'];
/**
 * Milliseconds before old files are deleted. A server from the previous version may still be running and may load these
 * files.
 */
const keptMs = 86_400_000;

/**
 * Returns true if a source or build script has changed since the last build began. bin/linkfold makes the same check.
 */
function isStale(): boolean {
  if (!existsSync(program)) return true;
  const { mtimeMs } = statSync(program);
  const sources = globSync([...sourcesOf, 'scripts/{build,bundle}-server.ts'], { cwd: root });
  return sources.some((path) => statSync(join(root, path)).ctimeMs > mtimeMs);
}

async function buildServer(): Promise<void> {
  const begun = new Date();
  const made = await bundleServer(external);
  // The main file is written last. Until then, a server that starts uses the previous files.
  for (const [path, contents] of made) if (path !== 'main.js') put(join(dist, path), contents);
  put(program, made.get('main.js') ?? '');
  utimesSync(program, begun, begun);
  for (const path of globSync('chunks/*.js', { cwd: dist }))
    if (!made.has(path) && statSync(join(dist, path)).mtimeMs < begun.getTime() - keptMs)
      rmSync(join(dist, path));
}

/** Several builds and servers may run at once, so each file is replaced atomically. */
function put(path: string, contents: string | Uint8Array): void {
  const part = `${path}.part-${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(part, contents);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

async function main(args: readonly string[]): Promise<number> {
  try {
    if (isStale()) await buildServer();
    return 0;
  } catch (error) {
    const [reason = ''] = String((error as Error).message).split('\n');
    console.error(
      `Could not build the server: ${reason} Linkfold runs from src/ instead, and starts a little slower. To build the server: npm run build:serve`,
    );
    return args.includes('--optional') ? 0 : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
