import type { operatorEndpoints } from '../../contract/accounts/operator.ts';
import type { QueryOf } from '../../contract/endpoint.ts';
import { type AccountFacts, setSuspended } from '../../model/accounts/operators.ts';
import { formatOptionalTime, formatTimestamp } from '../../model/timestamps.ts';
import type { Call, Handlers } from '../request/handler.ts';
import { countPlace, createPaging, cutPage } from '../request/paging.ts';

function shown({ name, createdAt, suspendedAt, lastUsedAt, ...facts }: AccountFacts) {
  const { plans, people, keys, links } = facts;
  return {
    name,
    createdAt: formatTimestamp(createdAt),
    suspendedAt: formatOptionalTime(suspendedAt),
    plans: [...plans],
    people,
    keys,
    links,
    lastUsedAt: formatOptionalTime(lastUsedAt),
  };
}

type Query = QueryOf<typeof operatorEndpoints.listAccounts>;

/** Returns the values that identify a list in its cursors: every query parameter except cursor and page size. */
function listOf({ search }: Query): readonly unknown[] {
  return ['operator accounts', search];
}

const paging = createPaging(countPlace, 'belongs to another search. Omit it to get the first page.');

async function changeSuspension(
  { context, actor, body }: Pick<Call<typeof operatorEndpoints.suspendAccount>, 'context' | 'actor' | 'body'>,
  isSuspended: boolean,
) {
  const data = shown(await setSuspended(context, actor, body.account, isSuspended));
  return { success: true as const, data };
}

export const operatorHandlers: Handlers<typeof operatorEndpoints> = {
  listAccounts: {
    rules: ({ query }) => paging.problems(listOf(query), query.cursor),
    async run({ context, query }) {
      const { limit = 20, search } = query;
      const before = paging.after(listOf(query), query.cursor);
      const found = await context.storage.accountFacts({
        limit: limit + 1,
        search,
        before,
        now: context.now(),
      });
      const { page, pagination } = cutPage(listOf(query), found, limit, ({ id }) => id);
      return { success: true, data: page.map(shown), pagination };
    },
  },

  suspendAccount: {
    async run(call) {
      return changeSuspension(call, true);
    },
  },

  resumeAccount: {
    async run(call) {
      return changeSuspension(call, false);
    },
  },
};
