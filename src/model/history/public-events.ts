import type { EventName } from './events.ts';

/** Public event types in the log and in webhooks. They are part of the API contract, so the list is append-only. */
export const publicEventTypes = [
  'link.created',
  'link.updated',
  'link.deleted',
  'link.restored',
  'link.expired',
  'link.exhausted',
  'folder.created',
  'folder.updated',
  'folder.deleted',
  'folder.restored',
  'domain.active',
  'domain.failing',
  'destination.failing',
  'destination.recovered',
  'import.finished',
] as const;
export type PublicEventType = (typeof publicEventTypes)[number];

const publicTypes: Partial<Readonly<Record<EventName, PublicEventType>>> = {
  'link.imported': 'link.created',
  'link.moved': 'link.updated',
  'link.tagged': 'link.updated',
  'link.code-changed': 'link.updated',
  'link.rolled-back': 'link.updated',
};

/** Returns an event's public type; undefined for internal events. */
export function publicEventType(name: EventName): PublicEventType | undefined {
  return publicTypes[name] ?? publicEventTypes.find((type) => type === name);
}
