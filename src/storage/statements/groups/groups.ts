import { plain, uuid } from '../../db/records.ts';
import { sumOfLinks } from './link-counts.ts';

/** Returns the stored fields of a folder or tag, with its number of live links. @param table table alias */
export function groupFields(table: string) {
  return {
    id: uuid(),
    name: plain<string>(),
    linkCount: plain<number>({ column: 'links', from: sumOfLinks(`${table}.account_id`, `${table}.id`) }),
    createdAt: plain<number>(),
    updatedAt: plain<number>(),
  };
}
