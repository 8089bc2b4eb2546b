import { Fields, rowsIn } from '../fields.ts';
import type { SourceRecord } from '../format.ts';
import { linkFrom, lostOf, namesIn, readDays } from '../rows.ts';
import {
  type Choices,
  cursorPages,
  type ReadClicks,
  readPages,
  type Service,
  shortUrlIn,
} from '../service.ts';

const perPage = 100;
/** Bitly's own hosts. Users cannot move the short URLs on these hosts to another service. */
const ownHosts: ReadonlySet<string> = new Set(['bit.ly', 'j.mp', 'bitly.com']);
const names = namesIn('key:id|link url:long_url title tags createdAt:created_at archived');

/**
 * Converts a link, which has a generated code and may have custom codes on several hosts. Only codes on one host are
 * imported, preferably the user's own.
 */
function linkOf(row: Fields, choices: Choices): SourceRecord[] {
  const own = shortUrlIn(row.need('id', 'link'));
  const all = [...(row.list('custom_bitlinks') ?? []).map(shortUrlIn), own];
  const first = all.find(({ domain }) => !ownHosts.has(domain)) ?? all[0] ?? own;
  const codes = new Set(all.filter(({ domain }) => domain === first.domain).map(({ code }) => code));
  codes.delete(first.code);
  return linkFrom(row, names, choices, {
    ...first,
    aliases: codes.size === 0 ? undefined : [...codes],
    lost: lostOf({
      host: ownHosts.has(first.domain),
      'codes on other hosts': all.some(({ domain }) => domain !== first.domain),
      deeplinks: rowsIn(row.any('deeplinks') ?? []).length > 0,
    }),
  });
}

const clicksOf: ReadClicks = async function* (requestJson, key, choices) {
  const query = { unit: 'day', units: -1 };
  const answer = await requestJson(`/v4/bitlinks/${key}/clicks`, query, { optional: true });
  yield* readDays(rowsIn(answer ?? {}, 'link_clicks'), key, choices, 'date', 'clicks');
};

export const bitly: Service = {
  label: 'Bitly',
  redirectStatus: 301,
  api: {
    at: 'https://api-ssl.bitly.com',
    headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
    everyMs: 450,
    async *read(requestJson, choices) {
      for (const row of rowsIn(await requestJson('/v4/groups'), 'groups')) {
        const guid = new Fields(row, choices.zone).need('guid');
        if (choices.workspace !== undefined && choices.workspace !== guid) continue;
        const path = `/v4/groups/${encodeURIComponent(guid)}/bitlinks`;
        const pages = cursorPages(async (search_after) => {
          const answer = await requestJson(path, { size: perPage, archived: 'both', search_after });
          const fields = new Fields(answer, choices.zone);
          const next = fields.inner('pagination')?.text('search_after');
          return { rows: rowsIn(fields.any('links') ?? []), next };
        });
        yield* readPages(pages, choices, linkOf, (key) => clicksOf(requestJson, key, choices));
      }
    },
  },
};
