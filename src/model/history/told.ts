import type { EventName } from './events.ts';

/** What programs that follow are told of, by the log and by webhooks. Names are part of the contract; the list only grows. */
export const toldTypes = [
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
export type ToldType = (typeof toldTypes)[number];

const otherwise: Partial<Readonly<Record<EventName, ToldType>>> = {
  'link.imported': 'link.created',
  'link.moved': 'link.updated',
  'link.tagged': 'link.updated',
  'link.code-changed': 'link.updated',
  'link.rolled-back': 'link.updated',
};

/** What programs that follow are told of a change; undefined where they are told nothing. */
export function toldTypeOf(name: EventName): ToldType | undefined {
  return otherwise[name] ?? toldTypes.find((type) => type === name);
}
