import { BadRow, Fields, rowsIn } from '../fields.ts';
import type { LinkLine, SourceRecord } from '../format.ts';
import { linkFrom, lostOf, type Names, namesIn, rulesFrom, visitFrom } from '../rows.ts';
import {
  type Choices,
  offsetPages,
  problemOnFailure,
  type RequestJson,
  readRows,
  type Service,
} from '../service.ts';

const perPage = 100;
const visitsPerPage = 1_000;

const names = namesIn(`
  short:shortUrl domain code:shortCode url:longUrl title tags createdAt:dateCreated|createdAt startsAt:validSince
  expiresAt:validUntil maxClicks:maxVisits forwardQuery clicks:visits|visitsCount
`);

function linkOf(row: Fields, choices: Choices): SourceRecord[] {
  const fields = row.over('meta');
  const sums = row.inner('visitsSummary');
  const clicks = sums?.number('total') ?? 0;
  // Shlink 3 supports a URL per device instead of redirect rules.
  const devices = row.inner('deviceLongUrls');
  const found = linkFrom(fields, names, choices, {
    lost: lostOf({ crawlable: row.flag('crawlable') }),
    ...(devices && {
      rules: rulesFrom({
        ios: devices.text('ios'),
        android: devices.text('android'),
        desktop: devices.text('desktop'),
      }),
    }),
    ...(sums && { clicksUsed: (fields.number('maxVisits') ?? 0) > 0 ? clicks : undefined }),
  });
  const [link] = found;
  if (link?.type !== 'link' || sums === undefined) return found;
  return [link, { type: 'counter', key: link.key, clicks, bots: sums.number('bots') }];
}

type Condition = Record<string, unknown>;

/** Converts a rule's condition. @returns undefined if Linkfold does not support it */
function conditionOf(row: Fields): Condition | undefined {
  const [type, name, value = ''] = [row.text('type'), row.text('matchKey'), row.text('matchValue')];
  switch (type) {
    case 'device':
      // In Shlink, `mobile` includes tablets.
      if (value === 'mobile') return { fact: 'device', values: ['mobile', 'tablet'] };
      return { fact: value === 'desktop' ? 'device' : 'os', values: [value] };
    case 'browser':
      return value === 'android_browser' ? undefined : { fact: 'browser', values: [value] };
    case 'language':
      return { fact: 'language', values: [value] };
    case 'geolocation-country-code':
      return { fact: 'country', values: [value] };
    case 'query-param':
      return { fact: 'query', name, values: [value] };
    case 'any-value-query-param':
      return { fact: 'query', name };
    case 'before-date':
      return { fact: 'date', to: row.time('matchValue') };
    case 'after-date':
      return { fact: 'date', from: row.time('matchValue') };
    default:
      return undefined;
  }
}

/** Adds a link's redirect rules in order, except those that Linkfold does not support. */
function withRules(link: LinkLine, answer: unknown, zone: string): LinkLine {
  const rows = rowsIn(answer ?? {}, 'redirectRules').map((row) => new Fields(row, zone));
  rows.sort((a, b) => (a.number('priority') ?? 0) - (b.number('priority') ?? 0));
  const all = rows.map((row) => ({
    when: rowsIn(row.any('conditions') ?? []).map((one) => conditionOf(new Fields(one, zone))),
    to: { url: row.need('longUrl') },
  }));
  const rules = all.filter(({ when }) => when.every((one) => one !== undefined));
  const isComplete = answer !== undefined && rules.length === all.length;
  return { ...link, rules, lost: isComplete ? link.lost : [...(link.lost ?? []), 'rules'] };
}

const visited = ['visitedUrl', 'visitedURL', 'Visited URL', 'Visited_URL'];
const namesOfVisit: Names = {
  ...namesIn(`
    at:date|Date referrer:referer|Referer country:countryCode|countryName|Country|country
    region:regionName|Region|region
  `),
  userAgent: ['userAgent', 'User agent', 'User_agent'],
};

function visitOf(row: Fields, key: string): SourceRecord[] {
  // Shlink's CLI prints one of these words for a bot, and nothing for other visits.
  const bot = /^(?:true|1|potential bot)$/i.test(
    String(row.any('potentialBot', 'Potential bot', 'Potential_bot')),
  );
  return visitFrom(row, namesOfVisit, key).map((visit) => {
    if (visit.type !== 'visit') return visit;
    const region = visit.region === 'Unknown' ? undefined : visit.region;
    return { ...visit, bot: bot || undefined, region };
  });
}

/** Parses a row of a file that Shlink's CLI or web client exported. The row identifies its link by the visited URL. */
function visitOfFile(row: Fields, choices: Choices): SourceRecord[] {
  const [link] = linkFrom(row, { short: visited, url: visited }, choices);
  return visitOf(row, link?.type === 'link' ? link.key : '');
}

async function* clicksOf(
  requestJson: RequestJson,
  path: string,
  query: object,
  key: string,
  choices: Choices,
) {
  // Visits are listed newest first, so a fixed end date is needed to keep new visits from shifting the pages.
  const bounds = { itemsPerPage: visitsPerPage, startDate: choices.since, endDate: choices.readAt };
  for (let page = 1; ; page += 1) {
    const answer = await requestJson(`${path}/visits`, { ...query, ...bounds, page });
    const visits = new Fields(answer, choices.zone).inner('visits');
    const rows = rowsIn(visits?.any('data') ?? []);
    yield* readRows(rows, `visit of ${key}`, choices, (row) => visitOf(row.over('visitLocation'), key));
    if (rows.length === 0 || page >= (visits?.inner('pagination')?.number('pagesCount') ?? 0)) return;
  }
}

async function* whole(
  requestJson: RequestJson,
  row: unknown,
  choices: Choices,
): AsyncGenerator<SourceRecord> {
  for (const found of readRows([row], 'link', choices, linkOf)) {
    const fields = new Fields(row ?? {}, choices.zone);
    if (found.type !== 'link') {
      yield found;
      continue;
    }
    const path = `/rest/v3/short-urls/${encodeURIComponent(found.code)}`;
    const query = { domain: fields.text('domain') };
    if (!fields.flag('hasRedirectRules')) yield found;
    else
      try {
        const answer = await requestJson(`${path}/redirect-rules`, query, { optional: true });
        yield withRules(found, answer, choices.zone);
      } catch (error) {
        if (!(error instanceof BadRow)) throw error;
        yield { ...found, lost: [...(found.lost ?? []), 'rules'] };
      }
    if (choices.withClicks)
      yield* problemOnFailure(
        `clicks of link ${found.key}`,
        clicksOf(requestJson, path, query, found.key, choices),
      );
  }
}

export const shlink: Service = {
  label: 'Shlink',
  api: {
    headers: ({ token }) => ({ 'x-api-key': token }),
    async *read(requestJson, choices) {
      const pages = offsetPages(
        async (offset) => {
          const page = Math.floor(offset / perPage) + 1;
          const query = { page, itemsPerPage: perPage, orderBy: 'dateCreated-ASC' };
          const list = new Fields(await requestJson('/rest/v3/short-urls', query), choices.zone).inner(
            'shortUrls',
          );
          const total = list?.inner('pagination')?.number('totalItems');
          return { rows: rowsIn(list?.any('data') ?? []), total };
        },
        (row: { domain?: unknown; shortCode?: unknown } | null) =>
          JSON.stringify([row?.domain, row?.shortCode]),
      );
      for await (const rows of pages) for (const row of rows) yield* whole(requestJson, row, choices);
    },
  },
  links: linkOf,
  clicks: visitOfFile,
};
