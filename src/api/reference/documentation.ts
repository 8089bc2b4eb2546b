import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { html } from '../../redirect/pages/html.ts';
import { iconUrl } from '../../redirect/pages/mark.ts';
import type { Documentation, StaticFile } from '../request/static-files.ts';

const path = '/api/v1/docs';

/**
 * CSP that allows scripts only from this server, and requests only to this server. The viewer needs inline styles, but
 * neither `eval` nor other hosts.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const referenceHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

interface Versioned {
  readonly version: string;
}

/** Returns the HTML of the interactive API reference. */
function referencePage(files: {
  readonly viewer: Versioned;
  readonly start: Versioned;
  readonly theme: Versioned;
}): string {
  const { viewer, start, theme } = files;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>API · Linkfold</title>
<link rel="icon" href="${iconUrl}">
<link rel="stylesheet" href="${path}/theme.css?v=${theme.version}">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The API description is also available as <a href="/api/v1/openapi.json">openapi.json</a>.</noscript>
<script src="${path}/start.js?v=${start.version}"></script>
<script src="${path}/viewer.js?v=${viewer.version}"></script>
</body>
</html>
`.markup;
}

const compress = promisify(gzip);

const javaScript = { 'content-type': 'text/javascript; charset=utf-8' };
const css = { 'content-type': 'text/css; charset=utf-8' };

/**
 * Serves the OpenAPI document and its viewer. Each file is read on first use and then cached.
 * @param withPage true to also serve the viewer
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

/** Creates a static file. @param plain omitted if only the gzip form is stored, which every browser accepts */
function fileOf(headers: StaticFile['headers'], plain?: Uint8Array, gzipped?: Uint8Array): StaticFile {
  const version = hash('sha256', plain ?? gzipped ?? '', 'base64url').slice(0, 16);
  return { headers, version, ...(plain && { plain }), ...(gzipped && { gzipped }) };
}
