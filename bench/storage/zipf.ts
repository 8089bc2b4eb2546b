// How many look-ups the cache of targets answers when the popularity of links follows Zipf's law, and what the rest
// asks of the database: npm run bench:zipf -- --help
import { parseArgs } from 'node:util';
import type { Target } from '../../src/model/links/link-records.ts';
import { createCache } from '../../src/storage/engine/cache.ts';
import { number } from '../measuring/figures.ts';
import { say, sayTable } from '../measuring/report.ts';
import { createEven, createZipf, zeta } from '../measuring/zipf-law.ts';

const usage = `npm run bench:zipf -- [options]

  --entries N     size of the cache; default 40,000, as in src/storage/fresh-reads.ts
  --requests N    measured for each pair of links and exponent, after others that only fill the cache;
                  default 1,000,000
`;

const sizes = [1e6, 1e7, 1e8, 1e9];
const exponents = [0.8, 0.9, 1, 1.1, 1.2];
/** Look-ups before the measurement, for each entry. */
const fillsPerEntry = 6;

const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const codeSpace = alphabet.length ** 8;
// Coprime to 28, and small enough that a thousand million times it is exact.
const stride = 5_000_011;

/** A generated code, another one for each rank; in one piece, like one that was read off the wire. */
function codeOf(rank: number): string {
  const letters: number[] = [];
  for (
    let rest = (rank * stride) % codeSpace;
    letters.length < 8;
    rest = Math.floor(rest / alphabet.length)
  ) {
    letters.push(alphabet.charCodeAt(rest % alphabet.length));
  }
  return String.fromCharCode(...letters);
}

/** What storage hands out: a location of 88 characters in one piece, an id of 16 bytes. */
function targetOf(code: string): Target {
  const location = `https://shop-42.example.com/spring/${code}/item-123456?utm_source=mail&utm_campaign=123`;
  return {
    row: 1,
    account: 1,
    id: new Uint8Array(16),
    location: Buffer.from(location).toString('latin1'),
    expiresAt: null,
  };
}

/** @returns the share of look-ups that the cache answers, 0 to 1 */
function hitsOf(links: number, exponent: number, entries: number, requests: number): number {
  const draw = createZipf(links, exponent, createEven(1));
  const target = targetOf('');
  const cache = createCache<Target>(entries, () => target);
  for (let at = 0; at < fillsPerEntry * entries; at += 1) cache.find(codeOf(draw()));
  const before = cache.stats().hits;
  const tops = [1, 10, 1_000, entries].map((top) => ({ top, drawn: 0 }));
  for (let at = 0; at < requests; at += 1) {
    const rank = draw();
    for (const one of tops) if (rank <= one.top) one.drawn += 1;
    cache.find(codeOf(rank));
  }
  for (const { top, drawn } of tops) {
    const [share, due] = [drawn / requests, shareOf(links, exponent, top)];
    if (Math.abs(share - due) > 5 * Math.sqrt((due * (1 - due)) / requests))
      throw new Error(
        `The ranks drawn do not follow Zipf's law: ${share} are of the first ${top}, not ${due}.`,
      );
  }
  return (cache.stats().hits - before) / requests;
}

/** The share of all look-ups that ask for the most popular links. */
function shareOf(links: number, exponent: number, top: number): number {
  return zeta(top, exponent) / zeta(links, exponent);
}

/** Bytes of memory for an entry of a full cache, its code and its target included. */
function bytesPerEntry(entries: number): number {
  const used = (): number => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  const cache = createCache<Target>(entries, targetOf);
  for (let rank = 1; rank <= entries; rank += 1) cache.find(codeOf(rank));
  const bytes = used() - before;
  return bytes / cache.stats().entries;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
function grouped(value: number): string {
  return value.toLocaleString('en');
}

function sayMemory(entries: number): void {
  if (globalThis.gc === undefined) return say('Memory is not measured without --expose-gc.');
  const bytes = bytesPerEntry(entries);
  say(`${grouped(entries)} entries of ${number(bytes)} bytes each: ${number((entries * bytes) / 1e6)} MB.`);
}

/** A table with a line for each number of links and a column for each exponent. */
function sayMatrix(title: string, cell: (links: number, exponent: number) => string): void {
  say(`\n${title}`);
  const lines = sizes.map((links) => [
    grouped(links),
    ...exponents.map((exponent) => cell(links, exponent)),
    '',
  ]);
  sayTable([['links', ...exponents.map((exponent) => exponent.toFixed(1)), ''], ...lines]);
}

function countOf(name: string, text: string): number {
  const count = Number(text.replaceAll(/[,_]/g, ''));
  if (Number.isInteger(count) && count >= 1_000) return count;
  throw new Error(`--${name} must be a whole number, and at least 1,000.`);
}

function run(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      entries: { type: 'string', default: '40000' },
      requests: { type: 'string', default: '1000000' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(usage);
  const entries = countOf('entries', values.entries);
  const requests = countOf('requests', values.requests);
  const start = performance.now();
  sayMemory(entries);
  const hits = new Map<string, number>();
  sayMatrix('Look-ups answered from memory, by links and exponent', (links, exponent) => {
    const share = hitsOf(links, exponent, entries, requests);
    hits.set(`${links} ${exponent}`, share);
    return percent(share);
  });
  sayMatrix(`Of 1,000 look-ups, those that ask the database`, (links, exponent) =>
    number(1_000 * (1 - (hits.get(`${links} ${exponent}`) ?? Number.NaN))),
  );
  sayMatrix(`At best: the share of the ${grouped(entries)} most popular links`, (links, exponent) =>
    percent(shareOf(links, exponent, entries)),
  );
  say(`\n${number((performance.now() - start) / 1_000)} s.`);
}

try {
  run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
