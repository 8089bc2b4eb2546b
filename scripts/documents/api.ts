import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import {
  apiPrefix,
  bodyFailures,
  commonFailures,
  type Endpoint,
  idempotencyFailures,
  largestBody,
  ownFailures,
  sessionFailures,
} from '../../src/contract/endpoint.ts';
import { endpoints } from '../../src/contract/endpoints/endpoints.ts';
import type { Shape } from '../../src/contract/fields.ts';
import { includableInLinks } from '../../src/contract/links/link-answers.ts';
import { headers } from '../../src/contract/openapi/headers.ts';
import { createSchemas, type Json } from '../../src/contract/openapi/schemas.ts';
import { code, fenced, paragraphs, table } from './blocks.ts';

// Generates the endpoints of docs/api.md from the contract.

const examples = join(import.meta.dirname, '..', '..', 'docs', 'examples');

const every: readonly (readonly [string, Endpoint])[] = Object.entries(endpoints);
export const endpointBlocks: readonly string[] = every.map(([name]) => `endpoint ${name}`);
export const titleOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `### ${code(`${method} ${apiPrefix}${path}`)}`;

export function headingOf(block: string): string {
  return titleOf(endpoints[block.replace('endpoint ', '') as keyof typeof endpoints]);
}

type Row = readonly [name: string, type: string, meaning: string];

/** Returns a field's OpenAPI schema. */
function schemaOf(field: z.ZodType): Json {
  return createSchemas().of(field, 'input');
}

function rowsOf(shape: Shape): Row[] {
  return Object.entries(shape).map(([name, field]) => {
    const schema = schemaOf(field);
    const isRequired = !field.safeParse(undefined).success;
    const preset = typeof schema['default'] === 'number' ? ` Default ${numeral(schema['default'])}.` : '';
    const about = `${field.description ?? schema['description'] ?? ''}${preset}`;
    return [code(name), typeOf(schema) + (isRequired ? ', required' : ''), about] as const;
  });
}

/**
 * Returns the table rows for a body with several variants. Each row shows which variants have the field, and how they
 * describe it.
 */
function rowsOfForms(body: Shape = {}, { options, def }: z.ZodDiscriminatedUnion): Row[] {
  const forms = options.map((form) => (form as z.ZodObject).shape as Shape);
  const nameOf = (form: Shape): string =>
    code(String(schemaOf(form[def.discriminator] as z.ZodType)['const']));
  return rowsOf(body).map(([name, type, about]) => {
    const having = forms.filter((form) => name.slice(1, -1) in form);
    const descriptions = having.map((form) =>
      String(schemaOf(form[name.slice(1, -1)] as z.ZodType)['description'] ?? ''),
    );
    const where = having.length === forms.length ? '' : `For ${having.map(nameOf).join(', ')}: `;
    return [name, type, about || where + [...new Set(descriptions.filter((one) => one !== ''))].join(' ')];
  });
}

/** Reader-friendly names of string formats. */
const wordFor: Readonly<Record<string, string>> = { Moment: 'time', HttpUrl: 'URL' };

function typeOf(schema: Json): string {
  const forms = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (forms !== undefined)
    return [...new Set(forms.flatMap((form) => typeOf(form).split(' or ')))].join(' or ');
  if (Array.isArray(schema['enum'])) {
    const words = schema['enum'].filter((one) => one !== null).map((one) => code(String(one)));
    return words.join(', ') + (words.length < schema['enum'].length ? ' or null' : '');
  }
  if ('const' in schema) return code(String(schema['const']));
  if (typeof schema['$ref'] === 'string') return wordFor[schema['$ref'].split('/').at(-1) ?? ''] ?? 'object';
  const types = [schema['type']].flat().map(String);
  return types
    .map((type) => (type === 'array' ? listOf(schema) : (rangeOf(type, schema) ?? type)))
    .join(' or ');
}

/**
 * Formats the type of a list. Omits the allowed values if there are many, because the documentation lists them
 * elsewhere.
 */
function listOf({ items = {} }: { readonly items?: Json }): string {
  const words = items['enum'];
  if (!Array.isArray(words)) return `list of ${typeOf(items)}s`;
  return words.length > 10 ? 'words' : `words: ${words.map(code).join(', ')}`;
}

function rangeOf(type: string, { minimum, maximum }: { minimum?: number; maximum?: number }) {
  if (type !== 'integer' || maximum === undefined || maximum >= 2 ** 32) return undefined;
  return `${numeral(minimum ?? 0)}–${numeral(maximum)}`;
}

function numeral(value: number): string {
  return value.toLocaleString('en');
}

function rowsOfEndpoint({ query, body, sent }: Endpoint): Row[] {
  const ofBody = sent instanceof z.ZodDiscriminatedUnion ? rowsOfForms(body, sent) : rowsOf(body ?? {});
  return [...rowsOf(query ?? {}), ...ofBody];
}

/** An endpoint refers to an earlier endpoint only if they share at least this many fields. */
const fewestShared = 4;

/**
 * Returns the earlier endpoint that shares the most fields with this endpoint, and the shared fields. Considers only
 * endpoints with a complete table.
 */
function sharedWith(endpoint: Endpoint): { readonly one: Endpoint; readonly same: Set<string> } | undefined {
  const known = new Set(rowsOfEndpoint(endpoint).map((row) => row.join()));
  return every
    .slice(
      0,
      every.findIndex(([, one]) => one === endpoint),
    )
    .map(([, one]) => ({ one, its: rowsOfEndpoint(one).map((row) => row.join()) }))
    .map(({ one, its }) => ({ one, all: its.length, same: new Set(its.filter((row) => known.has(row))) }))
    .filter(({ same, all }) => same.size >= fewestShared && same.size > all / 4)
    .sort((one, other) => other.same.size - one.same.size)
    .find(({ one }) => sharedWith(one) === undefined);
}

/** Formats an endpoint's fields as a table. Refers to an earlier endpoint for shared fields. */
function tableOf(endpoint: Endpoint): string {
  const rows = rowsOfEndpoint(endpoint);
  const shared = sharedWith(endpoint);
  const head = [endpoint.query === undefined ? 'Field' : 'Parameter', 'Type', 'Meaning'];
  if (shared === undefined) {
    const [[name = '', type = '', meaning = ''] = []] = rows;
    return rows.length === 1 ? `${head[0]} ${name} (${type}): ${meaning}` : table(head, rows);
  }
  const names = rows.filter((row) => shared.same.has(row.join())).map(([field]) => field);
  const rest = rows.filter((row) => !shared.same.has(row.join()));
  return paragraphs(`As in ${linkTo(shared.one)}: ${names.join(', ')}.`, table(head, rest));
}

function linkTo(endpoint: Endpoint): string {
  return `[${titleOf(endpoint).slice(4)}](#${anchorOf(endpoint)})`;
}

function anchorOf({ method, path }: Endpoint): string {
  return `${method}-${apiPrefix}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9_ -]/g, '')
    .replace(/ /g, '-');
}

/** Replaces path parameters with their examples. */
function pathOf({ path, params = {}, exampleRequest }: Endpoint): string {
  if (exampleRequest?.path !== undefined) return exampleRequest.path;
  return path.replace(/:(\w+)/g, (_, name: string) =>
    String(schemaOf(params[name] ?? z.string())['example']),
  );
}

/**
 * Returns the curl options that authenticate a request. Endpoints that only members may call use a session cookie. With
 * a cookie, every method except GET requires an Origin header.
 */
function credentialsOf({ method, access }: Endpoint): string[] {
  if (access.key === 'none') return [];
  if (access.person !== true) return ['-H "Authorization: Bearer $LINKFOLD_API_KEY"'];
  return ['-H "Cookie: $LINKFOLD_SESSION"', ...(method === 'GET' ? [] : ['-H "Origin: $LINKFOLD_URL"'])];
}

/** Shell variables set by docs/examples/records.sh, with the values that they replace in the contract's examples. */
const variables: readonly (readonly [value: string, name: string])[] = [
  ['0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10', 'LINK'],
  ['0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10', 'FOLDER'],
  ['0198c5a0-2222-7b3a-9c41-3f0f6f2f8a10', 'TAG'],
  ['0198c5a0-3333-7b3a-9c41-3f0f6f2f8a10', 'OTHER_TAG'],
  ['0198c5a0-4444-7b3a-9c41-3f0f6f2f8a10', 'UTM_TEMPLATE'],
  ['0198c5a0-5555-7b3a-9c41-3f0f6f2f8a10', 'DOMAIN'],
  ['0198c5a0-6666-7b3a-9c41-3f0f6f2f8a10', 'SHARE'],
  ['0198c5a0-7777-7b3a-9c41-3f0f6f2f8a10', 'IMPORT'],
  ['0198c5a0-8888-7b3a-9c41-3f0f6f2f8a10', 'WEBHOOK'],
  ['0198c5a0-9999-7b3a-9c41-3f0f6f2f8a10', 'DELIVERY'],
  ['7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e5f', 'SESSION'],
  ['7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60', 'MEMBER'],
  ['7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e61', 'INVITATION'],
  ['4fT9qLz2', 'KEY'],
  ['lfs_2m5vX0qTzKd81bRjWc7HnPy4GfLs9AeU', 'SHARE_TOKEN'],
  ['lfi_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd', 'INVITATION_TOKEN'],
  ['lfl_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd', 'SIGN_IN_TOKEN'],
  ['lfd_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd', 'DEVICE_CODE'],
  ['WDJB-MJHT', 'USER_CODE'],
];

function withVariables(text: string, asVariable: (name: string) => string): string {
  return variables.reduce((changed, [value, name]) => changed.replaceAll(value, asVariable(name)), text);
}

/**
 * Returns true if an example deletes a record permanently. Such examples use their own records, so that the other
 * examples can run in any order.
 */
function isFinal({ method, path }: Endpoint): boolean {
  return method === 'DELETE' && !every.some(([, one]) => one.path === `${path}/restore`);
}

function curlOf(endpoint: Endpoint): string {
  const { method, exampleRequest, success } = endpoint;
  const path = withVariables(pathOf(endpoint), (name) => `$${isFinal(endpoint) ? 'OLD_' : ''}${name}`);
  const body = exampleRequest?.body;
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$LINKFOLD_URL${apiPrefix}${path}"`,
    ...credentialsOf(endpoint),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${withVariables(JSON.stringify(body), (name) => `'$${name}'`)}'`,
        ]),
    ...(success.files === undefined ? [] : [`--fail -o ${fileOf(endpoint)}`]),
    ...(success.events === undefined ? [] : ['--no-buffer']),
  ];
  return fenced('sh', parts.reduce(joinPart));
}

/** Appends an argument to a command. Starts a new line if the argument does not fit. */
function joinPart(command: string, part: string): string {
  const last = command.split('\n').at(-1) ?? '';
  return `${command}${last.length + part.length < widest ? '' : ' \\\n '} ${part}`;
}

/** Returns the name of the file into which an example downloads the response. */
function fileOf({ path, exampleRequest, success }: Endpoint): string {
  const type =
    /format=(\w+)/.exec(exampleRequest?.path ?? '')?.[1] ?? success.files?.[0]?.replace(/.*\/(?:x-)?/, '');
  return `${path.split('/').findLast((part) => part !== 'export' && part !== 'report' && !part.startsWith(':'))}.${type}`;
}

const answers: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 204: 'No Content' };

function answerOf(endpoint: Endpoint): string {
  const { success } = endpoint;
  const { status, existing, example, files, events } = success;
  const types = files ?? (events === undefined ? [] : ['text/event-stream']);
  const also =
    existing === undefined
      ? ''
      : `, or ${existing.status} ${answers[existing.status]}: ${existing.description}`;
  const kind = types.length === 0 ? '' : `, with \`Content-Type\` ${types.map(code).join(' or ')}`;
  const none = status === 204 ? ', without a body' : '';
  const same = every.find(
    ([, one]) => example !== undefined && isDeepStrictEqual(one.success.example, example),
  )?.[1];
  const like = same === undefined || same === endpoint ? '' : `, as for ${linkTo(same)}`;
  const { success: _, ...fields } = (example ?? {}) as Readonly<Record<string, unknown>>;
  const onlyData = like === '' && Object.keys(fields).join() === 'data';
  return paragraphs(
    `Response: ${status} ${answers[status]}${kind}${none}${like}${onlyData ? ', with `data`' : ''}${also}`,
    example === undefined || like !== '' ? '' : fenced('json', pretty(onlyData ? fields['data'] : fields)),
  );
}

/** Maximum line length of an example. */
const widest = 130;

/** Formats JSON for readers. Puts all members on one line if they fit. */
export function pretty(value: unknown, indent = ''): string {
  const line = spaced(value);
  if (indent.length + line.length <= widest) return line;
  if (typeof value !== 'object' || value === null) return line;
  const isList = Array.isArray(value);
  if (isList && value.length === 1) return `[${pretty(value[0], indent)}]`;
  const inner = `${indent}  `;
  const lines: string[] = [];
  for (const [name, part] of Object.entries(value)) {
    const text = `${isList ? '' : `"${name}": `}${pretty(part, inner)}`;
    const last = lines.at(-1);
    // Objects in a list start on their own lines.
    const [start = ''] = text.split('\n');
    const fits = last !== undefined && !isList && !last.includes('\n');
    if (fits && inner.length + last.length + start.length + 3 <= widest)
      lines[lines.length - 1] = `${last}, ${text}`;
    else lines.push(text);
  }
  const inside = lines.map((one) => inner + one).join(',\n');
  return `${isList ? '[' : '{'}\n${inside}\n${indent}${isList ? ']' : '}'}`;
}

function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  const parts = Object.entries(value).map(([name, part]) => `"${name}": ${spaced(part)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function accessOf({ access: { key, also, either } }: Endpoint): string {
  if (key === 'none') return 'Key: none';
  if (either !== undefined) return `Scope: ${either.map(code).join(' or ')}, depending on the request`;
  if (key === 'any') return 'Scope: none';
  return also === undefined ? `Scope: ${code(key)}` : `Scopes: ${code(key)} and ${code(also)}`;
}

export function endpointPart(name: string): string {
  const found = every.find(([one]) => one === name);
  if (found === undefined) throw new Error(`Unknown endpoint: ${name}.`);
  const [, endpoint] = found;
  const own = ownFailures(endpoint);
  const size = endpoint.largestBody;
  const facts = [
    accessOf(endpoint),
    size === undefined || size === largestBody ? '' : `Maximum body: ${size / 1024} KiB`,
    own.length === 0 ? '' : `Errors: ${own.map(code).join(', ')}`,
  ];
  return paragraphs(
    endpoint.description,
    `${facts.filter((one) => one !== '').join('. ')}.`,
    tableOf(endpoint),
    curlOf(endpoint),
    answerOf(endpoint),
  );
}

export const apiParts: Readonly<Record<string, () => string>> = {
  'quick start': () => fenced('sh', readFileSync(join(examples, 'quick-start.sh'), 'utf8')),
  headers: () =>
    table(
      ['Header', 'Meaning'],
      Object.entries(headers).map(([name, { description }]) => [code(name), description]),
    ),
  routes: () =>
    table(
      ['Endpoint', 'Function of the client', 'Key'],
      every.map(([name, endpoint]) => [
        linkTo(endpoint),
        code(name),
        (endpoint.access.either ?? [endpoint.access.key]).map(code).join(' or '),
      ]),
    ),
  include: () => `\`include\` takes any of ${includableInLinks.map(code).join(', ')}.`,
  'common failures': () =>
    [
      ['for every request', commonFailures],
      ['with a session instead of a key', sessionFailures],
      ['with a body', bodyFailures],
      ['with an `Idempotency-Key`', idempotencyFailures],
      ['with an identifier in the path whose percent-encoding is invalid', ['ROUTE_NOT_FOUND']],
    ]
      .map(([when, codes]) => `- ${when}: ${[codes ?? []].flat().map(code).join(', ')}`)
      .join('\n'),
};
