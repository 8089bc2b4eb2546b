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

// Makes dist/, the program in some 130 files instead of 750 modules, unless it is that of the sources already: a start takes
// three tenths less time (docs/decisions/operations.md). A checkout runs without it, from src/; with --optional a failure is told, and is none.

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const program = join(dist, 'main.js');
/** Packages that few installations use, and that load files of their own. */
const external = ['pg', 'pino-pretty', '@opentelemetry/*', 'pg-native'];
const sourcesOf = ['src', 'src/**', 'package-lock.json', '.dashboard.json'];
/** A server of a version before may still have to load one of its own. */
const keptMs = 86_400_000;

/** The question of bin/linkfold, asked once more: did a file change after the build began? Or the way to build? */
function isStale(): boolean {
  if (!existsSync(program)) return true;
  const { mtimeMs } = statSync(program);
  const sources = globSync([...sourcesOf, 'scripts/{build,bundle}-server.ts'], { cwd: root });
  return sources.some((path) => statSync(join(root, path)).ctimeMs > mtimeMs);
}

async function buildServer(): Promise<void> {
  const begun = new Date();
  const made = await bundleServer(external);
  // The main file comes last: until then a start takes the files of before.
  for (const [path, contents] of made) if (path !== 'main.js') put(join(dist, path), contents);
  put(program, made.get('main.js') ?? '');
  utimesSync(program, begun, begun);
  for (const path of globSync('chunks/*.js', { cwd: dist }))
    if (!made.has(path) && statSync(join(dist, path)).mtimeMs < begun.getTime() - keptMs)
      rmSync(join(dist, path));
}

/** Two starts may build at once, and a server may read: each finds a whole file. */
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
      `The program cannot be built: ${reason} It starts from src/, a little slower; build it with: npm run build:serve`,
    );
    return args.includes('--optional') ? 0 : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
