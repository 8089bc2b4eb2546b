import type { operatorEndpoints } from '../../contract/accounts/operator.ts';
import type { QueryOf } from '../../contract/endpoint.ts';
import { type AccountFacts, setSuspended } from '../../model/accounts/operators.ts';
import { writeCursor } from '../../model/cursors.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import type { Call, Handlers } from '../request/handler.ts';
import { countIn, pageAfter } from '../request/page-after.ts';

function time(at: number | null): string | null {
  return at === null ? null : formatTimestamp(at);
}

function shown({ name, createdAt, suspendedAt, lastUsedAt, ...facts }: AccountFacts) {
  const { plans, people, keys, links } = facts;
  return {
    name,
    createdAt: formatTimestamp(createdAt),
    suspendedAt: time(suspendedAt),
    plans: [...plans],
    people,
    keys,
    links,
    lastUsedAt: time(lastUsedAt),
  };
}

type Query = QueryOf<typeof operatorEndpoints.listAccounts>;

/** Returns the identity of a list, for its cursors: every query parameter except the page. */
function listOf({ search }: Query): readonly unknown[] {
  return ['operator accounts', search];
}

function placeIn(query: Query) {
  const foreign = 'belongs to another search. Omit it to get the first page.';
  return pageAfter(listOf(query), query.cursor, countIn, foreign);
}

async function suspended(
  { context, actor, body }: Pick<Call<typeof operatorEndpoints.suspendAccount>, 'context' | 'actor' | 'body'>,
  isSuspended: boolean,
) {
  const data = shown(await setSuspended(context, actor, body.account, isSuspended));
  return { success: true as const, data };
}

export const operatorHandlers: Handlers<typeof operatorEndpoints> = {
  listAccounts: {
    rules({ query }) {
      const place = placeIn(query);
      return typeof place === 'object' ? [place] : [];
    },
    async run({ context, query }) {
      const { limit = 20, search } = query;
      const place = placeIn(query);
      const before = typeof place === 'number' ? place : undefined;
      const asked = { limit: limit + 1, search, before, now: context.now() };
      const found = await context.storage.accountFacts(asked);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const nextCursor = last === undefined ? null : writeCursor(listOf(query), [last.id]);
      return { success: true, data: page.map(shown), pagination: { limit, nextCursor } };
    },
  },

  suspendAccount: {
    async run(call) {
      return suspended(call, true);
    },
  },

  resumeAccount: {
    async run(call) {
      return suspended(call, false);
    },
  },
};
