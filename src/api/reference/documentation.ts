import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Documentation, StaticFile } from '../request/static-files.ts';
import { referenceHeaders, referencePage } from './page.ts';

const compress = promisify(gzip);

const javaScript = { 'content-type': 'text/javascript; charset=utf-8' };
const css = { 'content-type': 'text/css; charset=utf-8' };

/**
 * Serves the OpenAPI document and its viewer. Each file is read on first use and then cached.
 * @param withPage whether to serve the viewer
 */
export function createDocumentation(withPage: boolean): Documentation {
  const openApi = once(async () => {
    const plain = await readFile(new URL('../../../openapi.json', import.meta.url));
    return fileOf({ 'content-type': 'application/json; charset=utf-8' }, plain, await compress(plain));
  });
  const below = (path: string): URL => new URL(`files/${path}`, import.meta.url);
  const errors = once(async () => fileOf(referenceHeaders, await readFile(below('errors.html'))));
  if (!withPage) return { openApi, errors };

  const viewer = once(async () => fileOf(javaScript, undefined, await readFile(below('viewer.js.gz'))));
  const start = once(async () => fileOf(javaScript, await readFile(below('start.js'))));
  const theme = once(async () => fileOf(css, await readFile(below('theme.css'))));
  const page = once(async () => {
    const versions = { viewer: await viewer(), start: await start(), theme: await theme() };
    return fileOf(referenceHeaders, Buffer.from(referencePage(versions)));
  });
  return {
    openApi,
    errors,
    page: { page, assets: { 'viewer.js': viewer, 'start.js': start, 'theme.css': theme } },
  };
}

/** Caches the result of a read. A failed read is retried on the next call. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= read().catch((error) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

/** @param plain omitted if only the compressed form is kept, which every browser accepts */
function fileOf(headers: StaticFile['headers'], plain?: Uint8Array, gzipped?: Uint8Array): StaticFile {
  const version = hash('sha256', plain ?? gzipped ?? '', 'base64url').slice(0, 16);
  return { headers, version, ...(plain && { plain }), ...(gzipped && { gzipped }) };
}
