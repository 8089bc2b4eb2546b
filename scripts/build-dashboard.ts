import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BuildOptions, OutputFile, Plugin } from 'esbuild';
import { type Build, type BuiltFile, buildPath } from '../src/server/dashboard/build.ts';

// Builds the dashboard if its sources have changed. With --optional, a failure is only printed, because short links and
// the API work without the dashboard.

const root = join(import.meta.dirname, '..');
const page = 'dashboard/index.html';
const icon = 'dashboard/icon.svg';
const manifest = 'dashboard/manifest.json';
/** Build inputs in addition to the sources, such as package versions and build options. */
const always = [page, icon, manifest, 'package-lock.json', 'scripts/build-dashboard.ts'];
/** Style sheets of the lazily loaded modules. They are not part of the initial style sheet. */
const laterStyles = [
  ...[
    'accounts',
    'builder',
    'bulk-create',
    'campaign',
    'command',
    'domains',
    'fields',
    'first',
    'help',
    'history',
    'home',
    'imports',
    'members',
  ],
  ...['keys', 'link', 'qr', 'rules', 'settings', 'shares', 'statistics', 'webhooks'],
].map((room) => `dashboard/${room}/${room}.css`);

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  html: 'text/html; charset=utf-8',
};

/** Returns esbuild's options. `forDevelopment` keeps the output readable and reloads the page after each build. */
export function buildOptions(forDevelopment = false): BuildOptions & { write: false; metafile: true } {
  return {
    absWorkingDir: root,
    entryPoints: [
      ...['dashboard/main.tsx', 'dashboard/main.css'],
      ...(forDevelopment ? ['dashboard/reload.ts'] : []),
    ],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/dashboard/assets/',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'file' },
    minify: !forDevelopment,
    sourcemap: forDevelopment ? 'inline' : false,
    plugins: [together, gathered],
    write: false,
    metafile: true,
    logLevel: 'error',
  };
}

/**
 * Bundles all lazily loaded modules into one file. By default, esbuild would create a file for the code shared by each
 * pair of modules. The result would be dozens of files, which compress badly.
 */
const together: Plugin = {
  name: 'together',
  setup(build) {
    const named = new Set<string>();
    for (const file of globSync('dashboard/**/*.{ts,tsx}', { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/\bimport\('(\.[^']+)'\)/g))
        named.add(resolve(root, dirname(file), name));
    }
    // The map comes last. Between other modules, it would make compression worse.
    const isMap = (path: string): number => Number(path.endsWith('/map.tsx'));
    const later = [...named]
      .filter((path) => path.endsWith('.tsx'))
      .sort()
      .sort((a, b) => isMap(a) - isMap(b));
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' && later.includes(resolve(resolveDir, path))
        ? { namespace: 'together', path: 'screens' }
        : undefined,
    );
    build.onLoad({ filter: /^screens$/, namespace: 'together' }, () => ({
      contents: [
        'import "linkfold:later-styles";',
        // UI strings compress better if their files are adjacent.
        ...globSync(join(root, 'dashboard/*/en.ts'))
          .sort()
          .map((path) => `import ${JSON.stringify(path)};`),
        ...later.map((path) => `export * from ${JSON.stringify(path)};`),
      ].join('\n'),
      resolveDir: root,
    }));
  },
};

/** Finds German UI strings and styles in the folders of all screens, so that no list of screens is needed. */
const gathered: Plugin = {
  name: 'gathered',
  setup(build) {
    const found = (name: string): string[] =>
      globSync(`dashboard/*/${name}`, { cwd: root })
        .map((path) => `./${path}`)
        .sort();
    build.onResolve({ filter: /^linkfold:/ }, ({ path }) => ({ namespace: 'gathered', path }));
    build.onLoad({ filter: /^linkfold:de$/, namespace: 'gathered' }, () => {
      const files = found('de.ts');
      const imports = files.map((path, at) => `import { de as _${at} } from ${JSON.stringify(path)};`);
      const all = files.map((_, at) => `..._${at}`);
      return { contents: `${imports.join('')}export const texts = {${all}};`, resolveDir: root };
    });
    build.onLoad({ filter: /^linkfold:styles$/, namespace: 'gathered' }, () => ({
      contents: found('*.css')
        .filter(
          (path) =>
            !/^\.\/dashboard\/(?:app|styles)\//.test(path) && !laterStyles.includes(path.slice('./'.length)),
        )
        .map((path) => `@import ${JSON.stringify(path)};`)
        .join('\n'),
      loader: 'css',
      resolveDir: root,
    }));
    // Puts styles into the script, so that a screen never appears without its styles.
    build.onLoad({ filter: /^linkfold:later-styles$/, namespace: 'gathered' }, async () => {
      const paths = laterStyles.map((path) => join(root, path));
      const text = `@layer screens {${paths.map((path) => readFileSync(path, 'utf8')).join('\n')}}`;
      const { target, minify = false } = build.initialOptions;
      const { code } = await build.esbuild.transform(text, {
        loader: 'css',
        minify,
        ...(target && { target }),
      });
      return {
        contents: `const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(code.trim())}); document.adoptedStyleSheets.push(sheet);`,
        watchFiles: paths,
      };
    });
  },
};

interface Made {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly outputs: Readonly<
      Record<string, { entryPoint?: string; imports: readonly { path: string; kind: string }[] }>
    >;
  };
}

/** Compresses esbuild's output and writes it to the file that the server reads. */
export async function writeBuild({ outputFiles, metafile }: Made, quality: number): Promise<Build> {
  const made: [string, Uint8Array][] = outputFiles.map(({ path, contents }) => [
    relative(root, path),
    contents,
  ]);
  const { files: signs, lines } = signsOfPage();
  made.push(...signs, ['index.html', Buffer.from(pageWith(metafile, lines))]);
  const files = Object.fromEntries(
    await Promise.all(made.map(async ([name, bytes]) => [name, await fileOf(name, bytes, quality)] as const)),
  );
  const inputs = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'));
  const sources = [...new Set([...always, ...laterStyles, ...inputs])].sort();
  const build: Build = { digest: digestOf(sources), sources, files };
  // Several builds and servers may run at once, so each file is replaced atomically.
  const part = `${fileURLToPath(buildPath)}.part-${process.pid}`;
  try {
    writeFileSync(part, JSON.stringify(build), { mode: 0o644 });
    renameSync(part, buildPath);
  } finally {
    rmSync(part, { force: true });
  }
  return build;
}

/** Creates an icon for each theme, in its accent color, and the web app manifest. */
function signsOfPage(): { files: [string, Uint8Array][]; lines: string[] } {
  const named = (name: string, text: string): [string, Uint8Array] => {
    const [base, type] = name.split('.');
    return [`assets/${base}-${hash('sha256', text, 'hex').slice(0, 8)}.${type}`, Buffer.from(text)];
  };
  const drawing = readFileSync(join(root, icon), 'utf8');
  const light = named('icon.svg', drawing);
  const dark = named('icon.svg', drawing.replace('#2f6f5e', '#8fd0bb'));
  const described = readFileSync(join(root, manifest), 'utf8').replace('icon.svg', `/dashboard/${light[0]}`);
  const app = named('manifest.webmanifest', JSON.stringify(JSON.parse(described)));
  return {
    files: [light, dark, app],
    lines: [
      `<link rel="icon" type="image/svg+xml" href="/dashboard/${light[0]}">`,
      `<link rel="icon" type="image/svg+xml" media="(prefers-color-scheme: dark)" href="/dashboard/${dark[0]}">`,
      `<link rel="manifest" href="/dashboard/${app[0]}">`,
    ],
  };
}

/** Returns the HTML page with its scripts and styles, and preloads for the scripts that they import. */
function pageWith({ outputs }: Made['metafile'], signs: readonly string[]): string {
  const lines = Object.entries(outputs).flatMap(([path, { entryPoint, imports }]) => {
    if (entryPoint === undefined || !/^dashboard\/(?:main|reload)\.\w+$/.test(entryPoint)) return [];
    if (path.endsWith('.css')) return [`<link rel="stylesheet" href="/dashboard/${path}">`];
    const first = imports.filter(({ kind }) => kind === 'import-statement');
    return [
      `<script type="module" src="/dashboard/${path}"></script>`,
      ...first.map(({ path }) => `<link rel="modulepreload" href="/dashboard/${path}">`),
    ];
  });
  // In the page, the scripts and styles follow the logo, so that the browser paints the logo before they load.
  return readFileSync(join(root, page), 'utf8')
    .replace('<!-- icons -->', () => signs.join('\n'))
    .replace('<!-- files -->', () => [...new Set(lines)].join('\n'));
}

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

async function fileOf(name: string, bytes: Uint8Array, quality: number): Promise<BuiltFile> {
  const [gzipped, brotli] = await Promise.all([
    // A lower `memLevel` makes smaller blocks, which compress code mixed with text better.
    toGzip(bytes, { level: 9, memLevel: 6 }),
    toBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  ]);
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return { type, gzip: gzipped.toString('base64'), brotli: brotli.toString('base64') };
}

/** Hashes the content of files; missing files count as empty. */
function digestOf(paths: readonly string[]): string {
  const contents = paths.map((path) => {
    const file = join(root, path);
    return `${path}\0${existsSync(file) ? hash('sha256', readFileSync(file)) : ''}`;
  });
  return hash('sha256', contents.join('\n'));
}

/** Returns true if the build matches the current sources. */
function isCurrent(): boolean {
  try {
    const { digest, sources } = JSON.parse(readFileSync(buildPath, 'utf8')) as Build;
    return digest === digestOf(sources);
  } catch {
    return false; // not built yet
  }
}

async function main(args: readonly string[]): Promise<number> {
  if (isCurrent()) return 0;
  try {
    const { build } = await import('esbuild');
    await writeBuild(await build(buildOptions()), constants.BROTLI_MAX_QUALITY);
    return 0;
  } catch (error) {
    const [reason = ''] = String((error as Error).message).split('\n');
    console.error(
      `Could not build the dashboard: ${reason} Short links and the API work without the dashboard. To build it: npm run build:dashboard`,
    );
    return args.includes('--optional') ? 0 : 1;
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
