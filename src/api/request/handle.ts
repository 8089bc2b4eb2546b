import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  apiPrefix,
  type Endpoint,
  type FileBody,
  ignoresIdempotencyKey,
  isWrite,
  type SuccessOf,
} from '../../contract/endpoint.ts';
import { notModified, Refusal } from '../../contract/envelope.ts';
import { listsWithCommas, mayRepeat, type Parsed, parseFields, type Shape } from '../../contract/fields.ts';
import { eventStreamType } from '../../contract/statistics/events.ts';
import { type Actor, type Author, authorOf } from '../../model/accounts/actors.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { Failure, type Problem, problem, refused } from '../../model/failures.ts';
import { type IfMatch, ifMatchProblem, revisionsIn, tagOfRevision } from '../../model/history/revisions.ts';
import type { IdempotencyClaim } from '../../model/idempotency.ts';
import { plainId, recordId } from '../../model/ids.ts';
import { type DestinationRules, withOwnDomains } from '../../model/links/destinations/destinations.ts';
import type { Writes } from '../../model/storage.ts';
import { Exported, headersOf, type Table } from '../tables/table.ts';
import { type AuthOptions, requireStill } from './authenticate.ts';
import { type Call, Existing, type Handler } from './handler.ts';
import { earlierUse, readKey } from './idempotency.ts';
import { Written } from './long-work.ts';
import { restrictedStorage } from './restricted-storage.ts';
import { isStrict, unknownNames } from './strict.ts';

/** The parts of a request that a handler needs. Internal calls, such as calls by MCP tools, provide the same parts. */
export type HandlerRequest = Pick<
  FastifyRequest,
  'actor' | 'body' | 'headers' | 'id' | 'method' | 'params' | 'query'
>;
/** Receives the status and headers of the response. */
export type HandlerReply = Pick<FastifyReply, 'code' | 'header' | 'headers' | 'raw'>;

/**
 * Handles a request after the hooks have checked key, scope, media type and JSON: validates the fields, applies the
 * handler's rules, and runs the handler (CONTRACT §1.4).
 */
export async function handleCall<E extends Endpoint>(
  gate: AuthOptions,
  endpoint: E,
  handler: Handler<E>,
  request: HandlerRequest,
  reply: HandlerReply,
): Promise<unknown> {
  const { context } = gate;
  // The actor is null only for endpoints that require no key. Their handlers do not use an actor.
  const actor = request.actor as Actor;
  const key = actor?.key as ApiKey;
  if (endpoint.needsBody && request.body == null) throw new Refusal('INVALID_BODY');
  const sent = (request.body ?? {}) as Record<string, unknown>;
  const header = request.headers['idempotency-key'];
  const once =
    header === undefined
      ? undefined
      : readKey(
          endpoint,
          header,
          key,
          { path: pathOf(endpoint, request.params as Record<string, string>), body: sent },
          context.now(),
        );

  const facts: ResponseFacts = {};
  const earlier = once === undefined ? undefined : await earlierUse(context.storage, once);
  const call = validate(gate, endpoint, handler, { request, reply, actor, sent, facts }, earlier === 'same');
  if (earlier === 'other') throw new Failure('IDEMPOTENCY_KEY_REUSED');
  const author =
    isWrite(endpoint) && actor !== null
      ? authorOf(actor, request.id, context.now(), endpoint.access.operator)
      : undefined;
  const work = () => run(call, handler, once, author);
  const { body: done, replayed } = await (once === undefined ? work() : context.exclusively(once, work));
  const body =
    handler.afterwards === undefined || replayed
      ? done
      : await handler.afterwards(done as SuccessOf<E>, call);
  if (replayed) reply.header('idempotency-replayed', 'true');
  if (header !== undefined && ignoresIdempotencyKey(endpoint))
    reply.header('idempotency-key-ignored', 'true');
  if (body instanceof Existing) {
    reply.code(endpoint.success.existing?.status ?? endpoint.success.status);
    return body.body;
  }
  if (handler.location !== undefined)
    reply.header('location', context.baseUrl() + handler.location(body as SuccessOf<E>, call));
  if (endpoint.method === 'GET' && isKnown(facts, request)) {
    reply.code(notModified);
    return undefined;
  }
  reply.code(endpoint.success.status);
  if (body instanceof Exported) return sendTable(context, key.accountId, body.table, request, reply);
  if (endpoint.success.events !== undefined) return asStream(body as unknown as Readable, request, reply);
  if (endpoint.success.files !== undefined) return asFile(body as unknown as FileBody, reply);
  return body instanceof Written ? body.bytes : body;
}

/** Metadata that a handler sets for its response. */
interface ResponseFacts {
  /** Revision of the link in the response. */
  revision?: number;
}

/** Returns true if `If-None-Match` contains the response's revision. */
function isKnown({ revision }: ResponseFacts, { headers }: HandlerRequest): boolean {
  const header = headers['if-none-match'];
  if (revision === undefined || header === undefined) return false;
  const known = revisionsIn(header);
  // A malformed header matches no revision, so the client gets the full response.
  return known === undefined || (known !== 'malformed' && known.includes(revision));
}

/** Parses `If-Match`. Returns a validation error if the header is malformed or the endpoint does not support it. */
function matchIn(endpoint: Endpoint, header: string | undefined): { ifMatch: IfMatch; problems: Problem[] } {
  if (header === undefined || !isWrite(endpoint)) return { ifMatch: undefined, problems: [] };
  const known = endpoint.matches ? revisionsIn(header) : 'malformed';
  if (known !== 'malformed') return { ifMatch: known, problems: [] };
  return { ifMatch: undefined, problems: [ifMatchProblem(endpoint.matches)] };
}

function asFile({ type, name, headers = {}, bytes }: FileBody, reply: HandlerReply): Uint8Array {
  reply.header('content-type', type);
  reply.header('content-disposition', `inline; filename="${name}"`);
  for (const [header, value] of Object.entries(headers)) reply.header(header, value);
  varyOnAccept(reply);
  return bytes;
}

/** Appends `Accept` to `Vary`, which may already contain other headers, such as `Origin`. */
function varyOnAccept(reply: HandlerReply): void {
  reply.header('vary', [reply.raw.getHeader('vary') ?? [], 'accept'].flat().join(', '));
}

async function sendTable(
  { exports }: AuthOptions['context'],
  accountId: number,
  table: Table,
  request: HandlerRequest,
  reply: HandlerReply,
): Promise<Readable> {
  const stream = await exports.begin(accountId, table);
  reply.headers(headersOf(table));
  varyOnAccept(reply);
  return omitBodyForHead(stream, request);
}

/** For HEAD requests, replaces a stream with an empty body. */
function omitBodyForHead(body: Readable, { method }: HandlerRequest): Readable {
  if (method !== 'HEAD') return body;
  body.destroy();
  return Readable.from([]);
}

/** Sets the headers of an event stream, including `X-Accel-Buffering`, which tells proxies not to buffer the stream. */
function asStream(body: Readable, request: HandlerRequest, reply: HandlerReply): Readable {
  reply.header('content-type', `${eventStreamType}; charset=utf-8`);
  reply.header('cache-control', 'no-store, no-transform');
  reply.header('x-accel-buffering', 'no');
  return omitBodyForHead(body, request);
}

interface HandlerContext {
  readonly request: HandlerRequest;
  readonly reply: HandlerReply;
  readonly actor: Actor;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly facts: ResponseFacts;
}

/**
 * Returns the context for requests with a key. This context knows the account's domains and enforces the key's
 * restrictions.
 */
function forAccount(context: AuthOptions['context'], key: ApiKey | undefined): AuthOptions['context'] {
  const own =
    key?.hosts === undefined && key?.appSchemes === undefined
      ? context
      : { ...context, destinations: destinationsFor(context, key) };
  if (key?.restrictions === undefined) return own;
  const storage = restrictedStorage(own.storage, key.restrictions);
  return { ...own, storage, writes: storage, restrictions: key.restrictions };
}

function destinationsFor(
  { destinations, baseUrl }: AuthOptions['context'],
  { hosts, appSchemes }: ApiKey,
): DestinationRules {
  const own = hosts === undefined ? destinations : withOwnDomains(destinations, hosts, baseUrl());
  return appSchemes === undefined ? own : { ...own, appSchemes };
}

function validate<E extends Endpoint>(
  { context }: AuthOptions,
  endpoint: E,
  handler: Handler<E>,
  { request, reply, actor, sent, facts }: HandlerContext,
  done: boolean,
): Call<E> {
  const params = parse(endpoint.params, withRecordId(request.params as Record<string, string>));
  const query = parse(endpoint.query, refuseRepeated(endpoint, request.query as Record<string, unknown>));
  const body = parse(endpoint.body, without(sent, endpoint.ignoredOn?.[actor.key.plan] ?? []));
  const values = { params: params.values, query: query.values, body: body.values };
  const accept = request.headers.accept ?? '';
  const browser = {
    headers: request.headers,
    setCookie: (cookie: string) => void reply.header('set-cookie', cookie),
  };
  const { ifMatch, problems: unmatched } = matchIn(endpoint, request.headers['if-match']);
  const tag = (revision: number | undefined): void => {
    if (revision === undefined) return;
    facts.revision = revision;
    reply.header('etag', tagOfRevision(revision));
  };
  const still = (): Promise<ApiKey> => requireStill({ context }, endpoint, request);
  const key = actor?.key;
  const partial = {
    context: forAccount(context, key),
    key,
    actor,
    browser,
    ...values,
    sent,
    accept,
    ifMatch,
    tag,
    requireStill: still,
  };
  const call = partial as Call<E>;
  const refusedShapes = [...query.problems, ...body.problems].map(({ field }) => topLevel(field));
  // If a field has the wrong type, drops the errors that the handler's rules report for it: the field is missing from
  // the parsed body.
  const rules = (done ? [] : (handler.rules?.(call) ?? [])).filter(
    ({ field }) => !refusedShapes.includes(topLevel(field)),
  );
  const strangers = isStrict(request.headers['prefer'])
    ? unknownNames(endpoint, request.query as Record<string, unknown>, sent)
    : [];
  const problems = [
    ...strangers,
    ...unmatched,
    ...params.problems,
    ...query.problems,
    ...body.problems,
    ...rules,
  ];
  if (problems.length > 0) throw refused(problems);
  return call;
}

/** Normalizes the path parameter `id`, which is a UUID on every path. */
function withRecordId({ id, ...params }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return id === undefined ? params : { ...params, id: recordId(id) };
}

/** Returns the path in canonical form. */
function pathOf({ path }: Endpoint, params: Readonly<Record<string, string>>): string {
  return apiPrefix + path.replace(/:(\w+)/g, (_, name: string) => plainId(params[name] ?? ''));
}

/** Returns the top-level part of a field path: `filter` for `filter.tag`. */
function topLevel(field: string | undefined): string {
  return field?.split(/[.[]/, 1)[0] ?? '';
}

function parse(shape: Shape | undefined, source: Readonly<Record<string, unknown>>) {
  return shape === undefined
    ? { values: {} as Partial<Parsed<Shape>>, problems: [] as Problem[] }
    : parseFields(shape, source);
}

async function run<E extends Endpoint>(
  call: Call<E>,
  handler: Handler<E>,
  once: IdempotencyClaim | undefined,
  author: Author | undefined,
) {
  const { context } = call;
  const runWith = (writes: Writes) => handler.run({ ...call, context: { ...context, writes } });
  if (once === undefined) {
    const body = author === undefined ? handler.run(call) : runWith(context.storage.writesBy(author));
    return { body: await body, replayed: false };
  }
  const { value, replayed } = await context.storage.idempotent(once, runWith, author);
  return { body: value, replayed };
}

function without(source: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return names.length === 0
    ? source
    : Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)));
}

/**
 * Rejects a known parameter that is repeated, unless it is a list, because the intended value would be ambiguous
 * (CONTRACT §3). A list parameter is always parsed as a list, even if it occurs only once.
 */
function refuseRepeated(
  endpoint: Endpoint,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = Object.entries(endpoint.query ?? {}).filter(([name]) => query[name] !== undefined);
  const read = given.map(([name, schema]) => {
    const values = [query[name]].flat();
    if (mayRepeat(schema)) return [name, values] as const;
    return [name, listsWithCommas(schema) ? values.join(',') : query[name]] as const;
  });
  const repeated = read.filter(([name, value]) => Array.isArray(value) && !mayRepeat(endpoint.query?.[name]));
  if (repeated.length === 0) return { ...query, ...Object.fromEntries(read) };
  throw refused(repeated.map(([field]) => problem(field, 'repeated', `${field} must be sent only once.`)));
}
