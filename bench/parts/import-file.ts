import { closeSync, openSync, writeSync } from 'node:fs';

const start = Date.UTC(2025, 0, 1);
const yearMs = 365 * 86_400_000;
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'curl/8.5.0',
];

/** Writes a file for `linkfold import apply`. Visits are spread over a year. @param prefix prefix of all codes */
export function writeImportFile(path: string, prefix: string, links: number, visits: number): void {
  const file = openSync(path, 'w');
  const write = (line: object): void => void writeSync(file, `${JSON.stringify(line)}\n`);
  write({ type: 'import', version: 1, source: 'shlink', instance: null, readAt: '2026-01-01T00:00:00.000Z' });
  for (let n = 0; n < links; n += 1) {
    const url = `https://shop${n % 500}.example/spring/${n}?utm_source=billboard`;
    const title = `Spring sale, part ${n}`;
    write({ type: 'link', key: `${prefix}-${n}`, domain: null, code: `${prefix}-${n}`, url, title });
  }
  for (let n = 0; n < visits; n += 1) {
    const key = `${prefix}-${(n * 7_919) % links}`;
    const at = new Date(start + Math.floor((n / visits) * yearMs)).toISOString();
    write({ type: 'visit', key, at, country: 'DE', referrer: 'news.example', userAgent: agents[n % 2] });
  }
  write({ type: 'end', links, visits, buckets: 0, counters: 0, problems: 0 });
  closeSync(file);
}
