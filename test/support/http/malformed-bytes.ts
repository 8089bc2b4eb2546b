import fc from 'fast-check';
import { listed } from './listed.ts';

/** Bytes that are invalid HTTP or edge cases. Only a raw socket can send them. */
export interface MalformedBytes {
  readonly kind: string;
  readonly bytes: readonly (string | Uint8Array)[];
  /** Minimum number of responses. If it is 0, the server must at least close the connection. */
  readonly answers: number;
  /**
   * True if the client half-closes the connection after the last byte. The server would otherwise (correctly) wait for
   * more.
   */
  readonly end?: boolean;
  /** True if the client resets the connection after the last byte. */
  readonly reset?: boolean;
}

const host = 'Host: a\r\n';
const close = 'Connection: close\r\n';
function head(line: string, ...headers: string[]): string {
  return `${line}\r\n${headers.join('')}\r\n`;
}
const post = 'POST /api/v1/shorten HTTP/1.1';
const get = 'GET /api/v1/me HTTP/1.1';
const body = '{"url":"https://example.com/"}';

function anyOf(
  kind: string,
  answers: number,
  ...variants: (string | readonly string[])[]
): fc.Arbitrary<MalformedBytes> {
  return fc
    .constantFrom(...variants)
    .map((one) => ({ kind, answers, bytes: typeof one === 'string' ? [one] : one }));
}

function unfinished(kind: string, ...variants: string[]): fc.Arbitrary<MalformedBytes> {
  return fc.constantFrom(...variants).map((one) => ({ kind, answers: 0, end: true, bytes: [one] }));
}

const smuggling = anyOf(
  'two lengths in one request',
  1,
  `${head(post, host, 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n')}0\r\n\r\n`,
  `${head(post, host, 'Transfer-Encoding: chunked\r\n', 'Content-Length: 5\r\n')}0\r\n\r\n`,
  `${head(post, host, 'Content-Length: 5\r\n', 'Content-Length: 6\r\n')}abcdef`,
  `${head(post, host, 'Content-Length: 5, 6\r\n')}abcdef`,
  `${head(post, host, 'Content-Length: 3\r\n', 'Content-Length: 3\r\n')}abc`,
  `${head(post, host, 'Transfer-Encoding: xchunked\r\n')}0\r\n\r\n`,
  `${head(post, host, 'Transfer-Encoding: chunked, identity\r\n')}0\r\n\r\n`,
  `${head(post, host, 'Transfer-Encoding: identity, chunked, x\r\n')}0\r\n\r\n`,
  `${head(post, host, 'Transfer-Encoding : chunked\r\n')}0\r\n\r\n`,
  `${head(post, host, 'Content-Length : 5\r\n')}abcde`,
  `${head(post, host, 'Content-Length: 0x5\r\n')}abcde`,
  head(post, host, 'Content-Length: -1\r\n'),
  `${head(post, host, 'Content-Length: +5\r\n')}abcde`,
  `${head(post, host, 'Content-Length: 5 5\r\n')}abcde`,
  head(post, host, 'Content-Length: 99999999999999999999999\r\n'),
  head(post, host, 'Content-Length: 18446744073709551617\r\n'),
  head(post, host, 'Content-Length: \r\n'),
);

const chunks = anyOf(
  'bad chunks',
  1,
  ...listed`
      g\r\n | -1\r\n | 0x5\r\nabcde\r\n0\r\n\r\n | ffffffffffffffffff\r\n | 5\r\nabcdeXX\r\n
      \u00205\r\nabcde\r\n0\r\n\r\n`.map(
    (chunk) => head(post, host, 'Transfer-Encoding: chunked\r\n') + chunk,
  ),
  `${head(post, host, 'Transfer-Encoding: chunked\r\n')}5;${'x'.repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`,
  `${head(post, host, 'Transfer-Encoding: chunked\r\n')}5;\0\r\nabcde\r\n0\r\n\r\n`,
  `${head(post, host, 'Transfer-Encoding: chunked\r\n')}0\r\n${'X-T: y\r\n'.repeat(3_000)}\r\n`,
);

const headers = anyOf(
  'bad header lines',
  1,
  head(get, host, 'X: a\0b\r\n'),
  head(get, host, '\0: a\r\n'),
  head(get, host, 'X\0Y: a\r\n'),
  head(get, host, ': empty name\r\n'),
  head(get, host, 'no colon\r\n'),
  head(get, host, 'X Y: a\r\n'),
  head(get, host, 'X : a\r\n'),
  head(get, host, ' folded first\r\n'),
  head(get, host, 'X: a\rb\r\n'),
  head(get, 'X: \u00ff\u00fe\r\n', close),
  head(get, host, '\u00e4: b\r\n'),
  head(get, host, `X: ${'a'.repeat(20_000)}\r\n`),
  head(get, host, `${'a'.repeat(20_000)}: x\r\n`),
  head(get, host, ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: 1\r\n`)),
  head(get, host, ...Array.from({ length: 1_000 }, (_, index) => `X-${index}: 1\r\n`), close),
);

const tolerated = anyOf(
  'odd header lines that may pass',
  1,
  head(get, host, 'X: a\r\n', ' folded\r\n', '\tagain\r\n', close),
  head(get, host, 'X:\r\n', 'Y: \t \r\n', close),
  head(get, 'Host: a\r\n', 'Host: b\r\n', close),
  head(get, 'Host: \r\n', close),
  head(get, 'Host: a b<>"\r\n', close),
  head(get, 'Host: evil.example@a\r\n', close),
  head(get, close),
  head(get, host, 'Authorization: Bearer a\r\n', 'Authorization: Bearer b\r\n', close),
  head(get, host, 'Connection: close, keep-alive, x\r\n'),
  head(get, host, 'Expect: 100-continue\r\n', close),
  head(post, host, 'Expect: 100-continue\r\n', `Content-Length: ${body.length}\r\n`, close) + body,
  head(post, host, 'Expect: 200-ok\r\n', close),
  head(post, host, 'Expect: \r\n', close),
  head(
    get,
    host,
    'Upgrade: websocket\r\n',
    'Connection: Upgrade\r\n',
    'Sec-WebSocket-Version: 13\r\n',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
  ),
  head(
    get,
    host,
    'Upgrade: h2c\r\n',
    'Connection: Upgrade, HTTP2-Settings\r\n',
    'HTTP2-Settings: AAMAAABkAAQAAP__\r\n',
  ),
  `\r\n\r\n${head(get, host, close)}`,
);

const lines = anyOf(
  'bad request lines',
  1,
  ...listed`
    GET\r\n\r\n | \u0020GET / HTTP/1.1\r\n\r\n | GET / HTTP/1.1 x\r\n\r\n | GET  / HTTP/1.1\r\n\r\n
    GET / HTTP/9.9\r\n\r\n | GET / HTTP/2.0\r\n\r\n | GET / http/1.1\r\n\r\n | GET / FTP/1.1\r\n\r\n
    get / HTTP/1.1\r\n\r\n | G\u00cbT / HTTP/1.1\r\n\r\n | FOO / HTTP/1.1\r\n\r\n`,
  `${'A'.repeat(5_000)} / HTTP/1.1\r\n\r\n`,
  ...listed`
    GET /a b HTTP/1.1\r\n\r\n | GET /\u0000 HTTP/1.1\r\n\r\n | GET /\t HTTP/1.1\r\n\r\n
    GET \\ HTTP/1.1\r\n\r\n | GET api HTTP/1.1\r\n\r\n | PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n
    \u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003 | SSH-2.0-OpenSSH_9.9\r\n
    {"url":"https://example.com/"}\r\n\r\n | HTTP/1.1 200 OK\r\n\r\n`,
);

function target(method: string, it: string): string {
  return head(`${method} ${it} HTTP/1.1`, host, close);
}
const targets = anyOf(
  'targets in other forms',
  1,
  ...listed`
      http://evil.example/api/v1/me | HTTPS://a/api/v1/links?page=1&page=2 | http://a | http://a?x | http://
      ftp://a/b`.map((it) => target('GET', it)),
  ...listed`
      //evil.example/api/v1/me | /api/v1/../../etc/passwd | /% | /%00 | /%zz?%zz | /.. | /. | /? | /# | //
      /*`.map((it) => target('GET', it)),
  ...['*', '/', 'http://a/*'].map((it) => target('OPTIONS', it)),
  ...['/', '/api/v1/me'].map((it) => target('TRACE', it)),
  target('GET', '*'),
  target('GET', `/${'a'.repeat(5_000)}`),
  target('GET', `/api/v1/links?x=${'a'.repeat(5_000)}`),
  target('GET', `/${'a'.repeat(17_000)}`),
  target('GET', '/\u00e4\u00ff'),
  target('CONNECT', 'example.com:443'),
  target('CONNECT', 'a:0'),
  target('CONNECT', '[::1]:80'),
);

const old = anyOf(
  'HTTP/1.0',
  1,
  'GET / HTTP/1.0\r\n\r\n',
  'GET /api/v1/me HTTP/1.0\r\n\r\n',
  head('POST /api/v1/shorten HTTP/1.0', `Content-Length: ${body.length}\r\n`) + body,
  'HEAD /healthz HTTP/1.0\r\n\r\n',
  head('GET /healthz HTTP/1.0', 'Connection: keep-alive\r\n') + head('GET /healthz HTTP/1.0'),
);

const bareLines = anyOf(
  'lines that end in a bare line feed or carriage return',
  0,
  `GET /healthz HTTP/1.1\nHost: a\nConnection: close\n\n`,
  `GET /healthz HTTP/1.1\r\nHost: a\nConnection: close\r\n\r\n`,
  `GET /healthz HTTP/1.1\rHost: a\r\r`,
).map((one) => ({ ...one, end: true }));

const lying = fc
  .tuple(fc.integer({ min: 0, max: body.length - 1 }), fc.boolean(), fc.boolean())
  .map(([length, more, chunked]): MalformedBytes => {
    if (more) {
      const declared = `Content-Length: ${body.length + 1 + length}\r\n`;
      return {
        kind: 'declares more than it sends',
        answers: 0,
        end: true,
        bytes: [head(post, host, declared), body],
      };
    }
    const parts = chunked
      ? [head(post, host, `Content-Length: ${length}\r\n`), body]
      : [head(post, host, `Content-Length: ${length}\r\n`) + body];
    return { kind: 'sends more than it declares', answers: 1, bytes: parts };
  });

const pipelined = fc.integer({ min: 2, max: 100 }).map(
  (count): MalformedBytes => ({
    kind: 'pipelining',
    answers: count,
    bytes: [head('GET /healthz HTTP/1.1', host).repeat(count - 1), head(get, host, close)],
  }),
);

const pipelinedWithFault = fc.tuple(fc.integer({ min: 1, max: 20 }), lines).map(
  ([count, bad]): MalformedBytes => ({
    kind: 'pipelining that ends in a bad request',
    answers: 1,
    end: true,
    bytes: [head('GET /healthz HTTP/1.1', host).repeat(count), ...bad.bytes],
  }),
);

const whole =
  head(post, host, 'Content-Type: application/json\r\n', `Content-Length: ${body.length}\r\n`) + body;
const cut = fc.tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.boolean()).map(
  ([length, reset]): MalformedBytes => ({
    kind: reset ? 'half a request, then a reset' : 'half a request, then the end',
    answers: 0,
    bytes: [whole.slice(0, length)],
    ...(reset ? { reset } : { end: true }),
  }),
);

const broken = fc.constantFrom(whole, target('CONNECT', 'a:1'), head(get, host), 'garbage\r\n\r\n').map(
  (text): MalformedBytes => ({
    kind: 'a request, then a reset',
    answers: 0,
    reset: true,
    bytes: [text],
  }),
);

const garbage = fc.uint8Array({ minLength: 1, maxLength: 300 }).map(
  (bytes): MalformedBytes => ({
    kind: 'random bytes',
    answers: 0,
    end: true,
    bytes: [bytes],
  }),
);

const mutated = fc
  .tuple(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([at, junk, insert]): MalformedBytes => {
    const bytes = Buffer.from(whole);
    const rest = bytes.subarray(insert ? at : at + junk.length);
    return {
      kind: 'a good request with some bytes changed',
      answers: 0,
      end: true,
      bytes: [Buffer.concat([bytes.subarray(0, at), junk, rest])],
    };
  });

const slowPieces = fc
  .array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 })
  .map((lengths): MalformedBytes => {
    const text = head(get, host, close);
    const pieces: string[] = [];
    let at = 0;
    for (const length of lengths) {
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    return { kind: 'a request in pieces', answers: 1, bytes: [...pieces, text.slice(at)] };
  });

const nothing = unfinished(
  '',
  ...listed`too little, or HTTP/0.9 | GET /\r\n | \r\n | \r\n\r\n\r\n | \u0020 | G | \u0000`,
);

export const malformedBytes: fc.Arbitrary<MalformedBytes> = fc.oneof(
  { weight: 3, arbitrary: smuggling },
  { weight: 2, arbitrary: chunks },
  { weight: 3, arbitrary: headers },
  { weight: 3, arbitrary: tolerated },
  { weight: 3, arbitrary: lines },
  { weight: 4, arbitrary: targets },
  { weight: 1, arbitrary: old },
  { weight: 1, arbitrary: bareLines },
  { weight: 2, arbitrary: lying },
  { weight: 1, arbitrary: pipelined },
  { weight: 2, arbitrary: pipelinedWithFault },
  { weight: 4, arbitrary: cut },
  { weight: 1, arbitrary: broken },
  { weight: 3, arbitrary: garbage },
  { weight: 6, arbitrary: mutated },
  { weight: 1, arbitrary: slowPieces },
  { weight: 1, arbitrary: nothing },
);
