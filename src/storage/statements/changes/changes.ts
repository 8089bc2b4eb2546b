import type { EventName, Fields } from '../../../model/history/events.ts';
import type { MaybePromise } from '../../../model/maybe-promise.ts';
import type { Writes } from '../../../model/storage.ts';
import type { Db } from '../../db/db.ts';
import { type NewEvent, sparseFields } from '../events/append.ts';

/**
 * Called before a write, to read the previous state. The returned function is called with the write's result.
 * @returns a function that returns the write's event; false or undefined if the write changed nothing
 */
type EventRule<K extends keyof Writes> = (
  db: Db,
  ...args: Parameters<Writes[K]>
) => MaybePromise<(result: Awaited<ReturnType<Writes[K]>>) => NewEvent | false | undefined>;

/** Event rules, keyed by the name of the write operation. */
export type EventRules = { readonly [K in keyof Writes]?: EventRule<K> };

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
