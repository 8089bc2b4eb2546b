import type { QueryOf } from '../contract/endpoint.ts';
import { linkColumns } from '../contract/links/link-answers.ts';
import { clickShape } from '../contract/statistics/clicks.ts';
import { type exportEndpoints, type TableFormat, tableTypes } from '../contract/statistics/exports.ts';
import type { ClicksPage, ClicksQuestion } from '../model/clicks/raw-clicks.ts';
import { findLinks, searchProblems } from '../model/links/find-links.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { weightOf } from '../runtime/accept.ts';
import { fullLink } from './links.ts';
import type { ApiContext, Handlers } from './request/handler.ts';
import { type Reader, retryOverloaded } from './request/reader.ts';
import { clickAt, clicksQuestion, subjectIn, subjectProblems } from './statistics/clicks.ts';
import { notFound, queryProblems } from './statistics/statistics.ts';
import { statisticsTable } from './statistics/statistics-table.ts';
import { Exported, type MakeRows, readInChunks, type Table } from './tables/table.ts';

/** Number of rows per page read from storage. */
const linksAtOnce = 200;
const clicksAtOnce = 5_000;

function formatOf(format: TableFormat | undefined, accept: string): TableFormat {
  if (format !== undefined) return format;
  return weightOf(accept, tableTypes.ndjson) > weightOf(accept, tableTypes.csv) ? 'ndjson' : 'csv';
}

function tableOf({ now }: ApiContext, name: string, rest: Omit<Table, 'name'>): Exported {
  return new Exported({ ...rest, name: `${name}-${formatTimestamp(now()).slice(0, 10)}` });
}

type LinksQuery = Omit<QueryOf<typeof exportEndpoints.exportLinks>, 'format'>;

function searchIn({ folderId, externalId, status, ...search }: LinksQuery) {
  return { folderId, externalId, status, ...search, limit: linksAtOnce };
}

type FoundPage = Awaited<ReturnType<typeof findLinks>>;

async function* linkRows(reader: Reader, query: LinksQuery): AsyncGenerator<MakeRows> {
  const { context, key } = reader;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const asked: Parameters<typeof findLinks>[2] = { ...searchIn(query), cursor };
    const page: FoundPage = await retryOverloaded(cursor === '', reader, () =>
      findLinks(context, key.accountId, asked),
    );
    const { links } = page;
    yield* readInChunks(links.length, (at) => fullLink(context, links[at] as (typeof links)[number]));
    cursor = page.nextCursor;
  }
}

async function* clickRows(reader: Reader, question: ClicksQuestion): AsyncGenerator<MakeRows> {
  const { context, key } = reader;
  let page: ClicksPage | undefined;
  do {
    const after: ClicksQuestion['after'] = page?.next;
    page = await retryOverloaded(page === undefined, reader, () =>
      context.storage.clicks(key.accountId, { ...question, after }),
    );
    if (page === undefined) throw notFound[question.subject.kind]();
    const clicks = page;
    yield* readInChunks(clicks.times.length, (at) => clickAt(clicks, at));
  } while (page.next !== undefined);
}

export const exportHandlers: Handlers<typeof exportEndpoints> = {
  exportLinks: {
    rules: ({ context, key, query }) => searchProblems(context, key.accountId, searchIn(query)),
    async run({ query: { format, ...query }, accept, ...call }) {
      const { context } = call;
      const rows = linkRows(call, query);
      return tableOf(context, 'links', { format: formatOf(format, accept), columns: linkColumns, rows });
    },
  },

  exportStatistics: {
    rules: ({ context, query }) => [...subjectProblems(query), ...queryProblems({ context, query })],
    async run({ query: { format, ...query }, accept, ...call }) {
      const table = statisticsTable(call, subjectIn(query), query);
      return tableOf(call.context, 'statistics', { format: formatOf(format, accept), ...table });
    },
  },

  exportClicks: {
    rules: ({ context, query }) => [...subjectProblems(query), ...queryProblems({ context, query })],
    async run({ query: { format, ...query }, accept, ...call }) {
      const { context } = call;
      const question = clicksQuestion(context, subjectIn(query), { ...query, limit: clicksAtOnce });
      const rows = clickRows(call, question);
      const columns = Object.keys(clickShape);
      return tableOf(context, 'clicks', { format: formatOf(format, accept), columns, rows });
    },
  },
};
