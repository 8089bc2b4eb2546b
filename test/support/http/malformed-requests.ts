import fc from 'fast-check';
import { anyText } from '../random/any-text.ts';
import { pathWith } from '../server/records.ts';
import type { Asked } from './ask.ts';
import { listed } from './listed.ts';
import { type Endpoint, everyEndpoint } from './openapi.ts';

/** Valid HTTP with malformed content, as any HTTP client could send. */
export interface MalformedRequest {
  readonly kind: string;
  readonly request: Asked;
  /**
   * True if the server may close the connection without a response, because it need not read a request of this size.
   */
  readonly mayClose?: boolean;
}

const json = { 'content-type': 'application/json' };
const someId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
const largestBody = 64 * 1024;

const withBody = everyEndpoint.filter(({ fields }) => fields !== undefined);
const endpointWithBody = fc.constantFrom(...withBody);
const anyEndpoint = fc.constantFrom(...everyEndpoint);

const strangeText = fc.oneof(
  anyText({ maxLength: 60 }),
  fc.constantFrom(
    ...listed`
      \u0000 | a\u0000b | \ud800 | \udfff\ud800 | \u202e | \ufeff | \u2028 | \u001b[31m | \r\nX: y`,
  ),
  fc.constantFrom('#{7*7}', "' OR 1=1 --", '"; DROP TABLE links; --', '%s%n', '../../etc/passwd', '<script>'),
  fc.constantFrom('NaN', 'null', 'undefined', '[object Object]', '1e400', '-0', '9007199254740993', 'true'),
  fc.integer({ min: 0, max: 60_000 }).map((length) => 'x'.repeat(length)),
  fc.constantFrom(
    'https://example.com/',
    'http://[',
    'http://%',
    '2027-02-30',
    '9999-99-99T99:99:99Z',
    someId,
  ),
);
const strangeValue = fc.oneof(
  { weight: 3, arbitrary: strangeText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, -1e308, [], {}, [[]], [null], { a: 1 }),
  },
);
const strangeName = fc.constantFrom(
  '',
  ...listed`
    __proto__ | constructor | prototype | toString | hasOwnProperty | then | length | 0 | \u0000 | \ud800`,
);

/** Returns a JSON object as a string. Unlike an object, it may contain `__proto__` and repeated names. */
function objectText(members: readonly (readonly [string, unknown])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;
}

function send(endpoint: Endpoint, body: string | Uint8Array, headers: Record<string, string> = json): Asked {
  return {
    method: endpoint.method,
    path: pathWith(endpoint, someId),
    headers,
    body,
  };
}

function made<T>(
  kind: string,
  arbitrary: fc.Arbitrary<T>,
  build: (value: T) => Asked,
): fc.Arbitrary<MalformedRequest> {
  return arbitrary.map((value) => ({ kind, request: build(value) }));
}

const wrongFields = made(
  'strange values in every field',
  endpointWithBody.chain((endpoint) =>
    fc.tuple(
      fc.constant(endpoint),
      fc.dictionary(fc.constantFrom(...(endpoint.fields ?? []), 'shortCode', 'unknown'), strangeValue, {
        maxKeys: 8,
      }),
      fc.boolean(),
    ),
  ),
  ([endpoint, fields, onTop]) =>
    send(endpoint, JSON.stringify({ ...(onTop && endpoint.exampleBody), ...fields })),
);

const strangeNames = made(
  'names that mean something to JavaScript, and names twice',
  fc.tuple(
    endpointWithBody,
    fc.array(fc.tuple(fc.oneof(strangeName, fc.constantFrom('url', 'name', 'title')), strangeValue)),
  ),
  ([endpoint, members]) =>
    send(endpoint, objectText([...Object.entries(endpoint.exampleBody), ...members, ...members])),
);

const truncated = made(
  'JSON cut short',
  fc.tuple(endpointWithBody, fc.double({ min: 0, max: 1, noNaN: true })),
  ([endpoint, part]) => {
    const whole = JSON.stringify({ ...endpoint.exampleBody, title: 'a "title" \u{1f600}' });
    return send(endpoint, whole.slice(0, Math.floor(whole.length * part)));
  },
);

const tokens = fc.constantFrom(
  ...listed`
    { | } | [ | ] | " | : | , | "url" | "name" | null | true | nul | NaN | Infinity | - | -0 | 01 | 1e | 1e999
    0x1 | .5 | 5. | //c | /*c*/ | 'a' | \\ | \\u | "\\u00" | "\\ud800" | "\\x" | \u0000 | \ufeff | \u0020
    undefined | function(){} | \u2028 | "a\nb" | "\t"`,
);
const tokenSoup = made(
  'JSON tokens in any order',
  fc.tuple(endpointWithBody, fc.array(tokens, { maxLength: 12 })),
  ([endpoint, list]) => send(endpoint, list.join('')),
);

const notAnObject = made(
  'JSON that is no object',
  fc.tuple(
    endpointWithBody,
    fc.oneof(fc.constantFrom(null, [], [{}], '', 0, true, [['url', 'x']]), fc.jsonValue()),
  ),
  ([endpoint, value]) => send(endpoint, JSON.stringify(value)),
);

const nested = made(
  'nesting up to 10,000 levels',
  fc.tuple(endpointWithBody, fc.integer({ min: 1, max: 10_000 }), fc.boolean(), fc.boolean(), fc.boolean()),
  ([endpoint, depth, arrays, closed, inside]) => {
    const [open, close] = arrays ? ['[', ']'] : ['{"a":', '}'];
    const deep = open.repeat(depth) + (arrays ? '' : '1') + (closed ? close.repeat(depth) : '');
    const body = inside ? `{"url":"https://example.com/","name":"n","unknown":${deep}}` : deep;
    return send(endpoint, body, {
      ...json,
      ...(endpoint.idempotent && { 'idempotency-key': `deep-${depth}` }),
    });
  },
);

const encodings: readonly ((text: string) => Uint8Array)[] = [
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff\ufeff${text}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(text, 'utf16le').swap16(),
  (text) => Buffer.from(text.replace('"', '"\u00e4'), 'latin1'),
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
  (text) =>
    Buffer.concat([
      Buffer.from('{"url":"'),
      Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80]),
      Buffer.from(`",${text.slice(1)}`),
    ]),
  (text) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.from(text)]),
  (text) => Buffer.concat([Buffer.from(text), Buffer.alloc(7)]),
];
const encoded = made(
  'other encodings than UTF-8, and broken UTF-8',
  fc.tuple(endpointWithBody, fc.constantFrom(...encodings), fc.uint8Array({ maxLength: 4 })),
  ([endpoint, encode, junk]) => {
    const bytes = encode(JSON.stringify(endpoint.exampleBody));
    return send(endpoint, junk.length === 3 ? Buffer.concat([junk, bytes]) : bytes);
  },
);

const sized: fc.Arbitrary<MalformedRequest> = fc
  .tuple(
    endpointWithBody,
    fc.integer({ min: -3, max: 3 }),
    fc.boolean(),
    fc.constantFrom(' ', 'x', '\u00e4'),
    fc.constantFrom(1, 1, 1, 4),
  )
  .map(([endpoint, beyond, chunked, filler, times]) => {
    const frame = Buffer.byteLength(JSON.stringify({ url: 'https://example.com/', name: '' }));
    const room = Math.floor((largestBody * times + beyond - frame) / Buffer.byteLength(filler));
    const body = JSON.stringify({ url: 'https://example.com/', name: filler.repeat(room) });
    return { kind: 'bodies around 64 KiB', mayClose: true, request: { ...send(endpoint, body), chunked } };
  });

const unencoded = /[^\x21-\x7e]/g;
const queryText = anyText({ maxLength: 30 }).map((text) =>
  text.replace(unencoded, (one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')),
);
const queried = made(
  'strange query strings',
  fc.tuple(
    fc.constantFrom('/api/v1/links', `/api/v1/links/${someId}`, '/api/v1/folders', '/api/v1/me'),
    fc.array(
      fc.tuple(
        fc.constantFrom(
          '',
          ...listed`
            page | limit | folderId | include | include[] | page[a] | __proto__ | page%00 | %`,
        ),
        fc.oneof(
          queryText,
          fc.constantFrom('1', '0', '-1', '1e9', '%00', '%zz', '%c0%af', '9'.repeat(400), ',,,', 'status,x'),
        ),
        fc.constantFrom('=', '==', '', '[]='),
      ),
      { maxLength: 6 },
    ),
  ),
  ([path, pairs]) => ({ path: `${path}?${pairs.map(([name, value, is]) => name + is + value).join('&')}` }),
);

const segments = fc.constantFrom(
  ...listed`api | v1 | v2 | links | folders | shorten | me | move | restore | openapi.json`,
  someId,
  'healthz',
  'x+',
  '',
  ...listed`
    %ZZ | % | %0 | %00 | %2e%2e | .. | . | %2f | %5c | %c0%af | %ff | %F0%9F%98%80 | %ed%a0%80 | * | ~`,
  'a'.repeat(60),
  'a'.repeat(5_000),
  ...listed`; | :id | %3aid | __proto__ | $ | ( | %0d%0aX:y | %u0041 | ' | " | < | |`,
);
const pathed = made(
  'strange paths',
  fc.tuple(
    fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE'),
    fc.constantFrom('/', '/api/v1/', '/api/v1/links/', '//', '/api/v1/folders/'),
    fc.array(segments, { maxLength: 6 }),
    fc.constantFrom('', '/', '?', '#', '?a=%', '//'),
  ),
  ([method, start, parts, end]) => ({ method, path: start + parts.join('/') + end, headers: {} }),
);

const contentTypes = fc.constantFrom(
  '',
  ...listed`
    \u0020 | json | application | application/ | /json | text/plain | text/json | application/json,text/plain
    application/json; | application/json; charset | application/json; charset=
    application/json; charset=utf-16 | application/json; charset="utf-8
    application/json; charset=utf-8; charset=utf-16 | application/json; =x | ; | application/xml+json
    application/+json | application/json/x | multipart/form-data | a/b/c | \u00e4/\u00f6`,
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=a',
  'application/json; a="\\"',
  'x'.repeat(900),
);
const headerTables: readonly fc.Arbitrary<Record<string, string>>[] = [
  contentTypes.map((type) => ({ 'content-type': type })),
  fc
    .constantFrom('gzip', 'br', 'deflate', 'identity', 'IDENTITY', 'gzip, br', 'x', '')
    .map((it) => ({ ...json, 'content-encoding': it })),
  fc
    .constantFrom('', ' ', 'a b', 'x'.repeat(256), 'x'.repeat(255), '\u00e4', 'a,b', '{}')
    .map((it) => ({ ...json, 'idempotency-key': it })),
  fc
    .constantFrom('', 'Bearer', 'Bearer x y', 'Basic eDp5', '\u00e4', 'Bearer '.repeat(50))
    .map((it) => ({ ...json, authorization: it })),
  fc
    .integer({ min: 10, max: 1_000 })
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '1']))),
  fc.constantFrom(8_000, 15_000, 16_384, 20_000).map((length) => ({ ...json, 'x-long': 'x'.repeat(length) })),
  fc
    .constantFrom('websocket', 'h2c', 'TLS/1.0', '')
    .map((upgrade) => ({ ...json, connection: 'upgrade', upgrade })),
  fc
    .constantFrom('bytes=0-', 'x', '')
    .map((range) => ({ ...json, range, 'if-none-match': '*', 'if-match': 'x', te: 'trailers' })),
  fc
    .constantFrom('1.2.3.4', 'x', ',,,', '::1', 'x'.repeat(500))
    .map((it) => ({ ...json, 'x-forwarded-for': it, forwarded: it })),
  fc
    .constantFrom('GET', 'DELETE', 'x')
    .map((it) => ({ ...json, 'x-http-method-override': it, 'x-original-url': '/admin' })),
  fc
    .constantFrom('text/html', 'image/*', '', '*/*;q=x')
    .map((accept) => ({ ...json, accept, 'accept-encoding': 'x' })),
];
const headed = made(
  'strange headers',
  fc.tuple(anyEndpoint, fc.oneof(...headerTables), fc.boolean()),
  ([endpoint, headers, bare]) => {
    const example = JSON.stringify(endpoint.exampleBody);
    const body = endpoint.method === 'GET' || bare ? undefined : example;
    return { method: endpoint.method, path: pathWith(endpoint, someId), headers, body };
  },
);

/** Requests with all kinds of malformed content. Each has a valid key, unless it sets its own. */
export const malformedRequests: fc.Arbitrary<MalformedRequest> = fc.oneof(
  { weight: 6, arbitrary: wrongFields },
  { weight: 2, arbitrary: strangeNames },
  { weight: 2, arbitrary: truncated },
  { weight: 3, arbitrary: tokenSoup },
  { weight: 1, arbitrary: notAnObject },
  { weight: 1, arbitrary: nested },
  { weight: 2, arbitrary: encoded },
  { weight: 1, arbitrary: sized },
  { weight: 3, arbitrary: queried },
  { weight: 4, arbitrary: pathed },
  { weight: 4, arbitrary: headed },
);
