import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { pageHeaders } from '../../redirect/pages/layout.ts';
import { messagePage } from '../../redirect/pages/pages.ts';
import { textsIn } from '../../redirect/pages/texts/languages.ts';
import { basePathOf } from '../../runtime/base-path.ts';
import { createBuildReader, type ServedFile } from './build.ts';

/** First path segment of every dashboard URL. */
export const mount = '/dashboard';
const assets = `${mount}/assets/`;

/**
 * CSP that allows only scripts and styles from this server, and only requests to this server. Trusted Types prevent
 * strings from becoming markup or code. The page may also show images that it creates itself, for QR codes and their
 * downloads.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-encoding',
};

// A new build changes the asset names in the page, so browsers revalidate the page each time. They usually get 304.
const revalidate = 'no-cache';
const forEver = 'public, max-age=31536000, immutable';

export interface DashboardOptions {
  /** The only host name that serves the dashboard; undefined for all host names. */
  readonly host?: string | undefined;
  /** URL of another build file to serve, for tests. */
  readonly build?: URL;
}

/**
 * Serves the dashboard's assets, and its page at every path below `/dashboard`, so that each screen has its own URL.
 * @returns a request handler, which returns false if the path or host does not belong to the dashboard
 */
export function createDashboard({ host, build }: DashboardOptions) {
  const readBuild = createBuildReader(build);
  return (path: string, request: IncomingMessage, response: ServerResponse): boolean => {
    if (path !== mount && !path.startsWith(`${mount}/`)) return false;
    if (host !== undefined && hostNameOf(request) !== host) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD') refuse(response);
    else void readBuild().then((files) => answer(files, path, request, response));
    return true;
  };
}

function answer(
  files: ReadonlyMap<string, ServedFile> | undefined,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (files === undefined) return sendPage(response, 503, notBuilt);
  const isAsset = path.startsWith(assets);
  const found = files.get(isAsset ? path.slice(mount.length + 1) : 'index.html');
  const file = found && fileBelow(found, basePathOf(request.headers));
  if (file !== undefined) sendFile(file, isAsset ? forEver : revalidate, request, response);
  else sendPage(response, 404, noSuchFile);
}

/** Files with adapted URLs, for a `BASE_URL` with a path. */
const belowPath = new WeakMap<ServedFile, ServedFile>();

/**
 * Returns a file with the base path added to the dashboard and API URLs. The build does not know the base
 * path.
 * @param base same value in every call; empty for the root
 */
function fileBelow(file: ServedFile, base: string): ServedFile {
  if (base === '' || file.type.startsWith('image/')) return file;
  const known = belowPath.get(file);
  if (known !== undefined) return known;
  const text = gunzipSync(file.gzip)
    .toString()
    .replaceAll(/(?<=["'`=}])\/(?=(?:dashboard|api\/v1)\b)/g, `${base}/`);
  const brotli = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  const moved = { type: file.type, gzip: gzipSync(text), brotli };
  belowPath.set(file, moved);
  return moved;
}

/** Returns the host name from the `Host` header, without port, in lower case. */
function hostNameOf({ headers: { host = '' } }: IncomingMessage): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

function sendFile(
  file: ServedFile,
  cacheControl: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // All encodings are equivalent, so they share a weak `ETag`.
  const tag = `W/"${hash('sha256', file.gzip, 'base64url').slice(0, 16)}"`;
  const shown = { ...headers, 'content-type': file.type, 'cache-control': cacheControl, etag: tag };
  if (request.headers['if-none-match']?.split(',').some((known) => known.trim() === tag)) {
    response.writeHead(304, shown).end();
    return;
  }
  const { encoding, bytes } = encodedFor(request, file);
  response.writeHead(200, {
    ...shown,
    'content-length': bytes.length,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function encodedFor(
  { headers: { 'accept-encoding': accepted } }: IncomingMessage,
  { gzip, brotli }: ServedFile,
): { encoding?: string; bytes: Buffer } {
  const words = String(accepted ?? '')
    .toLowerCase()
    .split(',');
  const takes = (name: string): boolean =>
    words.some((word) => word.trim().split(';')[0]?.trim() === name && !/;\s*q=0(?:\.0*)?\s*$/.test(word));
  if (takes('br')) return { encoding: 'br', bytes: brotli };
  if (takes('gzip')) return { encoding: 'gzip', bytes: gzip };
  return { bytes: gunzipSync(gzip) }; // never used for browsers, because they all accept gzip
}

const english = textsIn('en');
const notBuilt = messagePage(
  english,
  'The dashboard is not built',
  'Short links and the API work. To build the dashboard, run npm run build:dashboard in the Linkfold folder. No restart is needed.',
);
const noSuchFile = messagePage(
  english,
  'File not found',
  'The file may belong to another version of the dashboard. Reload the page.',
);

function sendPage(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { ...pageHeaders, 'content-length': Buffer.byteLength(page) });
  response.end(response.req.method === 'HEAD' ? undefined : page);
}

function refuse(response: ServerResponse): void {
  response.setHeader('allow', 'GET, HEAD');
  sendPage(response, 405, messagePage(english, 'This URL only shows a page', 'Open it in a browser.'));
}
