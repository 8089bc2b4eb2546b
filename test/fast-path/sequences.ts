import { listed } from '../support/http/listed.ts';
import type { Random } from '../support/random/random.ts';

/** Bytes to send on one connection, and how to send them. */
export interface Sequence {
  /** Chunks, written in order. A tick of the event loop passes after each. */
  readonly pieces: readonly Buffer[];
  /** True if the client half-closes the connection after the last byte. */
  readonly end: boolean;
}

/** Custom codes for links on the tested servers. */
export const liveCodes = ['plain-a', 'plain-b', 'plain-c'] as const;

/** A custom code that contains a slash. */
export const segmentedCode = 'shop/sale';

/** Domains of the tested servers. On the second, codes are case-sensitive. */
export const domains = { folded: 'links.brand.test', exact: 'exact.brand.test' } as const;
/** The first code exists on both domains, the second only on the second domain. */
export const domainCodes = ['plain-a', 'only-here'] as const;
export const exactCodes = [
  'aB',
  'a.b~c',
  "it's/(1)/@x",
  'Ünïcode',
  'seven/seg/ments/a/b/c/d',
  'c+',
  '-;=',
  'plain-A',
] as const;

const exactTargets = [
  ...exactCodes.flatMap((code) => [`/${code}`, `/${encodeURIComponent(code)}`, `/${code.toLowerCase()}`]),
  ...['/plain-a', '/only-here', '/Plain-a', '/plain-A', '/robots.txt', '/', '/.well-known/assetlinks.json'],
  ...[
    '/a.b~c?x=/y',
    '/a.b~c+',
    '/a.b~c/',
    '/aB//',
    '/c',
    '/c++',
    '/%61B',
    '/seven/seg/ments',
    '/a%2Eb~c',
    '/%',
  ],
];

/** Origin of a web page that may read responses. */
export const pageOrigin = 'https://app.example.com';

const weird = listed`
    \u0000 | \u0001 | \u007f | \u0080 | \u00ff | \r | \n | \t | \u0020 | : | \r\n | \n\n | \r\n\r\n | \u00e9`;

/**
 * Excludes `/readyz`, because its response waits for storage. Errors in later requests would be reported before that
 * response.
 */
const targets = [
  ...liveCodes.map((code) => `/${code}`),
  '',
  ...listed`
    /PLAIN-A | /plain-a?x=1&y=%20 | /plain-b+ | /plain-c/ | /plain-a#x | /%70lain-a | /plain-a?x=/y | /unknown
    /unknown+ | /a | / | /? | //plain-a | /plain-a/x | /plain-a// | * | plain-a | /-a | /healthz | /api
    /api/ | /api/v1/me | /api?x | /apis | /API | /Healthz | /robots.txt | /favicon.ico | /.env | /plain-a"
    /shop/sale | /Shop/Sale | /shop/sale/ | /shop/sale?x=/y/ | /shop/sale+ | /shop%2Fsale | /shop//sale
    /shop/unknown | /shop/ | /healthz/ | /metrics/ | /api/v1 | /plain-a< | /plain-a| | /pl\u007fain | /pl\u00e9in | http://other/plain-a | HTTP://other/plain-a
    https://other | ftp://other/plain-a | /plain-a\\ | /plain a`,
  `/${'a'.repeat(51)}`,
  `/plain-a?${'q'.repeat(5_000)}`,
  `/${'b'.repeat(9_000)}`,
  '/plain-a?\xe9',
  '/plain-a?\xc3\xa9',
  '/plain-a\xe2\x80\x9d',
  '//plain-a?x',
  '/plain-a?"',
];

const methods = [
  '',
  ...listed`
    HEAD | POST | OPTIONS | get | GETT | G | GET\u0020 | PUT | DELETE | CONNECT | TRACE | QUERY`,
];
const versions = [
  '',
  ...listed`
    HTTP/1.0 | HTTP/0.9 | HTTP/2.0 | HTTP/1.2 | http/1.1 | HTTP/1.1\u0020 | HTTP/11 | HTTP/1. | ICE/1.0`,
];

const plainHeaders = [
  ...listed`
    User-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/127.0 | user-agent: curl/8.7.1
    USER-AGENT:Twitterbot/1.0 \u0020 | Accept: text/html,*/*;q=0.8 | accept:application/json
    Accept-Encoding: gzip, br | Cookie: a=b; c="d" | Sec-Purpose: prefetch;prerender | Purpose: prefetch
    X-Moz: prefetch | X-Forwarded-For: 203.0.113.7, 10.0.0.1 | X-Empty: | Authorization: Basic YTpi`,
  `Origin: ${pageOrigin}`,
  ...listed`
    origin: https://other.example | X-Tab:\ta\tb | X-Latin: caf\u00e9 \u0080\u00ff | Connection: keep-alive
    connection:Keep-Alive | Connection: close | CONNECTION:Close\u0020 | Keep-Alive: timeout=5 | Upgrade-Insecure-Requests: 1
    Referer: https://example.org/?a="b"`,
];

const oddHeaders = [
  ...listed`
    Content-Length: 0 | Content-Length: 5 | Content-Length: 5, 5 | Content-Length: +5 | Content-Length:
    content-length: 0x0 | Transfer-Encoding: chunked | Transfer-Encoding: identity
    Transfer-Encoding : chunked | Transfer-Encoding:\u000bchunked | transfer-encoding: xchunked
    Transfer-Encoding: chunked, identity | Transfer_Encoding: chunked | TE: trailers | Connection: close
    Connection: keep-alive, close | Connection: Upgrade | Connection: x | Connection: | Connection: close\t
    Proxy-Connection: close | Proxy-Connection: keep-alive | Upgrade: h2c | Upgrade: websocket
    HTTP2-Settings: AAMAAABkAAQ | Expect: 100-continue | Expect: x | Trailer: X | Host: b | Host:
    \u0020Host: folded | \tfolded: x | Host : a | : x | X | X Y: z | X: a\u0000b | X\u0000: a | X: a\rb
    X: a\nb | X: \u0001 | X: \u007f | X\u007f: a | X(: a | X\u00e9: a | X: a\r\n b | X:\r\n\tb | "X": y
    User-Agent: a | Accept: text/html | X-Forwarded-For: 198.51.100.1 | Sec-Purpose: x
    Authorization: Bearer x`,
  `X-Long: ${'v'.repeat(7_000)}`,
  `X-Longer: ${'v'.repeat(17_000)}`,
  `${'n'.repeat(300)}: x`,
  'GET /plain-a HTTP/1.1',
];

const oddHosts = listed`
    Host: a:80 | Host:a | host:\ta\t | Host: A_b.-c: | Host: :80 | Host: [::1]:80 | Host: a%20b | Host:\u0020
    Host: a b | Host: a:b | Host: a:80:80 | Host: a/../@ | Host: a@b | Host: \u00e9 | Host: ::1 | Host: a,b`;

const domainHosts = [
  ...Object.values(domains).map((host) => `Host: ${host}`),
  ...listed`
    Host: LINKS.brand.test | Host: exact.brand.test.:8080 | Host: exact.brand.test:80 | host:exact.brand.test\u0020
    Host: Exact.Brand.Test. | Host: other.brand.test`,
];

const bodies = listed`
    0\r\n\r\n | hello | 5\r\nhello\r\n0\r\n\r\n | GET /plain-b HTTP/1.1\r\nHost: smuggled\r\n\r\n | x | \r\n
    \u0000 | 0\r\n\r\nGET /plain-c HTTP/1.1\r\nHost: smuggled\r\n\r\n`;

const usual = 'GET /plain-a HTTP/1.1\r\nHost: a\r\n\r\n';

/** Returns a request. Most are plain, some have one or more odd parts, and some are damaged. */
function request(random: Random): string {
  const odd = random.pick([0, 0, 0, 0.1, 0.5]);
  const method = random.chance(odd) ? random.pick(methods) : 'GET';
  const onDomain = random.chance(0.25);
  const target = onDomain
    ? random.pick(exactTargets)
    : random.chance(0.5)
      ? random.pick(liveCodes.map((code) => `/${code}`))
      : random.pick(targets);
  const plainVersion = random.chance(0.15) ? 'HTTP/1.0' : 'HTTP/1.1';
  const version = random.chance(odd) ? random.pick(versions) : plainVersion;
  const host = random.chance(odd)
    ? random.pick(oddHosts)
    : onDomain
      ? random.pick(domainHosts)
      : 'Host: go.example.com';
  const headers = random.chance(odd / 2) ? [] : [host];
  for (let more = random.below(6); more > 0; more -= 1) {
    const header = random.chance(odd) ? random.pick(oddHeaders) : random.pick(plainHeaders);
    headers.splice(random.below(headers.length + 1), 0, header);
  }
  const lineEnd = random.chance(odd / 8) ? random.pick(['\n', '\r', '\r\r\n', '\n\r']) : '\r\n';
  const lines = [`${method} ${target} ${version}`, ...headers, '', ''];
  const text = lines.join(lineEnd) + (random.chance(odd / 2) ? random.pick(bodies) : '');
  return random.chance(odd / 4) ? mutilated(text, random) : text;
}

function mutilated(text: string, random: Random): string {
  const at = random.below(text.length);
  const rest = text.slice(at + random.below(3));
  return text.slice(0, at) + (random.chance(0.7) ? random.pick(weird) : '') + rest;
}

/** Cuts bytes into chunks at random offsets. Often there is only one chunk, because most requests arrive in one. */
function cut(bytes: Buffer, random: Random): Buffer[] {
  const places = random.chance(0.6)
    ? []
    : Array.from({ length: 1 + random.below(4) }, () => random.below(bytes.length + 1));
  const edges = [0, ...places.sort((a, b) => a - b), bytes.length];
  return edges.slice(1).flatMap((edge, index) => {
    const piece = bytes.subarray(edges[index], edge);
    return piece.length === 0 ? [] : [piece];
  });
}

/** Returns a request that is plain except for one odd part, which the fast path must recognize. */
function almostPlain(random: Random): string {
  const host = random.chance(0.2) ? random.pick(oddHosts) : 'Host: go.example.com';
  const headers = [host, ...plainHeaders.filter(() => random.chance(0.15))];
  const version = random.chance(0.2) ? 'HTTP/1.0' : 'HTTP/1.1';
  const lines = [`GET /${random.pick(liveCodes)} ${version}`, ...headers, '', ''];
  if (random.chance(0.7)) lines.splice(1 + random.below(headers.length + 1), 0, random.pick(oddHeaders));
  else return mutilated(lines.join('\r\n'), random);
  return lines.join('\r\n');
}

/** Returns a sequence. Equal random numbers produce equal sequences. */
export function sequenceOf(random: Random): Sequence {
  const end = random.chance(0.15);
  if (random.chance(0.4)) {
    const pieces = Array.from({ length: 1 + random.below(2) }, () =>
      Buffer.from(almostPlain(random), 'latin1'),
    );
    return { pieces, end };
  }
  const requests = Array.from({ length: 1 + random.below(4) }, () =>
    random.chance(0.2) ? usual : request(random),
  );
  // Requests in one chunk are pipelined. If sent separately, each may be handled by the fast path.
  const texts = random.chance(0.4) ? [requests.join('')] : requests;
  const pieces = texts.flatMap((text) => cut(Buffer.from(text, 'latin1'), random));
  return { pieces, end };
}
