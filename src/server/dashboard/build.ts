import { readFile, stat } from 'node:fs/promises';

/** One file of the built dashboard. */
export interface BuiltFile {
  readonly type: string;
  /** Compressed content in Base64. The field name is the content encoding. */
  readonly gzip: string;
  readonly brotli: string;
}

/**
 * Output of `scripts/build-dashboard.ts`. The whole dashboard is in a single file, so that it can be replaced
 * atomically.
 */
export interface Build {
  /** Digest of all inputs. If the digest of the current inputs differs, a new build is required. */
  readonly digest: string;
  /** The build's source files, relative to the root of the checkout. */
  readonly sources: readonly string[];
  /** Files by name: `index.html`, and assets whose names contain a content digest. */
  readonly files: Readonly<Record<string, BuiltFile>>;
}

/** A file with its compressed forms, ready to serve. */
export interface ServedFile {
  readonly type: string;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** URL of the build file. In a package, the file is next to the compiled program; in a checkout, it is in the root. */
export const buildPath = new URL(
  import.meta.url.endsWith('.ts') ? '../../../.dashboard.json' : '../../dashboard.json',
  import.meta.url,
);

/**
 * Creates the function that reads the build and caches it until the file changes.
 * @returns files by name; undefined if there is no build
 */
export function createBuildReader(
  path = buildPath,
): () => Promise<ReadonlyMap<string, ServedFile> | undefined> {
  let read: { readonly mark: string; readonly files: Promise<ReadonlyMap<string, ServedFile>> } | undefined;
  return async () => {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found === undefined) return undefined;
    const mark = `${found.ino} ${found.mtimeNs} ${found.size}`;
    if (read?.mark !== mark) read = { mark, files: readBuild(path) };
    return read.files.catch(() => {
      read = undefined;
      return undefined;
    });
  };
}

async function readBuild(path: URL): Promise<ReadonlyMap<string, ServedFile>> {
  const { files } = JSON.parse(await readFile(path, 'utf8')) as Build;
  return new Map(
    Object.entries(files).map(([name, { type, gzip, brotli }]) => [
      name,
      { type, gzip: Buffer.from(gzip, 'base64'), brotli: Buffer.from(brotli, 'base64') },
    ]),
  );
}
