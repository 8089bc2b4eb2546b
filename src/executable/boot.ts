// What the executable starts with: Node lets this one script load Node's own modules only, so it writes the program into a
// folder once and starts it from there.
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
    /** Where a package or an image has put the program. */
    installed?: string;
  };
  const cache = cacheFolder(process.env);
  const folder =
    contents.installed ??
    unpack({ ...contents, read: (path) => zstdDecompressSync(new Uint8Array(getRawAsset(path))) }, cache);
  // Compiled code is kept between starts, for the threads and processes of this one too.
  process.env['NODE_COMPILE_CACHE'] ||= join(cache, 'compiled');
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
  // What bin/linkfold sets before Node starts, for the processes of workers at least.
  process.env['MALLOC_ARENA_MAX'] ||= '2';
  process.env['MALLOC_MMAP_THRESHOLD_'] ||= '65536';
  // They hold already for whatever the executable starts; as arguments they would be taken for a command.
  process.execArgv = [];
  const [, , first = ''] = process.argv;
  // A worker's process is started with its script, by a program of this version or of the one before.
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
