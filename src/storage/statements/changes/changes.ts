import type { EventName, Fields } from '../../../model/history/events.ts';
import type { Writes } from '../../../model/storage.ts';
import type { Db } from '../../db/db.ts';
import { type NewEvent, sparseFields } from '../events/append.ts';

/** What runs each write. */
export type Performers = {
  readonly [K in keyof Writes]: (db: Db, ...args: Parameters<Writes[K]>) => ReturnType<Writes[K]>;
};
/** What a write is about, read before it and after it. */
type Described = NewEvent | undefined;

export interface Noted<K extends keyof Writes, Before> {
  /** What is read before the write, for what it changes. */
  readonly before?: (db: Db, ...args: Parameters<Writes[K]>) => Promise<Before>;
  /** @returns undefined for a write that changed nothing */
  readonly told: (
    facts: { readonly before: Before; readonly result: Awaited<ReturnType<Writes[K]>> },
    ...args: Parameters<Writes[K]>
  ) => Described;
}

export function noted<K extends keyof Writes, Before = undefined>(
  rules: Noted<K, Before>,
): Noted<K, unknown> {
  return rules as unknown as Noted<K, unknown>;
}

/** A change of fields; undefined when they are as they were. */
export function changed(
  event: Pick<NewEvent, 'accountId' | 'at' | 'targetId'>,
  name: EventName,
  before: Fields | undefined,
  after: Fields | undefined,
): Described {
  if (before === undefined || after === undefined) return undefined;
  const names = Object.keys(after).filter(
    (field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null),
  );
  if (names.length === 0) return undefined;
  const was = Object.fromEntries(names.map((field) => [field, before[field] ?? null]));
  return { ...event, name, was, body: sparseFields(after) };
}

/** What writes note, by their names. */
export type NotedWrites = { readonly [K in keyof Writes]?: Noted<K, unknown> };
