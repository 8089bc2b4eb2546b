import type { StatisticsFilter, StatisticsQuestion } from '../../model/clicks/statistics.ts';
import type { Filter, Names } from '../../statistics/query.ts';
import type { Db } from '../db/db.ts';
import { foldersOfLinks, linksByFolders, linksByIds, resolveSubject } from './links.ts';
import { namesWith } from './names.ts';
import type { LinkRange } from './stored-segments.ts';

/** A statistics query, resolved to link rows and names. */
export interface PreparedQuestion {
  readonly filters: readonly Filter[];
  readonly names: Names;
  /** A range that includes all of the query's links; undefined if any link may match. */
  readonly links: LinkRange | undefined;
}

/** Resolves a query. @returns undefined when the account does not have the link, folder or tag */
export async function prepareQuestion(
  db: Db,
  accountId: number,
  {
    subject,
    filters,
    groupBy,
    restrictions,
  }: Pick<StatisticsQuestion, 'subject' | 'filters' | 'groupBy' | 'restrictions'>,
): Promise<PreparedQuestion | undefined> {
  const ofSubject = await resolveSubject(db, accountId, subject, restrictions);
  if (ofSubject === undefined) return undefined;
  const folders = groupBy === 'folder' ? await foldersOfLinks(db, accountId) : new Map<number, string>();
  const prepared: Filter[] =
    ofSubject === 'all' ? [] : [{ dimension: 'link', operator: 'is', links: ofSubject }];
  for (const filter of filters) prepared.push(await prepareFilter(db, accountId, filter));
  return { filters: prepared, names: namesWith(folders), links: linkRange(prepared) };
}

async function prepareFilter(db: Db, accountId: number, filter: StatisticsFilter): Promise<Filter> {
  const { dimension, operator, values } = filter;
  if (dimension !== 'link' && dimension !== 'folder') return { dimension, operator, values };
  const isNot = operator === 'is-not';
  if (dimension === 'link') {
    const links = await linksByIds(db, accountId, values);
    return { dimension: 'link', operator: isNot ? 'is-not' : 'is', links };
  }
  const named = values.filter((value) => value !== '');
  if (named.length === values.length) {
    const links = await linksByFolders(db, accountId, named);
    return { dimension: 'link', operator: isNot ? 'is-not' : 'is', links };
  }
  // The filter includes "no folder". So the condition is inverted: it excludes all links in folders that the filter
  // does not name.
  const others = new Map(await foldersOfLinks(db, accountId));
  for (const [link, folder] of others) if (named.includes(folder)) others.delete(link);
  return { dimension: 'link', operator: isNot ? 'is' : 'is-not', links: new Set(others.keys()) };
}

function linkRange(filters: readonly Filter[]): LinkRange | undefined {
  const sets = filters.flatMap((filter) =>
    filter.dimension === 'link' && filter.operator === 'is' ? [filter.links] : [],
  );
  if (sets.length === 0) return undefined;
  let [least, largest] = [0, Number.MAX_SAFE_INTEGER];
  for (const links of sets) {
    let [lower, upper] = [Number.MAX_SAFE_INTEGER, 0];
    for (const link of links) {
      lower = Math.min(lower, link);
      upper = Math.max(upper, link);
    }
    [least, largest] = [Math.max(least, lower), Math.min(largest, upper)];
  }
  return { least, largest };
}
