import type { Writes } from '../../../model/storage.ts';
import type { Db } from '../../db/db.ts';
import { appendEvent } from '../events/append.ts';
import { accountRules } from './accounts.ts';
import type { EventRule, EventRules, Performers } from './changes.ts';
import { memberRules } from './members.ts';
import { recordRules } from './records.ts';
import { webhookRules } from './webhooks.ts';

const rules: EventRules = { ...recordRules, ...accountRules, ...memberRules, ...webhookRules };

/** Wraps the writes, so that each appends an event to the event log when it changes something. */
export function withEvents(performers: Performers): Performers {
  const wrapped = Object.entries(rules).map(([name, rule]) => {
    const { before, createEvent } = rule as unknown as EventRule<'createFolder', unknown>;
    const perform = performers[name as 'createFolder'];
    const write = async (db: Db, ...args: Parameters<Writes['createFolder']>) => {
      const known = await before?.(db, ...args);
      const result = await perform(db, ...args);
      const event = createEvent({ before: known, result }, ...args);
      if (event !== undefined) await appendEvent(db, event);
      return result;
    };
    return [name, write];
  });
  return { ...performers, ...Object.fromEntries(wrapped) } as Performers;
}
