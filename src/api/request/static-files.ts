import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiPrefix } from '../../contract/endpoint.ts';
import { errorReference, notModified } from '../../contract/envelope.ts';
import { basePathOf } from '../../runtime/base-path.ts';

/** A file that is served unchanged. */
export interface StaticFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Version of the content, for the `ETag`. */
  readonly version: string;
  /** The uncompressed content; undefined if only the compressed form is stored. */
  readonly plain?: Uint8Array;
  readonly gzipped?: Uint8Array;
}

export interface Documentation {
  /** The OpenAPI document. */
  readonly openApi: () => Promise<StaticFile>;
  /** The page that explains each error code. */
  readonly errors: () => Promise<StaticFile>;
  /** The interactive reference. `assets` contains the files that it loads, by name. */
  readonly page?: {
    readonly page: () => Promise<StaticFile>;
    readonly assets: Readonly<Record<string, () => Promise<StaticFile>>>;
  };
}

/**
 * Size in bytes of the chunks written to a connection. The next chunk is written once the client has read the previous
 * one.
 */
const pieceBytes = 32 * 1024;

// A server update can change the file. Clients therefore revalidate it on each use, and usually get 304.
const revalidate = 'no-cache';
const forEver = 'public, max-age=31536000, immutable';

/** Mounts the OpenAPI document and its viewer. Both are available without a key. */
export function mountDocumentation(fastify: FastifyInstance, { openApi, errors, page }: Documentation): void {
  fastify.get(`${apiPrefix}/openapi.json`, { config: { route: 'openapi' } }, async (request, reply) =>
    sendFile(await openApi(), request, reply, revalidate),
  );
  fastify.get(errorReference, { config: { route: 'docs' } }, async (request, reply) =>
    sendFile(await errors(), request, reply, revalidate),
  );
  if (page === undefined) return;
  fastify.get(`${apiPrefix}/docs`, { config: { route: 'docs' } }, async (request, reply) =>
    sendFile(await page.page(), request, reply, revalidate),
  );
  for (const [name, read] of Object.entries(page.assets)) {
    fastify.get(`${apiPrefix}/docs/${name}`, { config: { route: 'docs' } }, async (request, reply) => {
      const file = await read();
      const { v } = request.query as { v?: unknown };
      return sendFile(file, request, reply, v === file.version ? forEver : revalidate);
    });
  }
}

/** Files with adapted URLs, for a `BASE_URL` with a path. */
const belowPath = new WeakMap<StaticFile, StaticFile>();

/** Returns a file with the base path added to its URLs. @param base same value in every call; empty for the root */
function fileBelow(file: StaticFile, base: string): StaticFile {
  if (base === '' || file.plain === undefined) return file;
  const known = belowPath.get(file);
  if (known !== undefined) return known;
  const text = Buffer.from(file.plain)
    .toString()
    .replaceAll(/(?<=["'])\/(?=api\/v1\/(?:docs|openapi\.json))/g, `${base}/`)
    .replace(/("servers": \[\s*\{\s*"url": )"\/"/, `$1"${base}/"`);
  const moved = { headers: file.headers, version: `${file.version}${base}`, plain: Buffer.from(text) };
  belowPath.set(file, moved);
  return moved;
}

function sendFile(
  whole: StaticFile,
  request: FastifyRequest,
  reply: FastifyReply,
  cacheControl: string,
): FastifyReply {
  const file = fileBelow(whole, basePathOf(request.headers));
  // The plain and compressed forms are equivalent, so they share a weak `ETag`.
  const tag = `W/"${file.version}"`;
  reply.headers({ ...file.headers, 'cache-control': cacheControl, etag: tag });
  const { plain, gzipped } = file;
  if (plain !== undefined && gzipped !== undefined) {
    // Appends to `Vary`, which may already contain other headers, such as `Origin`.
    reply.header('vary', [reply.raw.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  }
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(notModified).send();
  const asGzip = gzipped !== undefined && (plain === undefined || acceptsGzip(request));
  const bytes = (asGzip ? gzipped : plain) ?? new Uint8Array();
  if (asGzip) reply.header('content-encoding', 'gzip');
  reply.header('content-length', bytes.length);
  const fits = bytes.length <= pieceBytes || request.method === 'HEAD';
  return reply.send(fits ? bytes : Readable.from(piecesOf(bytes), { objectMode: false }));
}

function isKnown(known: string | undefined, tag: string): boolean {
  return known?.split(',').some((one) => ['*', tag, tag.slice(2)].includes(one.trim())) ?? false;
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  return /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(String(headers['accept-encoding'] ?? ''));
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
