import type { historyEndpoints, ShownValue } from '../contract/links/history.ts';
import { type AccountEvent, changesOf, type Fields } from '../model/history/events.ts';
import { rollBack } from '../model/history/history.ts';
import { publicEventType } from '../model/history/public-events.ts';
import { apiValueOf } from '../model/links/link-field-values.ts';
import { linkNotFound } from '../model/links/links.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { type ApiContext, callerOf, type Handlers } from './request/handler.ts';
import { countPlace, createPaging, cutPage } from './request/paging.ts';
import { linkProblems } from './rules/link-problems.ts';

const names: Readonly<Record<string, string>> = {
  destination: 'destinationUrl',
  code: 'shortCode',
  host: 'domain',
};

/** Converts a link field to its API form. */
function shown({ sharedHost }: Pick<ApiContext, 'sharedHost'>, name: string, value: unknown): ShownValue {
  if (name === 'host') return (value as string | null) ?? sharedHost();
  if (name === 'tags' || name === 'aliases') return (value as string[] | null) ?? [];
  return apiValueOf(name, value) as ShownValue;
}

export interface ShownChange {
  readonly from?: ShownValue;
  readonly to?: ShownValue;
  readonly changed?: true;
}

/**
 * Returns an event's changes in API format. For a password, includes only that it changed, and whether a password was
 * added or removed.
 */
export function changesShown(
  context: Pick<ApiContext, 'sharedHost'>,
  event: AccountEvent,
): Record<string, ShownChange> {
  const wasThere = event.was !== null;
  const changes = Object.entries(changesOf(event)).flatMap(
    ([name, { from, to }]): (readonly [string, ShownChange])[] => {
      if (name !== 'password') {
        const before = wasThere ? shown(context, name, from) : null;
        return [[names[name] ?? name, { from: before, to: shown(context, name, to) }]];
      }
      const [had, has] = [from === true, to === true];
      const secret = ['password', { changed: true }] as const;
      return had === has ? [secret] : [secret, ['hasPassword', { from: had, to: has }]];
    },
  );
  return Object.fromEntries(changes);
}

function linkChange(context: ApiContext, event: AccountEvent, isTyped = false) {
  const { revision, at, name, actor, requestId } = event;
  return {
    revision: revision ?? 1,
    at: formatTimestamp(at),
    action: name.slice('link.'.length) as 'updated',
    actor,
    changes: changesShown(context, event),
    requestId,
    ...(isTyped && { eventType: publicEventType(name) ?? null }),
  };
}

/** Returns the fields whose recorded values are no longer valid. */
function currentlyRefused(context: ApiContext, fields: Fields): string[] {
  // Allows `expiresAt` in the past: a version of the link that has since expired can be restored.
  const { expiresAt: _, destination, template, ...rest } = fields;
  const sent = Object.entries(rest).map(([name, value]) => [name, shown(context, name, value)]);
  const url = destination === undefined ? {} : { url: destination as string };
  const problems = linkProblems(context, {
    ...Object.fromEntries(sent),
    ...url,
    template: template === 1,
  });
  return problems.map(({ field }) => (field === 'url' ? 'destination' : (/^\w+/.exec(field)?.[0] ?? field)));
}

const revisionIn = /^[1-9]\d{0,14}$/;
const defaultLimit = 20;

const paging = createPaging(countPlace, 'belongs to another link. Omit it to get the first page.');

export const historyHandlers: Handlers<typeof historyEndpoints> = {
  linkHistory: {
    rules: ({ key, params, query }) => paging.problems([key.accountId, params.id], query.cursor),
    async run({ context, key, params, query: { limit = defaultLimit, cursor, include } }) {
      const list = [key.accountId, params.id];
      const before = paging.after(list, cursor);
      const found = await context.storage.linkEvents(key.accountId, params.id, limit + 1, before);
      if (found === undefined) throw linkNotFound();
      const { page, pagination } = cutPage(list, found, limit, ({ revision }) => revision ?? 1);
      const data = page.map((event) => linkChange(context, event, include?.includes('eventType')));
      return { success: true, data, pagination };
    },
  },

  rollBackLink: {
    async run({ context, key, params, ifMatch, tag }) {
      const revision = revisionIn.test(params.revision) ? Number(params.revision) : 0;
      const { link, skipped } = await rollBack(context, callerOf(key), {
        id: params.id,
        revision,
        ifMatch,
        currentlyRefused: (fields) => currentlyRefused(context, fields),
      });
      tag(link.revision);
      const { id, code, destination, updatedAt } = link;
      const data = { id, shortCode: code, destinationUrl: destination, revision: link.revision };
      const stayed = skipped.map((name) => names[name] ?? name);
      return { success: true, data: { ...data, kept: stayed, updatedAt: formatTimestamp(updatedAt) } };
    },
  },
};
