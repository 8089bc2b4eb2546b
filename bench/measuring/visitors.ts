import { createEven, createZipf } from './zipf-law.ts';

/** Properties of visits in addition to path and address. */
export interface Crowd {
  /** Header lines of visitors' browsers, chosen evenly. */
  readonly heads: readonly Readonly<Record<string, string>>[];
  /** Chosen evenly: a path listed twice is visited twice as often. */
  readonly paths: readonly string[];
}

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const android = 'Mozilla/5.0 (Linux; Android 10; K)';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const blink = (version: number): string => `AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0`;

/** User agents of common browsers and bots. */
const agents: readonly string[] = [
  ...[146, 145, 144, 140].map((version) => `${windows} ${blink(version)} Safari/537.36`),
  ...[146, 145].map((version) => `${windows} ${blink(version)} Safari/537.36 Edg/${version}.0.0.0`),
  ...[146, 145].map((version) => `${mac} ${blink(version)} Safari/537.36`),
  ...[146, 145, 144].map((version) => `${android} ${blink(version)} Mobile Safari/537.36`),
  ...['18.5', '18.4', '17.6'].map((version) => `${iphone} Version/${version} Mobile/15E148 Safari/604.1`),
  `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  `${android} ${blink(146)} Mobile Safari/537.36 SamsungBrowser/28.0`,
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'WhatsApp/2.24.20 A',
];

const referrers: readonly string[] = [
  ...['', 'https://www.google.com/', 'https://www.instagram.com/', 'https://t.co/'],
  ...['https://news.ycombinator.com/item?id=1', 'https://shop.example.com/landing/autumn'],
];

/**
 * Creates visitors of a busy service: twenty user agents, six referrers, links by Zipf's law. The load generator sets a
 * new address for each visit.
 */
export function crowdOf(codes: readonly string[]): Crowd {
  const draw = createZipf(codes.length, 1, createEven(7));
  return {
    heads: agents.flatMap((agent) =>
      referrers.map((referer) => ({
        Host: 'go.example.com',
        Connection: 'keep-alive',
        'User-Agent': agent,
        Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
        'Accept-Encoding': 'gzip, deflate, br, zstd',
        'Accept-Language': 'en-US,en;q=0.9,de;q=0.8',
        'Sec-Fetch-Mode': 'navigate',
        ...(referer !== '' && { Referer: referer }),
      })),
    ),
    paths: Array.from({ length: 10 * codes.length }, () => `/${codes[draw() - 1]}`),
  };
}
