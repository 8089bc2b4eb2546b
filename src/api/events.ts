import type { eventEndpoints } from '../contract/statistics/events.ts';
import { hasScope, requireScope } from '../model/accounts/authority.ts';
import type { ApiKey, Scope } from '../model/accounts/keys.ts';
import { type EventType, eventTypes } from '../model/clicks/events.ts';
import { recordId } from '../model/ids.ts';
import { folderNotFound } from '../model/links/folders.ts';
import { linkNotFound } from '../model/links/links.ts';
import type { Storage } from '../model/storage.ts';
import { clickedType } from '../model/webhooks/clicks.ts';
import type { Handlers } from './request/handler.ts';

function scopeFor(type: EventType): Scope {
  return type === 'click' ? 'analytics:read' : 'links:read';
}

/** Returns the requested event types, or by default all that the key may read. @throws Failure INSUFFICIENT_SCOPE */
function typesFor(
  key: ApiKey,
  asked: readonly (EventType | typeof clickedType)[] | undefined,
): ReadonlySet<EventType> {
  const named = asked?.map((type) => (type === clickedType ? 'click' : type));
  for (const type of named ?? []) requireScope(key, scopeFor(type));
  const types = named ?? eventTypes.filter((type) => hasScope(key, scopeFor(type)));
  if (types.length === 0) requireScope(key, 'links:read');
  return new Set(types);
}

/** Checks that a link exists and returns its normalized ID. @throws Failure LINK_NOT_FOUND */
async function requireLink(storage: Storage, accountId: number, id: string): Promise<string> {
  const linkId = recordId(id);
  if ((await storage.link(accountId, linkId)) === undefined) throw linkNotFound();
  return linkId;
}

/** Returns the folder's ID; null for links outside any folder. @throws Failure FOLDER_NOT_FOUND */
async function requireFolder(storage: Storage, accountId: number, id: string): Promise<string | null> {
  if (id === 'none') return null;
  const folderId = recordId(id);
  if ((await storage.folder(accountId, folderId)) === undefined) throw folderNotFound();
  return folderId;
}

export const eventHandlers: Handlers<typeof eventEndpoints> = {
  events: {
    async run({ context: { storage, eventHub }, key, query, browser: { headers }, requireStill }) {
      const { accountId } = key;
      const types = typesFor(key, query.types);
      const lastEventId = headers['last-event-id'];
      let { restrictions } = key;
      return eventHub.follow({
        accountId,
        keyId: key.id,
        types,
        restrictions: () => restrictions,
        async requireStill() {
          const current = await requireStill();
          for (const type of types) requireScope(current, scopeFor(type));
          ({ restrictions } = current);
        },
        ...(query.linkId !== undefined && {
          linkId: await requireLink(storage, accountId, query.linkId),
        }),
        ...(query.folderId !== undefined && {
          folderId: await requireFolder(storage, accountId, query.folderId),
        }),
        ...(lastEventId !== undefined && { lastEventId: String(lastEventId) }),
      });
    },
  },
};
