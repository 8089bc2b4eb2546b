import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

// Makes dist/, the program in some 130 files instead of 750 modules, unless it is that of the sources already: a start takes
// three tenths less time (decision 0077). A checkout runs without it, from src/; with --optional a failure is told, and is none.

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const program = join(dist, 'main.js');
/** What a process or a thread starts with. */
const entries =
  'src/{main,workers/worker,storage/sqlite/{writer,reader,statistics},storage/postgres/statistics,block-lists/loader}.ts';
/** Packages that few installations use, and that load files of their own. */
const external = ['pg', 'pino-pretty', '@opentelemetry/*', 'pg-native'];
const files = ['api/reference/files', 'clicks/dimensions/countries.bin.br'];
const sourcesOf = ['src', 'src/**', 'package-lock.json', '.dashboard.json'];
/** A server of a version before may still have to load one of its own. */
const keptMs = 86_400_000;

/** The question of bin/linkfold, asked once more: did a file change after the build began? Or the way to build? */
function isStale(): boolean {
  if (!existsSync(program)) return true;
  const { mtimeMs } = statSync(program);
  const sources = globSync([...sourcesOf, 'scripts/build-server.ts'], { cwd: root });
  return sources.some((path) => statSync(join(root, path)).ctimeMs > mtimeMs);
}

async function buildServer(): Promise<void> {
  const begun = new Date();
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: globSync(entries, { cwd: root }),
    outbase: 'src',
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    external,
    // CommonJS packages ask for Node's modules by `require`.
    banner: {
      js: "import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url);",
    },
    legalComments: 'none',
    plugins: [placed],
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  // The main file comes last: until then a start takes the files of before.
  for (const { path, contents } of outputFiles.sort(
    (a, b) => Number(a.path === program) - Number(b.path === program),
  ))
    put(path, contents);
  for (const path of files) cpSync(join(root, 'src', path), join(dist, path), { recursive: true });
  const dashboard = join(root, '.dashboard.json');
  if (existsSync(dashboard)) cpSync(dashboard, join(dist, 'dashboard.json'));
  put(join(dist, 'licenses.txt'), licensesOf(metafile));
  utimesSync(program, begun, begun);
  const made = new Set(outputFiles.map(({ path }) => path));
  for (const path of globSync('chunks/*.js', { cwd: dist }).map((name) => join(dist, name)))
    if (!made.has(path) && statSync(path).mtimeMs < begun.getTime() - keptMs) rmSync(path);
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

/** The licences of the packages that the files hold, each with its text. */
function licensesOf({ inputs }: Metafile): string {
  const packages = Object.keys(inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  return [...new Set(packages)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      ) as Readonly<Record<'name' | 'version' | 'license', string>>;
      const texts = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: join(root, folder) });
      const text = texts.map((path) => readFileSync(join(root, folder, path), 'utf8').trim()).join('\n\n');
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** A module asks where it stands, for a thread's script or a file of data. In a shared file it answers its own place as before. */
const placed: Plugin = {
  name: 'placed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const place = `./dist/${relative(join(root, 'src'), path).replace(/\.ts$/, '.js')}`;
      const url = `new URL(${JSON.stringify(place)}, import.meta.resolve('linkfold/package.json'))`;
      const contents = text
        .replaceAll('import.meta.url', `${url}.href`)
        .replaceAll('import.meta.filename', `process.getBuiltinModule('url').fileURLToPath(${url})`)
        .replaceAll(
          'import.meta.dirname',
          `process.getBuiltinModule('url').fileURLToPath(new URL('.', ${url}))`,
        );
      return { contents, loader: 'ts' };
    });
  },
};

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
