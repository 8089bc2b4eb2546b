import { Fields, rowsIn } from '../fields.ts';
import type { SourceRecord } from '../format.ts';
import { linkFrom, namesIn, readDays, visitFrom } from '../rows.ts';
import { offsetPages, type ParseRow, type ReadClicks, readPages, type Service } from '../service.ts';

const perPage = 100;
const names = namesIn('key:link_id|id code:slug url title:name createdAt:created_at|createdAt');
const namesOfVisit = namesIn(`
  key:link_id at:created_at referrer:referrer_domain browser os device country region language
`);

/**
 * Returns a parser for links. Short URLs contain `q/` before the slug, unless Umami has a separate host for links.
 * @param folder path before the slug, with a trailing slash
 */
function parserOf(folder: string): ParseRow {
  return (row, choices) => {
    const slug = row.need('slug');
    return linkFrom(row, names, choices, {
      aliases: folder === '' ? undefined : [`${folder}${slug}`],
      disabled: row.any('deleted_at', 'deletedAt') !== undefined,
    });
  };
}

const browsers: Readonly<Record<string, string>> = {
  crios: 'chrome',
  fxios: 'firefox',
  ios: 'safari',
  'edge-chromium': 'edge',
  'edge-ios': 'edge',
};

/** Converts a click, and replaces the names of browsers, operating systems and devices with Linkfold's names. */
function visitOf(row: Fields): SourceRecord[] {
  return visitFrom(row, namesOfVisit).map((visit) => {
    if (visit.type !== 'visit') return visit;
    const { browser = '', os = '', device, region } = visit;
    const system = /^(?:windows|mac|android|chrome|linux|ios)/i.exec(os)?.[0].toLowerCase() ?? os;
    return {
      ...visit,
      browser: browsers[browser] ?? (browser || undefined),
      os: { mac: 'macos', chrome: 'chromeos' }[system] ?? (system || undefined),
      device: device === 'laptop' ? 'desktop' : device,
      // ISO 3166-2 code without the country prefix, because the country is a separate field.
      region: region?.replace(/^[A-Z]{2}-/, ''),
    };
  });
}

const clicksOf: ReadClicks = async function* (requestJson, key, choices) {
  const { since = '1970-01-01T00:00:00.000Z', readAt } = choices;
  const range = { startAt: Date.parse(since), endAt: Date.parse(readAt), unit: 'day', timezone: 'UTC' };
  const path = `/api/websites/${encodeURIComponent(key)}/pageviews`;
  const answer = await requestJson(path, range, { optional: true });
  yield* readDays(rowsIn(answer ?? {}, 'pageviews'), key, { ...choices, zone: 'UTC' }, 'x', 'y');
};

export const umami: Service = {
  label: 'Umami',
  redirectStatus: 307,
  api: {
    headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
    note: "Umami's API returns only the links of the token's user, or of the team in --workspace.",
    async *read(requestJson, choices) {
      const settings = await requestJson('/api/config', {}, { optional: true });
      const config = new Fields(settings ?? {}, choices.zone);
      const links = URL.parse(config.text('linksUrl') ?? '');
      const place = links === null ? choices : { ...choices, domain: choices.domain ?? links.host };
      const folder = links === null ? 'q/' : links.pathname.replace(/^\/|\/$/g, '').replace(/.$/, '$&/');
      const { workspace } = choices;
      const path =
        workspace === undefined ? '/api/links' : `/api/teams/${encodeURIComponent(workspace)}/links`;
      const pages = offsetPages(
        async (offset) => {
          const page = Math.floor(offset / perPage) + 1;
          const query = { page, pageSize: perPage, orderBy: 'createdAt' };
          const list = new Fields(await requestJson(path, query), choices.zone);
          return { rows: rowsIn(list.any('data') ?? []), total: list.number('count') };
        },
        (row: { id?: unknown } | null) => String(row?.id),
      );
      yield* readPages(pages, place, parserOf(folder), (key) => clicksOf(requestJson, key, choices));
    },
  },
  links: parserOf('q/'),
  clicks: visitOf,
};
