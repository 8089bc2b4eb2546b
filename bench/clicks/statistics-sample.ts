import { allocateDayClicks, type DayClicks } from '../../src/statistics/columns/day-clicks.ts';
import { secondsPerDay } from '../../src/statistics/columns/dimensions.ts';
import { createEven, createZipf } from '../measuring/zipf-law.ts';

/**
 * Generates the clicks of a mid-sized account: links by Zipf's law; nine tenths of the visitors are people, some of
 * whom follow several links; bots that follow many; prefetches just before the click; language and agent correlated
 * with the country; referrers and campaigns correlated with the link; busy evenings.
 */
export interface Sample {
  /** Returns all clicks of the next day; `visitor` is random in each. */
  nextDay(clicks: number): DayClicks;
  readonly words: readonly string[];
}

const hosts = 3_000;
const campaigns = 400;
const countries = 240;
/** Combinations of operating system, browser and device, by descending frequency. */
const agents = 60;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: all draws share one generator, whose order makes the sample of a seed
export function createSample(links: number, seed: number): Sample {
  const even = createEven(seed);
  const drawLink = createZipf(links, 1, even);
  const drawCountry = createZipf(countries, 1.5, even);
  const drawAgent = createZipf(agents, 1.5, even);
  const drawHost = createZipf(hosts, 1.1, even);
  const drawLanguage = createZipf(80, 1.3, even);
  const words = [
    '',
    ...Array.from({ length: hosts }, (_, at) => `site-${at}.example.com`),
    ...Array.from({ length: campaigns }, (_, at) => `campaign-${at}`),
    'newsletter',
    'social',
    'search',
    'email',
    'cpc',
    'post',
    'shoes',
    'coats',
    'variant-a',
    'variant-b',
  ];
  const firstCampaign = 1 + hosts;
  const firstOther = firstCampaign + campaigns;
  /** Returns a hash of a link's number, uniform from 0 to 2^32. */
  const mixed = (link: number, salt: number): number =>
    Math.imul(Math.imul(link + salt * 7919, 0x9e3779b1) ^ (link >>> 3), 0x85ebca6b) >>> 0;

  const drawSecond = (): number => {
    for (;;) {
      const second = Math.floor(even() * secondsPerDay);
      if (even() < 0.55 + 0.45 * Math.sin((second / secondsPerDay) * 2 * Math.PI - 2)) return second;
    }
  };

  const fillClick = (day: DayClicks, row: number, link: number, second: number, visitor: Visitor): void => {
    day.link[row] = link;
    day.second[row] = Math.min(secondsPerDay - 1, second);
    day.visitor[row] = visitor.hash;
    day.codes.class[row] = visitor.class;
    day.codes.country[row] = visitor.country;
    day.codes.os[row] = visitor.agent % 7;
    day.codes.browser[row] = visitor.agent % 11;
    day.codes.device[row] = visitor.agent % 4;
    day.codes.language[row] = visitor.language;
    const kind = even();
    day.codes.trigger[row] = kind < 0.85 ? 0 : kind < 0.95 ? 1 : 2;
    const from = even();
    if (from < 0.35) {
      day.referrer[row] = 1 + Math.floor(hosts * (mixed(link, 1 + Math.floor(even() * 3)) / 2 ** 32) ** 4);
    } else if (from < 0.45) day.referrer[row] = drawHost();
    if (mixed(link, 9) % 10 < 4) {
      const campaign = mixed(link, 10) % campaigns;
      day.combined.utmCampaign[row] = firstCampaign + campaign;
      day.combined.utmSource[row] = firstOther + (campaign % 3);
      day.combined.utmMedium[row] = firstOther + 3 + (Math.floor(even() * 10) === 0 ? 2 : campaign % 3);
      if (campaign % 5 === 0) day.combined.utmTerm[row] = firstOther + 6 + (campaign % 2);
      if (campaign % 3 === 0) day.combined.utmContent[row] = firstOther + 8 + Math.floor(even() * 2);
    }
  };

  const drawVisitor = (): Visitor => {
    const country = drawCountry();
    const kind = even();
    return {
      hash: Math.floor(even() * 2 ** 32),
      class: kind < 0.9 ? 0 : kind < 0.96 ? 1 : 2,
      country,
      agent: drawAgent() - 1,
      language: even() < 0.85 ? (country * 7) % 80 : drawLanguage(),
    };
  };

  return {
    words,
    nextDay(clicks) {
      const day = allocateDayClicks(clicks, words);
      for (let row = 0; row < clicks; ) {
        const visitor = drawVisitor();
        const further = visitor.class === 0 ? 0.3 : 0.6;
        let [link, second] = [drawLink(), drawSecond()];
        if (visitor.class === 0 && even() < 0.04) {
          fillClick(day, row++, link, second, { ...visitor, class: 3 });
        }
        do {
          if (row < clicks) fillClick(day, row++, link, second, visitor);
          if (even() < 0.4) link = drawLink();
          second += Math.floor(even() * even() * 3_600);
        } while (even() < further);
      }
      return day;
    },
  };
}

interface Visitor {
  readonly hash: number;
  readonly class: number;
  readonly country: number;
  readonly agent: number;
  readonly language: number;
}
