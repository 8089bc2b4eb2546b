import { Fields } from '../fields.ts';
import { keyOfCode, linkFrom, namesIn, visitFrom } from '../rows.ts';
import { offsetPages, type ParseRow, readPages, type Service, shortUrlIn } from '../service.ts';

const perPage = 100;
const names = namesIn('short:shorturl code:keyword url title createdAt:timestamp clicks');
const namesOfVisit = namesIn('at:click_time userAgent:user_agent referrer country:country_code');

const linkOf: ParseRow = (row, choices) => {
  const code = row.text('keyword') ?? shortUrlIn(row.need('shorturl')).code;
  return linkFrom(row, names, choices, { code });
};

export const yourls: Service = {
  label: 'YOURLS',
  redirectStatus: 301,
  api: {
    // No header is needed, because the signature is sent as a field in each form.
    headers: () => ({}),
    async *read(requestJson, choices) {
      const pages = offsetPages(
        async (start) => {
          const page = { filter: 'last', limit: `${perPage}`, start: `${start}` };
          const form = { action: 'stats', format: 'json', ...page, signature: choices.token };
          const answer = await requestJson('/yourls-api.php', {}, { form });
          const fields = new Fields(answer, choices.zone);
          const links = fields.any('links') ?? {};
          const total = fields.inner('stats')?.number('total_links');
          return { rows: Object.values(links), total };
        },
        (row: { shorturl?: unknown } | null) => String(row?.shorturl),
      );
      yield* readPages(pages, choices, linkOf);
    },
  },
  links: linkOf,
  clicks: (row, choices) => visitFrom(row, namesOfVisit, keyOfCode(choices, row.need('shorturl'))),
};
