import { type auditEndpoints, changeColumns } from '../contract/accounts/audit.ts';
import type { QueryOf } from '../contract/endpoint.ts';
import { writeCursor } from '../model/cursors.ts';
import { type Problem, problem } from '../model/failures.ts';
import { type AccountEvent, changesOf, type EventsQuery, targetName } from '../model/history/events.ts';
import { linkAfter } from '../model/history/history.ts';
import { publicEventType } from '../model/history/public-events.ts';
import { formatTimestamp, parseTimestamp } from '../model/timestamps.ts';
import { changesShown, type ShownChange } from './history.ts';
import { fullLink } from './links.ts';
import type { ApiContext, Handlers } from './request/handler.ts';
import { countPlace, createPaging, cutPage } from './request/paging.ts';
import { type Reader, retryOverloaded } from './request/reader.ts';
import { Exported, type MakeRows, readInChunks } from './tables/table.ts';

function changesIn(context: ApiContext, event: AccountEvent): Record<string, ShownChange> {
  return event.name.startsWith('link.')
    ? changesShown(context, event)
    : (changesOf(event) as Record<string, ShownChange>);
}

type Added = NonNullable<QueryOf<typeof auditEndpoints.audit>['include']>;

function accountChange(context: ApiContext, event: AccountEvent, added: Added = []) {
  const { seq, at, name: action, actor, revision, requestId, targetId } = event;
  const [kind = ''] = action.split('.');
  return {
    id: String(seq),
    at: formatTimestamp(at),
    action,
    target: { kind, id: targetId, ...(added.includes('targetName') && { name: targetName(event) }) },
    actor,
    revision,
    changes: changesIn(context, event),
    requestId,
    ...(added.includes('eventType') && { eventType: publicEventType(action) ?? null }),
  };
}

/** The parts of the API context that are needed to convert an event to a webhook payload or a log entry. */
export type EventContext = Pick<ApiContext, 'baseUrl' | 'sharedHost' | 'now'>;

/** Returns an event as an event log entry; undefined if the log does not include its type. */
export function loggedEvent(context: EventContext, event: AccountEvent) {
  const type = publicEventType(event.name);
  if (type === undefined) return undefined;
  const { seq, at, targetId, body } = event;
  const head = { id: String(seq), type, timestamp: formatTimestamp(at) };
  if (!/^(?:link|destination)\./.test(type)) return { ...head, data: { id: targetId, ...body } };
  const {
    clicks: _,
    lastClickAt: _at,
    clicksLeft: _left,
    status: _state,
    ...link
  } = fullLink(context, linkAfter(event));
  if (type.startsWith('link.')) return { ...head, data: { ...link, changes: changesShown(context, event) } };
  const check = {
    state: body?.['destinationState'],
    problem: body?.['destinationProblem'] ?? null,
    status: body?.['destinationStatus'] ?? null,
  };
  return { ...head, data: { ...link, destinationCheck: check } };
}

const foreign = 'belongs to a list with other filters. Omit it to get the first page.';
const auditPaging = createPaging(countPlace, foreign);
const logPaging = createPaging(countPlace, foreign, 'after');

type Filters = QueryOf<typeof auditEndpoints.exportAudit>;

/** Returns the values that identify a list in its cursors: every query parameter except cursor and page size. */
function auditList(
  accountId: number,
  { actor, action, kind, target, from, to }: Filters,
): readonly unknown[] {
  return ['audit', accountId, actor, action, kind, target, from, to];
}
function logList(accountId: number): readonly unknown[] {
  return ['log', accountId];
}

function timeProblems({ from, to }: Filters): Problem[] {
  return Object.entries({ from, to }).flatMap(([field, given]) =>
    given === undefined || parseTimestamp(given) !== undefined
      ? []
      : [problem(field, 'invalid_format', `${field} must be a valid calendar date.`)],
  );
}

function toQuestion({ actor, action, kind, target, from, to }: Filters): Omit<EventsQuery, 'limit'> {
  return {
    actorId: actor,
    name: action,
    kind,
    targetId: target,
    from: from === undefined ? undefined : parseTimestamp(from),
    to: to === undefined ? undefined : parseTimestamp(to),
  };
}

const defaultLimit = 20;
const exportedAtOnce = 500;

async function* changeRows(reader: Reader, question: Omit<EventsQuery, 'limit'>): AsyncGenerator<MakeRows> {
  const { context, key } = reader;
  for (let before: number | undefined, isFirst = true; ; isFirst = false) {
    const query = { ...question, before, limit: exportedAtOnce };
    const events: readonly AccountEvent[] = await retryOverloaded(isFirst, reader, async () =>
      context.storage.accountEvents(key.accountId, query),
    );
    yield* readInChunks(events.length, (at) => accountChange(context, events[at] as AccountEvent));
    if (events.length < exportedAtOnce) return;
    before = events.at(-1)?.seq;
  }
}

export const auditHandlers: Handlers<typeof auditEndpoints> = {
  audit: {
    rules: ({ key, query }) => [
      ...timeProblems(query),
      ...auditPaging.problems(auditList(key.accountId, query), query.cursor),
    ],
    async run({ context, key, query: { limit = defaultLimit, cursor, include, ...filters } }) {
      const list = auditList(key.accountId, filters);
      const before = auditPaging.after(list, cursor);
      const question = { ...toQuestion(filters), before, limit: limit + 1 };
      const found = await context.storage.accountEvents(key.accountId, question);
      const { page, pagination } = cutPage(list, found, limit, ({ seq }) => seq);
      const data = page.map((event) => accountChange(context, event, include));
      return { success: true, data, pagination };
    },
  },

  exportAudit: {
    rules: ({ query }) => timeProblems(query),
    async run({ query, ...call }) {
      const name = `audit-${formatTimestamp(call.context.now()).slice(0, 10)}`;
      const rows = changeRows(call, toQuestion(query));
      return new Exported({ format: 'ndjson', name, columns: changeColumns, rows });
    },
  },

  eventLog: {
    rules: ({ key, query }) => logPaging.problems(logList(key.accountId), query.after),
    async run({ context, key, query: { limit = 100, after } }) {
      const list = logList(key.accountId);
      const from = logPaging.after(list, after) ?? 0;
      const { events, head, hasMore } = await context.storage.followEvents(from, limit, key.accountId);
      const last = events.at(-1)?.seq ?? from;
      const reached = hasMore ? last : Math.max(last, head ?? last);
      const data = events.flatMap((event) => loggedEvent(context, event) ?? []);
      return {
        success: true,
        data,
        pagination: { limit, nextCursor: writeCursor(list, [reached]), hasMore },
      };
    },
  },
};
