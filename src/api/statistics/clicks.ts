import type { QueryOf } from '../../contract/endpoint.ts';
import { type clickEndpoints, defaultClicksOfPage } from '../../contract/statistics/clicks.ts';
import {
  type ClickPlace,
  type ClicksPage,
  type ClicksQuestion,
  clickCursor,
  clickFields,
  clickPlaceIn,
} from '../../model/clicks/raw-clicks.ts';
import type { StatisticsSubject } from '../../model/clicks/statistics.ts';
import type { ListIdentity } from '../../model/cursors.ts';
import { invalidCursor, type Problem, problem, refused } from '../../model/failures.ts';
import { recordId } from '../../model/ids.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { parseQuery } from '../../statistics/questions/parse-query.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';
import { filtersOf, notFound, queryProblems } from './statistics.ts';

type Query = QueryOf<typeof clickEndpoints.linkClicks>;
type Subject = Pick<QueryOf<typeof clickEndpoints.accountClicks>, 'linkId' | 'folderId' | 'tagId'>;

const subjects = { linkId: 'link', folderId: 'folder', tagId: 'tag' } as const;

export function subjectIn(query: Subject): StatisticsSubject {
  for (const [field, kind] of Object.entries(subjects) as [keyof Subject, 'link' | 'folder' | 'tag'][]) {
    const id = query[field];
    if (id !== undefined) return { kind, id: recordId(id) };
  }
  return { kind: 'account' };
}

export function subjectProblems(query: Subject): Problem[] {
  const given = (Object.keys(subjects) as (keyof Subject)[]).filter((field) => query[field] !== undefined);
  return given
    .slice(1)
    .map((field) => problem(field, 'not_allowed', `${field} and ${given[0]} cannot be combined.`));
}

/**
 * Returns the values that identify a list in its cursors. Omits default times, because they differ between requests.
 */
function listOf(accountId: number, subject: Subject & { readonly id?: string }, query: Query): ListIdentity {
  const { from, to, timezone, class: classes, filter } = query;
  const { id, linkId = id, folderId, tagId } = subject;
  return [accountId, linkId?.toLowerCase(), folderId, tagId, from, to, timezone, classes, filter];
}

function cursorProblems(list: ListIdentity, { cursor = '' }: Query): Problem[] {
  const place = cursor === '' || clickPlaceIn(list, cursor);
  if (place === undefined) return [invalidCursor];
  return place === 'foreign'
    ? [
        problem(
          'cursor',
          'not_allowed',
          'cursor belongs to a list with other filters. Omit it to get the first page.',
        ),
      ]
    : [];
}

/** Builds the storage query for clicks. @throws Failure VALIDATION_ERROR */
export function clicksQuestion(
  context: ApiContext,
  subject: StatisticsSubject,
  query: Omit<Query, 'cursor'>,
): ClicksQuestion {
  const { limit = defaultClicksOfPage, ...filters } = query;
  const read = parseQuery(filters, context.now(), context.statisticsDays);
  if ('problems' in read) throw refused(read.problems);
  const { from, to } = read;
  return { subject, from, to, filters: filtersOf(context, read), limit };
}

/** Returns the click at an index in the page, in API format. */
export function clickAt({ times, links, linkOf, valueIndexes, values }: ClicksPage, at: number) {
  const { id = '', code = '', folder = '' } = links[linkOf[at] ?? -1] ?? {};
  const fields: Partial<Record<(typeof clickFields)[number], string>> = {};
  for (const name of clickFields) fields[name] = values[valueIndexes[name][at] ?? -1] ?? '';
  return {
    time: formatTimestamp(times[at] ?? 0),
    linkId: id,
    shortCode: code,
    folderId: folder,
    ...(fields as Required<typeof fields>),
  };
}

async function pageOf(
  context: ApiContext,
  accountId: number,
  subject: StatisticsSubject,
  list: ListIdentity,
  { cursor = '', ...query }: Query,
) {
  const question = clicksQuestion(context, subject, query);
  const after = cursor === '' ? undefined : (clickPlaceIn(list, cursor) as ClickPlace);
  const page = await context.storage.clicks(accountId, { ...question, after });
  if (page === undefined) throw notFound[subject.kind]();
  const nextCursor = page.next === undefined ? null : clickCursor(list, page.next);
  const data = Array.from(page.times, (_, at) => clickAt(page, at));
  return { success: true as const, data, pagination: { limit: question.limit, nextCursor } };
}

export const clickHandlers: Handlers<typeof clickEndpoints> = {
  accountClicks: {
    rules: ({ context, key, query }) => [
      ...subjectProblems(query),
      ...queryProblems({ context, query }),
      ...cursorProblems(listOf(key.accountId, query, query), query),
    ],
    run: async ({ context, key, query }) =>
      pageOf(context, key.accountId, subjectIn(query), listOf(key.accountId, query, query), query),
  },

  linkClicks: {
    rules: ({ context, key, params, query }) => [
      ...queryProblems({ context, query }),
      ...cursorProblems(listOf(key.accountId, params, query), query),
    ],
    async run({ context, key, params, query }) {
      const subject = { kind: 'link', id: params.id } as const;
      return pageOf(context, key.accountId, subject, listOf(key.accountId, params, query), query);
    },
  },
};
