import { Fields, rowsIn } from '../fields.ts';
import type { SourceRecord } from '../format.ts';
import { linkFrom, lostOf, namesIn, readDays, rulesFrom, utmFrom } from '../rows.ts';
import {
  type Choices,
  cursorPages,
  problemOnFailure,
  type ReadClicks,
  readRows,
  type Service,
} from '../service.ts';

const perPage = 150;
const names = namesIn(`
  key:idString|id code:path url:originalURL title tags createdAt expiresAt:expiresAt|ttl expiredUrl:expiredURL
  maxClicks:clicksLimit password:password|hasPassword archived redirectStatus:redirectType
`);

function linkOf(row: Fields, choices: Choices): SourceRecord[] {
  const [url, other, share] = [
    row.text('originalURL'),
    row.text('splitURL'),
    row.number('splitPercent') ?? 0,
  ];
  const split = [
    { url: other, weight: share },
    { url, weight: 100 - share },
  ].filter(({ weight }) => weight > 0);
  const splits = other === undefined || share === 0 ? [] : [{ when: [], to: { split } }];
  const targets = { ios: row.text('iphoneURL'), android: row.text('androidURL') };
  return linkFrom(row, names, choices, {
    rules: rulesFrom(targets, undefined, splits),
    utm: utmFrom(row, (name) => `utm${name.charAt(0).toUpperCase()}${name.slice(1)}`),
    lost: lostOf({ cloaking: row.flag('cloaking') }),
  });
}

const clicksOf: ReadClicks = async function* (requestJson, key, choices) {
  const path = `https://statistics.short.io/statistics/link/${encodeURIComponent(key)}`;
  const answer = await requestJson(path, { period: 'total' }, { optional: true });
  if (answer === undefined) return;
  const fields = new Fields(answer, choices.zone);
  yield { type: 'counter', key, clicks: fields.number('totalClicks') ?? 0 };
  const [series = {}] = rowsIn(fields.inner('clickStatistics')?.any('datasets') ?? []);
  yield* readDays(rowsIn(series, 'data'), key, choices, 'x', 'y');
};

export const shortIo: Service = {
  label: 'Short.io',
  api: {
    at: 'https://api.short.io',
    headers: ({ token }) => ({ authorization: token }),
    // Short.io's statistics API allows 60 requests per minute.
    everyMs: 1_050,
    async *read(requestJson, choices) {
      for (const row of rowsIn(await requestJson('/api/domains'))) {
        const fields = new Fields(row, choices.zone);
        const [id, domain] = [fields.need('id'), fields.need('hostname')];
        if (choices.domain !== null && choices.domain !== domain) continue;
        const pages = cursorPages(async (pageToken) => {
          const answer = new Fields(
            await requestJson('/api/links', { domain_id: id, limit: perPage, pageToken }),
            'UTC',
          );
          return { rows: rowsIn(answer.any('links') ?? []), next: answer.text('nextPageToken') };
        });
        for await (const rows of pages)
          for (const found of readRows(rows, `link on ${domain}`, { ...choices, domain }, linkOf)) {
            if (found.type !== 'link' || !(choices.withClicks || found.maxClicks)) {
              yield found;
              continue;
            }
            const clicks = await Array.fromAsync(
              problemOnFailure(`clicks of link ${found.key}`, clicksOf(requestJson, found.key, choices)),
            );
            const used = clicks.find((line) => line.type === 'counter')?.clicks;
            yield found.maxClicks === undefined ? found : { ...found, clicksUsed: used };
            yield* clicks;
          }
      }
    },
  },
};
