import { readFile, stat } from 'node:fs/promises';

/** One file of the built dashboard. */
export interface BuiltFile {
  readonly type: string;
  /** Content by its encoding, in base64. */
  readonly gzip: string;
  readonly brotli: string;
}

/** What `scripts/build-dashboard.ts` writes: the whole dashboard as one file, so that it is replaced in one step. */
export interface Build {
  /** Of everything that it was made from: another one means that it has to be made again. */
  readonly digest: string;
  /** The sources it was made from, from the root of the checkout. */
  readonly sources: readonly string[];
  /** By name: `index.html`, and what it loads. Those have a digest of their content in their names. */
  readonly files: Readonly<Record<string, BuiltFile>>;
}

/** A file as it is sent. */
export interface ServedFile {
  readonly type: string;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** The built dashboard: in the package next to the compiled program, in a checkout where the build script puts it. */
export const buildPath = new URL(
  import.meta.url.endsWith('.ts') ? '../../../.dashboard.json' : '../../dashboard.json',
  import.meta.url,
);

/**
 * Reads the build, and again when there is a new one.
 * @returns its files by name; undefined while there is none
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
