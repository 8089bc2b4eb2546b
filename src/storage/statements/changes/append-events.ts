import type { Writes } from '../../../model/storage.ts';
import type { Write } from '../../db/statements.ts';
import { appendEvent } from '../events/append.ts';
import { accountRules } from './accounts.ts';
import type { EventRules } from './changes.ts';
import { memberRules } from './members.ts';
import { recordRules } from './records.ts';
import { webhookRules } from './webhooks.ts';

const rules: EventRules = { ...recordRules, ...accountRules, ...memberRules, ...webhookRules };

/** Statements for all writes. */
export type WriteStatements = { readonly [K in keyof Writes]: Write<K> };

/** Wraps the statements so that each write that changes something also appends an event to the event log. */
export function withEvents(statements: WriteStatements): WriteStatements {
  const wrapped = Object.entries(rules).map(([name, rule]) => {
    const startEvent = rule as NonNullable<EventRules['createFolder']>;
    const perform = statements[name as 'createFolder'];
    const write: Write<'createFolder'> = async (db, ...args) => {
      const createEvent = await startEvent(db, ...args);
      const result = await perform(db, ...args);
      const event = createEvent(result);
      if (event) await appendEvent(db, event);
      return result;
    };
    return [name, write];
  });
  return { ...statements, ...Object.fromEntries(wrapped) } as WriteStatements;
}
