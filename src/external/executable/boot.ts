// Entry point of the standalone executable. Node lets this script load only built-in modules, so the script extracts
// the program to a folder once and starts it from there.
import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { zstdDecompressSync } from 'node:zlib';
import { cacheFolder, unpack } from './unpack.ts';

const worker = join('dist', 'workers', 'worker.js');

function start(): void {
  const contents = JSON.parse(getAsset('contents.json', 'utf8')) as {
    name: string;
    files: Record<string, number>;
    /** Folder in which a package or an image has installed the program. */
    installed?: string;
  };
  const cache = cacheFolder(process.env);
  const folder =
    contents.installed ??
    unpack({ ...contents, read: (path) => zstdDecompressSync(new Uint8Array(getRawAsset(path))) }, cache);
  // Node's compile cache speeds up later runs, including the program's threads and child processes.
  process.env['NODE_COMPILE_CACHE'] ||= join(cache, 'compiled');
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
  // These variables have no effect on this process, which has already read them, but worker processes inherit them.
  process.env['MALLOC_ARENA_MAX'] ||= '2';
  process.env['MALLOC_MMAP_THRESHOLD_'] ||= '65536';
  // Child processes already have the same built-in Node options. If this process passed them as arguments, they would
  // be parsed as a command.
  process.execArgv = [];
  const [, , first = ''] = process.argv;
  // The primary process, which may run the previous version, starts a worker process with the path of the worker script
  // as the first argument.
  const isWorker = process.channel !== undefined && first.endsWith(worker);
  if (isWorker) process.argv.splice(1, 1);
  const load = createRequire(join(folder, 'start.cjs'))('./start.cjs') as (path: string) => Promise<unknown>;
  void load(isWorker ? `./${worker}` : './dist/main.js');
}

try {
  start();
} catch (error) {
  process.stderr.write(`error: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
