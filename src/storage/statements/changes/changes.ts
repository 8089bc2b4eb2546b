import type { EventName, Fields } from '../../../model/history/events.ts';
import type { Writes } from '../../../model/storage.ts';
import type { Db } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';
import { type NewEvent, sparseFields } from '../events/append.ts';

/** The function that runs each write. */
export type Performers = { readonly [K in keyof Writes]: Write<K> };

export interface EventRule<K extends keyof Writes, Before> {
  /** Reads the state before the write, when the event needs it. */
  readonly before?: (db: Db, ...args: Parameters<Writes[K]>) => Promise<Before>;
  /** Returns the event of the write; undefined when it changed nothing. */
  readonly createEvent: (
    facts: { readonly before: Before; readonly result: Awaited<ReturnType<Writes[K]>> },
    ...args: Parameters<Writes[K]>
  ) => NewEvent | undefined;
}

export function eventRule<K extends keyof Writes, Before = undefined>(
  rules: EventRule<K, Before>,
): EventRule<K, unknown> {
  return rules as unknown as EventRule<K, unknown>;
}

/** Returns an event with the old values of the changed fields, or undefined when no field changed. */
export function changed(
  event: Pick<NewEvent, 'accountId' | 'at' | 'targetId'>,
  name: EventName,
  before: Fields | undefined,
  after: Fields | undefined,
): NewEvent | undefined {
  if (before === undefined || after === undefined) return undefined;
  const names = Object.keys(after).filter(
    (field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null),
  );
  if (names.length === 0) return undefined;
  const was = Object.fromEntries(names.map((field) => [field, before[field] ?? null]));
  return { ...event, name, was, body: sparseFields(after) };
}

/** Event rules by the name of the write. */
export type EventRules = { readonly [K in keyof Writes]?: EventRule<K, unknown> };
