import type { Writes } from '../../../model/storage.ts';
import type { Db } from '../../db/db.ts';
import { appendEvent } from '../events/append.ts';
import { ofAccounts } from './accounts.ts';
import type { Noted, NotedWrites, Performers } from './changes.ts';
import { ofPeople } from './people.ts';
import { ofRecords } from './records.ts';
import { ofWebhooks } from './webhooks.ts';

const rules: NotedWrites = { ...ofRecords, ...ofAccounts, ...ofPeople, ...ofWebhooks };

/** The writes, which note in the log of events what they changed. */
export function noting(performers: Performers): Performers {
  const noting = Object.entries(rules).map(([name, rule]) => {
    const { before, told } = rule as unknown as Noted<'createFolder', unknown>;
    const perform = performers[name as 'createFolder'];
    const write = async (db: Db, ...args: Parameters<Writes['createFolder']>) => {
      const known = await before?.(db, ...args);
      const result = await perform(db, ...args);
      const event = told({ before: known, result }, ...args);
      if (event !== undefined) await appendEvent(db, event);
      return result;
    };
    return [name, write];
  });
  return { ...performers, ...Object.fromEntries(noting) } as Performers;
}
