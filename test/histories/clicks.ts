// A model of click counts: each acknowledged redirect is counted once, under its value in each dimension.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../support/random/random.ts';
import { as } from '../support/server/server.ts';
import { agents, type Target } from './recorder.ts';

/** Values of a visit, by dimension. */
export type VisitValues = Readonly<Record<string, string>>;

/** Visits to one link: visits that were redirected, and visits whose response was lost. */
export interface Visits {
  readonly answered: VisitValues[];
  readonly unknown: VisitValues[];
}

export const countryHeader = 'x-country';

/** Generates a random visit: its path, its headers, and the values under which statistics must count it. */
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
 * Compares a breakdown with the visits to a link.
 * @returns the differences. The clicks in `lacks` may still be counted later, but excess clicks in `exceeds` remain.
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

/** Starts a receiver of `link.clicked` events. Repeated requests have the same `webhook-id` and count once. */
export async function startReceiver() {
  const clicksById = new Map<string, readonly Readonly<Record<string, string>>[]>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { clicks } = JSON.parse(Buffer.concat(pieces).toString()).data;
    clicksById.set(String(request.headers['webhook-id']), clicks);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    async subscribe(target: Target, key: string): Promise<void> {
      const { status, text } = await as(target, key).post('/api/v1/webhooks', {
        url,
        events: ['link.clicked'],
      });
      if (status !== 201) throw new Error(text);
    },
    /** Returns the number of received clicks on a link by the value of a dimension. */
    received(linkId: string, dimension: string): Map<string, number> {
      const clicks = [...clicksById.values()].flat().filter((click) => click['linkId'] === linkId);
      return countBy(clicks, dimension);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
