// What it costs to read what a click says, µs of one core, and what the data of countries costs: npm run bench:facts
import { parseArgs } from 'node:util';
import { isbot } from 'isbot';
import { openCountries } from '../../src/clicks/dimensions/countries.ts';
import { createReadFacts, type VisitSource } from '../../src/clicks/dimensions/facts.ts';
import { createReadVisitHeaders } from '../../src/clicks/dimensions/visit-headers.ts';
import { digestOf, saltFrom, visitorOf } from '../../src/clicks/dimensions/visitors.ts';
import { createRandom } from '../../test/support/random/random.ts';
import { median, number } from '../measuring/figures.ts';
import { say, sayTable } from '../measuring/report.ts';

const { values } = parseArgs({
  options: { clicks: { type: 'string', default: '300000' }, rounds: { type: 'string', default: '5' } },
});
const clicks = Number(values.clicks);
const rounds = Number(values.rounds);
const random = createRandom(1);

const agents = Array.from(
  { length: 300 },
  (_, version) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
);
const referers = [
  '',
  '',
  'https://www.google.com/',
  'https://l.facebook.com/',
  'https://t.co/',
  'https://news.example/',
];
const languages = ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'en-US,en;q=0.9', 'fr-FR,fr;q=0.9'];
const queries = ['', '', '', 'utm_source=newsletter&utm_medium=email&utm_campaign=spring+sale', 'trigger=qr'];

function addressOf(): string {
  const part = (): number => random.below(256);
  const group = (): string => random.below(65_536).toString(16);
  return random.chance(0.4)
    ? `2a02:${group()}:${group()}:${group()}::/64`
    : `${1 + random.below(220)}.${part()}.${part()}.${part()}`;
}

const visits: readonly VisitSource[] = Array.from({ length: 10_000 }, () => ({
  ...{ agent: random.pick(agents), referer: random.pick(referers), language: random.pick(languages) },
  ...{ query: random.pick(queries), address: addressOf(), country: '', prefetch: false, optsOut: false },
}));
const headers = visits.map(({ agent, referer, language }) => [
  ...['Host', 'sho.rt', 'Connection', 'keep-alive', 'Upgrade-Insecure-Requests', '1', 'User-Agent', agent],
  ...['Accept', 'text/html', 'Sec-Fetch-Site', 'none', 'Sec-Fetch-Mode', 'navigate', 'Referer', referer],
  ...['Accept-Encoding', 'gzip, deflate, br, zstd', 'Accept-Language', language],
]);

const began = performance.now();
const placeOf = await openCountries();
const openMs = performance.now() - began;
global.gc?.();
say(`countries: open after ${number(openMs)} ms, ${number(process.memoryUsage().arrayBuffers / 1e6)} MB`);

const salt = saltFrom(crypto.getRandomValues(new Uint8Array(16)));
const digest = digestOf(agents[0] ?? '');
const options = {
  classOfAgent: (agent: string) => (isbot(agent) ? ('bot' as const) : ('human' as const)),
  ...{ ownHosts: ['sho.rt'], placeOf, salt: () => salt, honoursOptOut: true },
};
const read = createReadFacts(options);

const readHeaders = createReadVisitHeaders('');

const works: Readonly<Record<string, (visit: VisitSource, at: number) => number>> = {
  'all facts of a click, texts remembered': (visit) => read(visit).visitor,
  'the same, from raw headers': (visit, at) => read({ ...visit, ...readHeaders(headers[at] ?? []) }).visitor,
  'the place of an address alone': (visit) => placeOf(visit.address).country,
  'the visitor alone': (visit) => visitorOf(salt, digest, visit.address),
  'all facts, agent and referrer never seen before': (visit) => {
    unseen += 1;
    const agent = `${visit.agent} ${unseen}`;
    return read({ ...visit, agent, referer: `https://${unseen}.example/` }).visitor;
  },
};
let unseen = 0;
/** Keeps what is measured from being left out. */
let sum = 0;

const rows = Object.entries(works).map(([name, work]) => {
  const times = Array.from({ length: rounds }, () => {
    const { user } = process.cpuUsage();
    for (let click = 0; click < clicks; click += 1) {
      const at = click % visits.length;
      sum += work(visits[at] as VisitSource, at);
    }
    return (process.cpuUsage().user - user) / clicks;
  });
  return [name, number(Math.min(...times)), number(median(times))];
});
sayTable([['µs of one core', 'least', 'median'], ...rows]);
if (sum === 0) throw new Error('Nothing was measured.');
