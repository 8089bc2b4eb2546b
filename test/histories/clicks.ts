// Clicks as a model: each answered redirect is counted once, in the value that it had of each dimension.
import type { Random } from '../support/random/random.ts';
import { agents } from './recorder.ts';

/** Values of a visit by dimension of the statistics. */
export type VisitValues = Readonly<Record<string, string>>;

/** Visits of one link: those that were redirected, and those whose response was lost. */
export interface Visits {
  readonly answered: VisitValues[];
  readonly unknown: VisitValues[];
}

export const countryHeader = 'x-country';

/** Draws a visit: its path and headers, and the values that statistics must count it by. */
export function drawVisit(random: Random, code: string) {
  const browser = random.pick(['chrome', 'firefox'] as const);
  const referrer = random.pick(['', 'example.net', 'example.org']);
  const utmCampaign = random.pick(['', 'spring', 'autumn']);
  const language = random.pick(['de', 'fr']);
  const country = random.pick(['DE', 'FR', 'JP']);
  return {
    path: `/${code}${utmCampaign && `?utm_campaign=${utmCampaign}`}`,
    headers: {
      'user-agent': agents[browser],
      'accept-language': language,
      [countryHeader]: country,
      ...(referrer !== '' && { referer: `https://${referrer}/` }),
    },
    values: { class: 'human', browser, referrer, utmCampaign, language, country } as VisitValues,
  };
}

export const dimensions = ['class', 'browser', 'referrer', 'utmCampaign', 'language', 'country'];

function countBy(visits: readonly VisitValues[], dimension: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { [dimension]: value = '' } of visits) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/**
 * Compares a breakdown with the visits of a link.
 * @returns what is wrong: `lacks` may still be counted, `exceeds` is final
 */
export function compareClicks(
  { answered, unknown }: Visits,
  dimension: string,
  counted: ReadonlyMap<string, number>,
): { readonly lacks: string[]; readonly exceeds: string[] } {
  const [least, more] = [countBy(answered, dimension), countBy(unknown, dimension)];
  const lacks: string[] = [];
  const exceeds: string[] = [];
  for (const value of new Set([...least.keys(), ...counted.keys()])) {
    const clicks = counted.get(value) ?? 0;
    const from = least.get(value) ?? 0;
    const to = from + (more.get(value) ?? 0);
    const told = `${dimension} "${value}": ${clicks} clicks, ${from} redirects, ${to - from} unknown`;
    if (clicks < from) lacks.push(told);
    if (clicks > to) exceeds.push(told);
  }
  return { lacks, exceeds };
}
