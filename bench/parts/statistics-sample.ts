import { type ClickFacts, unknownFacts } from '../../src/model/clicks/click-facts.ts';
import { createRandom } from '../../test/support/random/random.ts';
import { createZipf } from './zipf-law.ts';

/** A click, with the number of its link (starting at 1) and the second of the day at which it occurred. */
export interface SampleClick extends ClickFacts {
  readonly link: number;
  readonly second: number;
}

const hosts = 3_000;
const campaigns = 400;
const countries = 240;
const languages = 80;
/** Number of operating system, browser and device combinations, which are numbered by descending frequency. */
const agents = 60;
const secondsPerDay = 86_400;

/** Returns a hash of a link's number, between 0 and 1. */
function hashOf(link: number, salt: number): number {
  return (Math.imul(Math.imul(link + salt * 7_919, 0x9e3779b1) ^ (link >>> 3), 0x85ebca6b) >>> 0) / 2 ** 32;
}

/**
 * Creates a generator for the clicks of a mid-sized account, day by day. The popularity of links follows Zipf's law.
 * Nine tenths of the visitors are people, and some of them follow several links; bots follow many links. Languages
 * depend on the country. Referrers and campaigns depend on the link. Most clicks come in the evening.
 * @returns a function that returns the next day's clicks
 */
export function createSample(links: number, seed: number): (clicks: number) => readonly SampleClick[] {
  const { next, below, chance, pick } = createRandom(seed);
  const [drawLink, drawCountry] = [createZipf(links, 1, next), createZipf(countries, 1.5, next)];
  const [drawAgent, drawHost] = [createZipf(agents, 1.5, next), createZipf(hosts, 1.1, next)];

  const drawSecond = (): number => {
    const second = below(secondsPerDay);
    const evening = 0.55 + 0.45 * Math.sin((second / secondsPerDay) * 2 * Math.PI - 2);
    return chance(evening) ? second : drawSecond();
  };

  const drawVisitor = (): ClickFacts => {
    const [country, agent] = [drawCountry(), drawAgent() - 1];
    return {
      ...unknownFacts(chance(0.9) ? 0 : pick([1, 2])),
      ...{ visitor: below(2 ** 32), country, os: agent % 7, browser: agent % 11, device: agent % 4 },
      language: chance(0.85) ? (country * 7) % languages : below(languages),
    };
  };

  const campaignOf = (link: number): Partial<ClickFacts> => {
    if (hashOf(link, 9) > 0.4) return {};
    const campaign = Math.floor(campaigns * hashOf(link, 10));
    return {
      utmCampaign: `campaign-${campaign}`,
      utmSource: ['newsletter', 'social', 'search'][campaign % 3] ?? '',
      utmMedium: chance(0.1) ? 'post' : (['email', 'social', 'cpc'][campaign % 3] ?? ''),
      ...(campaign % 5 === 0 && { utmTerm: ['shoes', 'coats'][campaign % 2] ?? '' }),
      ...(campaign % 3 === 0 && { utmContent: pick(['variant-a', 'variant-b']) }),
    };
  };

  const referrerOf = (link: number): string => {
    const kind = next();
    if (kind > 0.45) return '';
    const usual = Math.floor(hosts * hashOf(link, 1 + below(3)) ** 4);
    return `site-${kind < 0.35 ? usual : drawHost()}.example.com`;
  };

  return (clicks) => {
    const day: SampleClick[] = [];
    while (day.length < clicks) {
      const visitor = drawVisitor();
      let [link, second] = [drawLink(), drawSecond()];
      do {
        const trigger = chance(0.85) ? 0 : pick([1, 2]);
        day.push({ ...visitor, link, second, trigger, referrer: referrerOf(link), ...campaignOf(link) });
        if (chance(0.4)) link = drawLink();
        second = Math.min(secondsPerDay - 1, second + Math.floor(next() * next() * 3_600));
      } while (day.length < clicks && chance(visitor.class === 0 ? 0.3 : 0.6));
    }
    return day;
  };
}
