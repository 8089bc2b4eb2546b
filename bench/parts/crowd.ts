import { createRandom } from '../../test/support/random/random.ts';
import { browserHeaders, type Requests } from '../harness/wrk.ts';
import { createZipf } from './zipf-law.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const android = 'Mozilla/5.0 (Linux; Android 10; K)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)';
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = (version: number): string => `AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0`;
const agents = [
  ...[146, 145, 144].map((version) => `${windows} ${chrome(version)} Safari/537.36`),
  ...[146, 145].map((version) => `${windows} ${chrome(version)} Safari/537.36 Edg/${version}.0.0.0`),
  ...[146, 145, 144].map((version) => `${android} ${chrome(version)} Mobile Safari/537.36`),
  ...['18.5', '18.4'].map((version) => `${iphone} ${webkit} Version/${version} Mobile/15E148 Safari/604.1`),
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'WhatsApp/2.24.20 A',
];
const referrers = [
  ...['https://www.google.com/', 'https://www.instagram.com/', 'https://t.co/'],
  ...['https://news.ycombinator.com/item?id=1', 'https://shop.example.com/landing/autumn'],
];

/**
 * Returns requests like the ones a busy service receives: many user agents and referrers, and links chosen by Zipf's
 * law.
 */
export function crowdOf(codes: readonly string[]): Requests {
  const draw = createZipf(codes.length, 1, createRandom(7).next);
  return {
    heads: agents.flatMap((agent) =>
      referrers.map((referrer) => ({ ...browserHeaders, 'User-Agent': agent, Referer: referrer })),
    ),
    paths: Array.from({ length: 10 * codes.length }, () => `/${codes[draw() - 1]}`),
  };
}
