import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { optOutHeaders, purposeHeaders } from '../../../src/clicks/dimensions/visit-headers.ts';
import { apiPrefix, everyEndpoint } from '../http/openapi.ts';
import { words } from '../words.ts';

/** Strings that, when repeated, make a careless pattern or loop take quadratic time. */
// biome-ignore format: several per line.
const units = [
  ' ', '\t', '\n', '\r\n', '\f', '\0', '\x7f', 'a ', ' \t', '.', '..', 'a.', '/', '/.', '/..',
  '\\', '//', '0', '1', '0:', '1.', '::', '-', '_', '--', 'T', 'Z', '+', '%', '%2', '%20', '%C3',
  '%25', '&', '=', 'a=', '?', '#', ';', '; ', ',', ', ', ':', '@', '@:', '[', ']', '[]', '(', '{',
  '<', '>', '*', '~', '!', '|', '$', '"', "'", '\\"', 'lfk_', 'Bearer ', 'xn--', '*.', '\x1b[',
  '\x1b]', '\x9b', '\ud800', '\udc00', '\u0301', '\u0323\u0301', '\ud83d\ude00', '\u00fc',
  '\u00a0', '\u2028', '\u200b', '\u2800', '\u3002', '\ufeff', '\u6f22', '\uff0f',
];

const places = ['in front', 'inside', 'behind'] as const;
type Place = (typeof places)[number];

function around(base: string, many: string, place: Place): string {
  const at = { 'in front': 0, inside: Math.ceil(base.length / 2), behind: base.length }[place];
  return base.slice(0, at) + many + base.slice(at);
}

/** A position in a request, with requests that differ only in the string at this position. */
export interface Slot {
  readonly name: string;
  readonly plain: Buffer;
  /** Functions that create the requests. If all requests existed at once, they would fill the memory. */
  readonly awkward: readonly { readonly unit: string; readonly request: () => Buffer }[];
}

/**
 * @param write encodes a string for the position, or returns undefined if that is impossible
 * @param requestWith returns the request with an encoded string
 * @param room maximum length of the encoded string in bytes
 */
function slotOf(
  name: string,
  base: string,
  room: number,
  write: (text: string) => string | undefined,
  requestWith: (written: string) => Buffer,
): Slot {
  const left = room - Buffer.byteLength(write(base) ?? '');
  const filled = (unit: string, place: Place): Buffer => {
    const times = Math.floor(left / Buffer.byteLength(write(unit) ?? ''));
    return requestWith(write(around(base, unit.repeat(times), place)) ?? '');
  };
  const possible = units.filter((unit) => write(unit) !== undefined);
  return {
    name,
    plain: filled('a', 'inside'),
    awkward: possible.flatMap((unit) =>
      places.map((place) => ({ unit: `${unit} ${place}`, request: () => filled(unit, place) })),
    ),
  };
}

export function request(method: string, path: string, headers: Record<string, string>, body = ''): Buffer {
  const lines: Record<string, string> = { host: 'localhost', connection: 'keep-alive', ...headers };
  if (body !== '') lines['content-length'] = String(Buffer.byteLength(body));
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
function inHeader(text: string): string | undefined {
  return /[^\t\x20-\x7e\x80-\xff]/.test(text) ? undefined : text;
}
function inTarget(text: string): string | undefined {
  return /[^\x21-\x7e]/.test(text) ? undefined : text;
}
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const bodyRoom = 60_000;
const headerRoom = 15_000;
const targetRoom = 3_900;
const id = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';

/** Valid values for fields. With these values, even the slowest checks run. */
const examples: Record<string, string> = { expiresAt: '2090-09-01T10:00:00.000Z', folderId: id };
for (const { exampleBody } of everyEndpoint)
  for (const [field, value] of Object.entries(exampleBody))
    if (typeof value === 'string') examples[field] ??= value;

/** Returns a slot for every body field in the contract, for an unknown field, and for a body that is not JSON. */
export function bodySlots(key: string): Slot[] {
  return everyEndpoint.flatMap(({ method, path, fields, exampleBody: good }) => {
    if (fields === undefined) return [];
    const name = `${method} ${path}`;
    const send = (body: string): Buffer =>
      request(
        method,
        apiPrefix + path.replace(/:\w+/g, id),
        { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      );
    const fieldSlots = fields.map((field) => {
      const { [field]: _, ...others } = good;
      const rest = Object.entries(others).map(([other, value]) => `,"${other}":${JSON.stringify(value)}`);
      const base = examples[field] ?? 'example';
      return slotOf(`${name} ${field}`, base, bodyRoom, inJson, (text) =>
        send(`{"${field}":"${text}"${rest.join('')}}`),
      );
    });
    return [
      ...fieldSlots,
      slotOf(`${name}, an unknown field`, 'field', bodyRoom, inJson, (text) => send(`{"${text}":1}`)),
      slotOf(`${name}, the body`, '{}', bodyRoom, (text) => text, send),
    ];
  });
}

/** Returns the names of the headers that the code reads. */
function headersInCode(): string[] {
  const folder = join(import.meta.dirname, '../../../src');
  const sources = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
  const found = sources.flatMap((file) => [
    ...readFileSync(join(folder, file), 'utf8').matchAll(/headers(?:\??\.([a-z]+)|\['([a-z-]+)'\])/g),
  ]);
  return found.map(([, dotted, quoted]) => dotted ?? quoted ?? '');
}

/** Headers that are left out, because they determine where the message ends. */
const framing = ['content-length', 'transfer-encoding', 'connection', 'upgrade', 'get'];
const headerNames = [
  ...headersInCode(),
  ...purposeHeaders,
  ...optOutHeaders,
  ...words(`
    user-agent cookie origin access-control-request-method access-control-request-headers accept
    accept-encoding accept-language referer forwarded x-forwarded-host x-real-ip expect if-none-match range
    traceparent tracestate baggage x-request-id x-unknown
  `),
];
const headerBases: Record<string, string> = {
  authorization: 'Bearer lfk_abc',
  'content-type': 'application/json;a=b',
  'x-forwarded-for': '203.0.113.7, 203.0.113.8',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=value,other=value',
  'sec-purpose': 'prefetch;prerender',
};

/** A live link's code. The server reads the headers of a visitor's request only if the code exists. */
export const liveCode = 'awkward';
/** Maximum length in bytes of requests that the fast path handles before Node's parser. */
const plainRoom = 7_000;

/** Returns a slot for every header that our code reads, in each kind of request. */
export function headerSlots(key: string): Slot[] {
  const to = (what: string, name: string, method: string, path: string, body = '', more = {}): Slot => {
    const room = what === 'a plain visit' ? plainRoom : headerRoom;
    return slotOf(`${name} of ${what}`, headerBases[name] ?? 'value', room, inHeader, (text) =>
      request(method, path, { authorization: `Bearer ${key}`, ...more, [name]: text }, body),
    );
  };
  const json = { 'content-type': 'application/json' };
  const wanted = [...new Set(headerNames)].filter((name) => !framing.includes(name));
  return [
    ...wanted.flatMap((name) => [
      to('a create', name, 'POST', '/api/v1/shorten', '{"url":"javascript:"}', json),
      to('a visit', name, 'GET', `/${liveCode}`),
      to('a plain visit', name, 'GET', `/${liveCode}`),
    ]),
    ...wanted
      .filter((name) => /^origin$|^access-control/.test(name))
      .map((name) =>
        to('a preflight', name, 'OPTIONS', '/api/v1/links', '', { origin: 'https://a.example' }),
      ),
    to('the metrics', 'authorization', 'GET', '/metrics'),
  ];
}

/**
 * Returns a slot for every path and query parameter in the contract and every public path, both plain and
 * percent-encoded.
 */
export function targetSlots(key: string): Slot[] {
  return [inTarget, encoded].flatMap((write) => {
    const how = write === encoded ? ', percent-encoded' : '';
    const get = (name: string, base: string, path: (text: string) => string, method = 'GET'): Slot =>
      slotOf(name + how, base, targetRoom, write, (text) =>
        request(method, path(text), { authorization: `Bearer ${key}` }),
      );
    const ofContract = everyEndpoint.flatMap(({ method, path, query }) => {
      const place = apiPrefix + path.replace(/:\w+/g, id);
      return [
        ...[...path.matchAll(/:\w+/g)].map(([parameter]) =>
          get(`${method} ${path}`, id, (text) => apiPrefix + path.replace(parameter, () => text), method),
        ),
        ...query.map((name) => get(`${path}?${name}`, '1', (text) => `${place}?${name}=${text}`, method)),
      ];
    });
    return [
      ...ofContract,
      get('an unknown parameter', 'name', (text) => `/api/v1/links?${text}`),
      get('an unknown path of the API', 'name', (text) => `/api/${text}`),
      get('a short code', 'code', (text) => `/${text}`),
      get('a preview', 'code', (text) => `/${text}+`),
      get('the query of a visit', 'a=b', (text) => `/code?${text}`),
      get('an absolute target', 'host', (text) => `http://${text}/code`),
      get('a target without a slash', 'host', (text) => text),
    ];
  });
}

/**
 * Returns strings for settings, and for lines that people or programs read.
 * @param room maximum length in UTF-16 units
 */
export function awkwardTexts(base: string, room: number): { unit: string; text: string }[] {
  return units.flatMap((unit) =>
    places.map((place) => ({
      unit: `${unit} ${place}`,
      text: around(base, unit.repeat(Math.floor(room / unit.length)), place),
    })),
  );
}
