// How many look-ups the cache of targets answers when the popularity of links follows Zipf's law, and what the rest
// asks of the database: npm run bench:zipf -- --help
import { parseArgs } from 'node:util';
import type { Target } from '../src/domain/storage.ts';
import { createCache } from '../src/storage/cache.ts';
import { number } from './figures.ts';
import { say, sayTable } from './report.ts';

const usage = `npm run bench:zipf -- [options]

  --entries N     size of the cache; default 40,000, as in src/storage/fresh-reads.ts
  --requests N    measured for each pair of links and exponent, after others that only fill the cache;
                  default 1,000,000
`;

const sizes = [1e6, 1e7, 1e8, 1e9];
const exponents = [0.8, 0.9, 1, 1.1, 1.2];
/** Look-ups before the measurement, for each entry. */
const fillsPerEntry = 6;

/** Numbers from 0 to 1, evenly, the same in every run (sfc32 by Chris Doty-Humphrey). */
const createEven = (seed: number): (() => number) => {
  let a = 0;
  let b = seed;
  let c = 0x9e3779b9;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 16; round += 1) next();
  return () => (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53;
};

/**
 * Ranks from 1 to `size`, rank k with a probability like k^-exponent: rejection-inversion, whose cost does not grow with
 * the size (Hörmann and Derflinger, "Rejection-inversion to generate variates from monotone discrete distributions",
 * 1996).
 */
const createZipf = (size: number, exponent: number, even: () => number): (() => number) => {
  const slope = 1 - exponent;
  const density = (x: number): number => Math.exp(-exponent * Math.log(x));
  // The integral of the density and its inverse, written so that an exponent of 1 is no special case.
  const integral = (x: number): number => {
    const log = Math.log(x);
    return log * (Math.abs(slope * log) > 1e-8 ? Math.expm1(slope * log) / (slope * log) : 1);
  };
  const inverse = (y: number): number => {
    const t = Math.max(-1, y * slope);
    return Math.exp(y * (Math.abs(t) > 1e-8 ? Math.log1p(t) / t : 1));
  };
  const from = integral(1.5) - 1;
  const to = integral(size + 0.5);
  const surely = 2 - inverse(integral(2.5) - density(2));
  return () => {
    for (;;) {
      const at = to + even() * (from - to);
      const x = inverse(at);
      const rank = Math.min(size, Math.max(1, Math.round(x)));
      if (rank - x <= surely || at >= integral(rank + 0.5) - density(rank)) return rank;
    }
  };
};

/** The sum of k^-exponent for k from 1 to `size`: the first summands one by one, the rest by Euler and Maclaurin. */
const zeta = (size: number, exponent: number): number => {
  const summed = Math.min(size, 100_000);
  let sum = 0;
  for (let k = 1; k <= summed; k += 1) sum += k ** -exponent;
  if (size === summed) return sum;
  const area =
    exponent === 1
      ? Math.log(size / summed)
      : (size ** (1 - exponent) - summed ** (1 - exponent)) / (1 - exponent);
  return sum + area + (size ** -exponent - summed ** -exponent) / 2;
};

const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const codeSpace = alphabet.length ** 8;
// Coprime to 28, and small enough that a thousand million times it is exact.
const stride = 5_000_011;

/** A generated code, another one for each rank; in one piece, like one that was read off the wire. */
const codeOf = (rank: number): string => {
  const letters: number[] = [];
  for (
    let rest = (rank * stride) % codeSpace;
    letters.length < 8;
    rest = Math.floor(rest / alphabet.length)
  ) {
    letters.push(alphabet.charCodeAt(rest % alphabet.length));
  }
  return String.fromCharCode(...letters);
};

/** What storage hands out: a location of 88 characters in one piece, an id of 16 bytes. */
const targetOf = (code: string): Target => {
  const location = `https://shop-42.example.com/spring/${code}/item-123456?utm_source=mail&utm_campaign=123`;
  return {
    row: 1,
    id: new Uint8Array(16),
    location: Buffer.from(location).toString('latin1'),
    expiresAt: null,
  };
};

/** @returns the share of look-ups that the cache answers, 0 to 1 */
const hitsOf = (links: number, exponent: number, entries: number, requests: number): number => {
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
};

/** The share of all look-ups that ask for the most popular links. */
const shareOf = (links: number, exponent: number, top: number): number =>
  zeta(top, exponent) / zeta(links, exponent);

/** Bytes of memory for an entry of a full cache, its code and its target included. */
const bytesPerEntry = (entries: number): number => {
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
};

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const grouped = (value: number): string => value.toLocaleString('en');

const sayMemory = (entries: number): void => {
  if (globalThis.gc === undefined) return say('Memory is not measured without --expose-gc.');
  const bytes = bytesPerEntry(entries);
  say(`${grouped(entries)} entries of ${number(bytes)} bytes each: ${number((entries * bytes) / 1e6)} MB.`);
};

/** A table with a line for each number of links and a column for each exponent. */
const sayMatrix = (title: string, cell: (links: number, exponent: number) => string): void => {
  say(`\n${title}`);
  const lines = sizes.map((links) => [
    grouped(links),
    ...exponents.map((exponent) => cell(links, exponent)),
    '',
  ]);
  sayTable([['links', ...exponents.map((exponent) => exponent.toFixed(1)), ''], ...lines]);
};

const countOf = (name: string, text: string): number => {
  const count = Number(text.replaceAll(/[,_]/g, ''));
  if (Number.isInteger(count) && count >= 1_000) return count;
  throw new Error(`--${name} must be a whole number, and at least 1,000.`);
};

const run = (args: string[]): void => {
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
};

try {
  run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
