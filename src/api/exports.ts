import type { Endpoint, QueryOf } from '../contract/endpoint.ts';
import { linkColumns } from '../contract/links/link-answers.ts';
import { clickShape } from '../contract/statistics/clicks.ts';
import { type exportEndpoints, type TableFormat, tableTypes } from '../contract/statistics/exports.ts';
import type { ApiKey } from '../model/accounts/keys.ts';
import type { ClicksPage, ClicksQuestion } from '../model/clicks/raw-clicks.ts';
import { Failure, refused } from '../model/failures.ts';
import { findLinks, searchProblems } from '../model/links/find-links.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { weightOf } from './accept.ts';
import { clickAt, clicksQuestion, subjectIn, subjectProblems } from './clicks.ts';
import { whole } from './links.ts';
import type { ApiContext, Call, Handlers } from './request/handler.ts';
import { askedProblems, notFound, statisticsOf } from './statistics.ts';
import type { Row } from './tables/rows.ts';
import { Exported, inPieces, type MakeRows, type Table } from './tables/table.ts';

/** Rows that storage gives at a time. */
const linksAtOnce = 400;
const clicksAtOnce = 5_000;

function formatOf(format: TableFormat | undefined, accept: string): TableFormat {
  if (format !== undefined) return format;
  return weightOf(accept, tableTypes.ndjson) > weightOf(accept, tableTypes.csv) ? 'ndjson' : 'csv';
}

function tableOf({ now }: ApiContext, name: string, rest: Omit<Table, 'name'>): Exported {
  return new Exported({ ...rest, name: `${name}-${formatTimestamp(now()).slice(0, 10)}` });
}

/** How often an export tries again, and how long it waits before, ms: others come first while there is much to do. */
const tries = 60;
const waitMs = 500;

/** Whom rows are read for, while that is permitted. */
type Reader = Pick<Call<Endpoint>, 'context' | 'requireStill'> & { readonly key: ApiKey };

/** Asks for a page. The first one is refused like any other request; a later one waits its turn, unless its key has ended. */
async function retryOverloaded<T>(isFirst: boolean, reader: Reader, ask: () => Promise<T>): Promise<T> {
  if (!isFirst) await reader.requireStill();
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof Failure && error.code === 'OVERLOADED';
      if (isFirst || !isBusy || tried === tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
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
    yield* inPieces(links.length, (at) => whole(context, links[at] as (typeof links)[number]));
    cursor = page.nextCursor;
  }
}

async function* clickRows(reader: Reader, question: ClicksQuestion): AsyncGenerator<MakeRows> {
  const { context, key } = reader;
  let page: ClicksPage | undefined;
  do {
    const behind: ClicksQuestion['behind'] = page?.next;
    page = await retryOverloaded(page === undefined, reader, () =>
      context.storage.clicks(key.accountId, { ...question, behind }),
    );
    if (page === undefined) throw notFound[question.subject.kind]();
    const clicks = page;
    yield* inPieces(clicks.times.length, (at) => clickAt(clicks, at));
  } while (page.next !== undefined);
}

const sums = ['clicks', 'human', 'bot', 'preview', 'prefetch', 'visitors'] as const;

/** Names of the same columns of an earlier range: `beforeClicks`. */
function before(names: readonly string[]): string[] {
  return names.map((name) => `before${name[0]?.toUpperCase()}${name.slice(1)}`);
}

function prefixed(names: readonly string[], values: Row | undefined): Row {
  const columns = before(names);
  return Object.fromEntries(names.map((name, at) => [columns[at], values?.[name] ?? null]));
}

type Statistics = Awaited<ReturnType<typeof statisticsOf>>;

/** What an answer has, as rows: of its breakdown when there is one, with the rest in the last row; else of its series. */
function statisticsTable({ series, breakdown, compare }: Statistics): { columns: string[]; rows: Row[] } {
  const compares = compare !== undefined;
  if (breakdown === undefined) {
    const names = ['start', ...sums];
    const columns = [...names, ...(compares ? before(names) : [])];
    const length = Math.max(series.length, compare?.series.length ?? 0);
    const rows = Array.from({ length }, (_, at) => ({
      ...Object.fromEntries(names.map((name) => [name, (series[at] as Row | undefined)?.[name] ?? null])),
      ...(compares && prefixed(names, compare.series[at])),
    }));
    return { columns, rows };
  }
  const counts = ['clicks', 'visitors'] as const;
  const columns = ['row', 'value', 'label', ...counts, ...(compares ? before(counts) : [])];
  const rows = breakdown.values.map(({ value, label = '', before: earlier, ...of }): Row => {
    const { clicks, visitors } = of;
    return { row: 'value', value, label, clicks, visitors, ...(compares && prefixed(counts, earlier)) };
  });
  const { clicks, visitors } = breakdown.other;
  const rest = { row: 'other', value: '', label: '', clicks, visitors };
  const ofValues = (name: (typeof counts)[number]): number =>
    breakdown.values.reduce((sum, { before: earlier }) => sum + (earlier?.[name] ?? 0), 0);
  const earlier = Object.fromEntries(
    counts.map((name) => [name, (compare?.totals[name] ?? 0) - ofValues(name)]),
  );
  return { columns, rows: [...rows, { ...rest, ...(compares && prefixed(counts, earlier)) }] };
}

async function* piecesOf(rows: readonly Row[]): AsyncGenerator<MakeRows> {
  yield* inPieces(rows.length, (at) => rows[at] as Row);
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
    rules: ({ context, query }) => [...subjectProblems(query), ...askedProblems({ context, query })],
    async run({ context, key, query: { format, ...query }, accept }) {
      const statistics = await statisticsOf(context, key.accountId, subjectIn(query), query);
      if (statistics.incompleteBefore !== undefined) throw tooMuch(statistics.incompleteBefore);
      const { columns, rows } = statisticsTable(statistics);
      const table = { format: formatOf(format, accept), columns, rows: piecesOf(rows) };
      return tableOf(context, 'statistics', table);
    },
  },

  exportClicks: {
    rules: ({ context, query }) => [...subjectProblems(query), ...askedProblems({ context, query })],
    async run({ query: { format, ...query }, accept, ...call }) {
      const { context } = call;
      const question = clicksQuestion(context, subjectIn(query), { ...query, limit: clicksAtOnce });
      const rows = clickRows(call, question);
      const columns = Object.keys(clickShape);
      return tableOf(context, 'clicks', { format: formatOf(format, accept), columns, rows });
    },
  },
};

/** A file cannot say that something is missing from it. */
function tooMuch(incompleteBefore: string): Failure {
  const message = `There are more clicks in this range than an answer looks at: those before ${incompleteBefore} would be left out. Give a later from.`;
  return refused([{ field: 'from', reason: 'out_of_range', message, code: 'VALIDATION_ERROR' }]);
}
