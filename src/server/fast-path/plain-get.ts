import { optOutHeaders, purposeHeaders } from '../../clicks/dimensions/visit-headers.ts';

/**
 * Maximum request size in bytes. Visitors' requests are far smaller. `node:http` enforces the limits for larger
 * requests.
 */
export const maxBytes = 8_192;
const maxTargetLength = 2_048;
const cr = 0x0d;
const lf = 0x0a;
const colon = 0x3a;
const zero = 0x30;
export const space = 0x20;
const versionBytes = 11;

function tableOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(pattern.test(String.fromCharCode(byte))));
}
const isPath = tableOf(/[\w/-]/);
const isQuery = tableOf(/[\w?=&%+.~:/,;@!$'()*-]/);
const isToken = tableOf(/[\w!#$%&'*+.^`|~-]/);
const isHost = tableOf(/[\w.-]/);
const isDigit = tableOf(/\d/);
const isValue = tableOf(/[\t\x20-\x7e\x80-\xff]/);

/** Headers that the fast path reads. `node:http` handles requests in which one of these headers is repeated. */
const wanted = [
  ...['host', 'connection', 'user-agent', 'accept', 'x-forwarded-for', 'referer', 'accept-language'],
  ...purposeHeaders,
  ...optOutHeaders,
  ...['origin', 'cookie'],
  // Listed only to detect that the header is repeated.
  'authorization',
];
export const host = 0;
const connection = 1;
export const [userAgent, accept, forwardedFor, referer, language] = [2, 3, 4, 5, 6] as const;
export const origin = wanted.indexOf('origin');
export const cookie = wanted.indexOf('cookie');
export const purposes = purposeHeaders.map((name) => wanted.indexOf(name));
export const optOuts = optOutHeaders.map((name) => wanted.indexOf(name));
/** Index of the header name that the operator has configured. */
export const named = wanted.length;
const fields = named + 1;
/** Headers that affect message framing or the protocol. `node:http` handles requests with one of these headers. */
const refused = [
  'te',
  'expect',
  'upgrade',
  'trailer',
  'content-length',
  'transfer-encoding',
  'proxy-connection',
];
/** Names, as bytes, and indexes of the wanted and rejected headers, grouped by name length. */
export type HeaderNames = readonly (readonly { readonly name: Buffer; readonly index: number }[])[];

/**
 * Builds the lookup table of header names.
 * @param more additional wanted header in lower case (a-z, 0-9, -); empty for none
 */
export function headerNames(more: string): HeaderNames {
  const names = [...wanted, more, ...refused].map((name, index) => ({ name: Buffer.from(name), index }));
  // Drops the additional header if it is already in a list, because it has another index in that list.
  if ([...wanted, ...refused].includes(more)) names.splice(named, 1);
  const longest = Math.max(...names.map(({ name }) => name.length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    length === 0 ? [] : names.filter(({ name }) => name.length === length),
  );
}

/** Index, in the spans, of the flag that is 1 if the connection closes after the response. */
export const closes = 2 * fields;

/**
 * Creates the array for the start and end of each wanted header's value. Start and end are 0 if the header is missing.
 */
export function newSpans(): Int32Array {
  return new Int32Array(closes + 1);
}

/**
 * Recognizes the request that visitors of short links nearly always send: a single, complete `GET` for a plain path
 * with plain header lines. Accepts only requests that all HTTP/1.1 parsers interpret in the same way.
 * @param length length of the request, which starts at offset 0
 * @param spans array from `newSpans`, which receives the positions of header values
 * @param names result of `headerNames`
 * @returns the end of the request target, which starts at offset 4; 0 if the request is not of this form
 */
export function readPlainGet(bytes: Buffer, length: number, spans: Int32Array, names: HeaderNames): number {
  const end = endOfTarget(bytes, length);
  return end !== 0 && readHeaders(bytes, end + versionBytes, length, spans, names) ? end : 0;
}

/** Returns the end of the target in a plain request line; 0 if the request line is not plain. */
function endOfTarget(bytes: Buffer, length: number): number {
  if (length < 32 || length > maxBytes || bytes.readUInt32BE(length - 4) !== 0x0d0a0d0a) return 0;
  // Requires "GET " and a slash.
  if (bytes.readUInt32BE(0) !== 0x47455420 || bytes[4] !== 0x2f) return 0;
  let at = 5;
  while (isPath[bytes[at] ?? 0] === 1) at += 1;
  if (bytes[at] === 0x3f) while (isQuery[bytes[at] ?? 0] === 1) at += 1;
  return at <= maxTargetLength && isVersion(bytes, at) ? at : 0;
}

/** Matches " HTTP/1.1" or " HTTP/1.0" and the end of the line. */
function isVersion(bytes: Buffer, at: number): boolean {
  return (
    bytes[at] === space &&
    bytes.readUInt32BE(at) === 0x20485454 &&
    bytes.readUInt32BE(at + 4) === 0x502f312e &&
    ((bytes[at + 8] ?? 0) & 0xfe) === zero &&
    bytes[at + 9] === cr &&
    bytes[at + 10] === lf
  );
}

/** Reads the header lines. @returns true if all header lines are plain and include a host */
function readHeaders(
  bytes: Buffer,
  start: number,
  length: number,
  spans: Int32Array,
  names: HeaderNames,
): boolean {
  spans.fill(0);
  let at = start;
  while (bytes[at] !== cr) {
    const name = at;
    while (isToken[bytes[at] ?? 0] === 1) at += 1;
    if (at === name || bytes[at] !== colon) return false;
    const field = fieldOf(bytes, name, at, names);
    const value = at + 1;
    do at += 1;
    while (isValue[bytes[at] ?? 0] === 1);
    if (bytes[at] !== cr || bytes[at + 1] !== lf) return false;
    if (field !== undefined) {
      if (field >= fields || spans[2 * field] !== 0) return false;
      spans[2 * field] = value;
      spans[2 * field + 1] = at;
    }
    at += 2;
  }
  if (at !== length - 2 || !isPlainHost(bytes, spans[2 * host] ?? 0, spans[2 * host + 1] ?? 0)) return false;
  // Reads the last digit of the version, because HTTP/1.0 connections close unless both sides agree on keep-alive.
  const isFirst = bytes[start - 3] === zero;
  const [from = 0, to = 0] = [spans[2 * connection], spans[2 * connection + 1]];
  const isClose = isWord(bytes, from, to, close);
  if (from !== 0 && !isClose && !isWord(bytes, from, to, keepAlive)) return false;
  if (isClose || (isFirst && from === 0)) spans[closes] = 1;
  return true;
}

function fieldOf(bytes: Buffer, start: number, end: number, names: HeaderNames): number | undefined {
  const candidates = names[end - start];
  if (candidates === undefined) return undefined;
  for (const { name, index } of candidates) {
    let at = 0;
    // `| 0x20` converts letters to lower case, and turns no other token character into a letter or dash.
    while (at < name.length && ((bytes[start + at] ?? 0) | 0x20) === name[at]) at += 1;
    if (at === name.length) return index;
  }
  return undefined;
}

/** Matches a name or IPv4 address with an optional port. `node:http` handles other valid hosts. */
function isPlainHost(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (isBlank(bytes[at])) at += 1;
  const name = at;
  while (isHost[bytes[at] ?? 0] === 1) at += 1;
  if (at === name) return false;
  if (bytes[at] === colon)
    do at += 1;
    while (isDigit[bytes[at] ?? 0] === 1);
  while (at < end && isBlank(bytes[at])) at += 1;
  return at === end;
}

const keepAlive = Buffer.from('keep-alive');
const close = Buffer.from('close');

function isWord(bytes: Buffer, start: number, end: number, word: Buffer): boolean {
  let from = start;
  let to = end;
  while (isBlank(bytes[from])) from += 1;
  while (to > from && isBlank(bytes[to - 1])) to -= 1;
  if (to - from !== word.length) return false;
  let at = 0;
  // `| 0x20` converts letters to lower case, and turns no other character of a word into a letter or dash.
  while (at < word.length && ((bytes[from + at] ?? 0) | 0x20) === word[at]) at += 1;
  return at === word.length;
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === 0x09;
}
