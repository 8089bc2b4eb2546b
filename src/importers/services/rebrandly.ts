import { BadRow, Fields, rowsIn } from '../fields.ts';
import type { LinkLine, SourceRecord } from '../format.ts';
import { linkFrom, namesIn } from '../rows.ts';
import { type Choices, cursorPages, type RequestJson, readRows, type Service } from '../service.ts';

const perPage = 25;
const names = namesIn(
  'key:id domain:domainName code:slashtag url:destination title description createdAt forwardQuery:forwardParameters state:status clicks',
);

function linkOf(row: Fields, choices: Choices): SourceRecord[] {
  const domain = row.inner('domain')?.text('fullName');
  return linkFrom(row, names, choices, domain === undefined ? {} : { domain });
}

/** Adds a link's tags, which the list of links does not contain. */
async function tagged(requestJson: RequestJson, link: LinkLine): Promise<LinkLine> {
  try {
    const tags = await requestJson(`/v1/links/${encodeURIComponent(link.key)}/tags`, {}, { optional: true });
    const names = rowsIn(tags ?? []).map((tag) => new Fields(tag, 'UTC').need('name'));
    return names.length === 0 ? link : { ...link, tags: names };
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    return { ...link, lost: ['tags'] };
  }
}

/** Rebrandly. Its API provides a link's total clicks, but not its clicks per day. */
export const rebrandly: Service = {
  label: 'Rebrandly',
  api: {
    at: 'https://api.rebrandly.com',
    headers: ({ token, workspace }) => ({ apikey: token, ...(workspace && { workspace }) }),
    everyMs: 110,
    async *read(requestJson, choices) {
      const pages = cursorPages(async (last) => {
        const query = { limit: perPage, last, orderBy: 'createdAt', orderDir: 'asc' };
        const rows = rowsIn(await requestJson('/v1/links', query));
        const end = rows.at(-1) as { readonly id?: unknown } | undefined;
        return { rows, next: rows.length < perPage ? undefined : String(end?.id) };
      });
      for await (const rows of pages)
        for (const found of readRows(rows, 'link', choices, linkOf))
          yield found.type === 'link' ? await tagged(requestJson, found) : found;
    },
  },
};
