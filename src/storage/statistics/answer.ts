import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import type {
  BreakdownValue,
  StatisticsAnswer,
  StatisticsCounts,
  StatisticsQuestion,
  StatisticsRange,
  StatisticsSeries,
} from '../../model/clicks/statistics.ts';
import type { Segment } from '../../statistics/columns/segment.ts';
import { openLinkSums } from '../../statistics/link-sums.ts';
import type { Answer, BucketCounts } from '../../statistics/query.ts';
import { createStatistics } from '../../statistics/statistics.ts';
import type { Db } from '../db/db.ts';
import type { AnswerCache } from './answer-cache.ts';
import { type Named, nameFolders, nameLinks } from './links.ts';
import { namesWith } from './names.ts';
import { type PreparedQuestion, prepareQuestion } from './question.ts';
import type { PieceReader } from './stored-pieces.ts';
import { type RollupReader, readLinkSums, type StoredRollup } from './stored-rollups.ts';
import { clicksIn, listSegments, type SegmentReader, type StoredSegment } from './stored-segments.ts';
import type { WaitingClicks } from './waiting-clicks.ts';

/** Readers and caches shared by all queries. */
export interface AnswerTools {
  readonly waiting: WaitingClicks;
  readonly pieces: PieceReader;
  readonly segments: SegmentReader;
  readonly rollups: RollupReader;
  /** Cached results whose breakdown clients read page by page. */
  readonly walked: AnswerCache<PagedAnswer>;
}

export interface PagedAnswer {
  readonly main: RangeAnswer;
  readonly earlier: RangeAnswer | undefined;
}

/**
 * Executes a statistics query on one snapshot of the database.
 * @param maxClicks maximum number of clicks to read. The latest days are read first
 * @returns undefined when the account does not have the link, folder or tag
 */
export async function answerQuestion(
  db: Db,
  tools: AnswerTools,
  accountId: number,
  question: StatisticsQuestion,
  maxClicks: number,
): Promise<StatisticsAnswer | undefined> {
  const prepared = await prepareQuestion(db, accountId, question);
  if (prepared === undefined) return undefined;
  const { after, isWalked, limit, ...same } = question;
  const key = isWalked ? JSON.stringify([accountId, same]) : '';
  const context = { db, tools, accountId, question, prepared, budget: { clicks: maxClicks } };
  const both = (after && tools.walked.get(key)) ?? (await queryBoth(context));
  const { main, earlier } = both;
  const breakdown = await buildBreakdown(context, main.answer, earlier?.answer);
  if (isWalked && breakdown?.next !== undefined)
    tools.walked.set(key, both, main.answer.valueCount + (earlier?.answer.valueCount ?? 0));
  else tools.walked.drop(key);
  const incompleteBefore = main.incompleteBefore ?? earlier?.incompleteBefore;
  return {
    ...seriesOf(main.answer),
    ...(breakdown !== undefined && { breakdown }),
    ...(earlier !== undefined && { compare: seriesOf(earlier.answer) }),
    visitorsExact: main.isExact && earlier?.isExact !== false,
    ...(incompleteBefore !== undefined && { incompleteBefore }),
  };
}

/**
 * Returns the number of clicks in a time range for each group of links. Reads each day of the account only once.
 * @param groups the name of each link's group, by link row; links that are not in the map are in the group ''
 */
export async function clicksOfGroups(
  db: Db,
  tools: AnswerTools,
  accountId: number,
  range: StatisticsRange,
  groups: ReadonlyMap<number, string>,
): Promise<readonly { readonly value: string; readonly clicks: number }[]> {
  const limit = Number.POSITIVE_INFINITY;
  // The scan only needs a folder name per link row, so any grouping can be passed as folders.
  const question = { subject: { kind: 'account' }, range, filters: [], groupBy: 'folder', limit } as const;
  const prepared = { filters: [], names: namesWith(groups), links: undefined };
  const { answer } = await queryRange(
    { db, tools, accountId, question, prepared, budget: { clicks: limit } },
    range,
  );
  return answer.breakdown(limit).values;
}

interface QueryContext {
  readonly db: Db;
  readonly tools: AnswerTools;
  readonly accountId: number;
  readonly question: StatisticsQuestion;
  readonly prepared: PreparedQuestion;
  /** Number of clicks that may still be read. */
  readonly budget: { clicks: number };
}

interface RangeAnswer {
  readonly answer: Answer;
  readonly isExact: boolean;
  readonly incompleteBefore: number | undefined;
}

async function queryBoth(context: QueryContext): Promise<PagedAnswer> {
  const { range, compare } = context.question;
  return { main: await queryRange(context, range), earlier: compare && (await queryRange(context, compare)) };
}

/** Number of days that one database query reads. */
const daysPerQuery = 100;

async function queryRange(context: QueryContext, range: StatisticsRange): Promise<RangeAnswer> {
  const { db, tools, accountId, question, prepared, budget } = context;
  const { filters, names, links } = prepared;
  const { groupBy } = question;
  const statistics = createStatistics(
    { ...range, filters, ...(groupBy !== undefined && { groupBy }) },
    names,
  );
  let isExact = true;
  const result = (incompleteBefore?: number): RangeAnswer => ({
    answer: statistics.answer(),
    isExact,
    incompleteBefore,
  });
  if (range.to <= range.from) return result();
  const [first, last] = [dayOf(range.from), dayOf(range.to - 1)];
  const batches = tools.waiting.segmentsOf(await tools.waiting.read(db), accountId);
  for (let upto = last; upto >= first; upto -= daysPerQuery) {
    const from = Math.max(first, upto - daysPerQuery + 1);
    const stored = await listSegments(db, accountId, from, upto);
    const pieces = await tools.pieces.read(db, accountId, from, upto);
    const rollups = statistics.usesRollups
      ? await tools.rollups.read(db, accountId, from, upto)
      : new Map<number, StoredRollup>();
    const linkSums =
      rollups.size > 0 && groupsLinks(groupBy) ? await readLinkSums(db, accountId, from, upto) : undefined;
    for (let day = upto; day >= from; day -= 1) {
      const further = [pieces, batches].flatMap((of) => of.get(day) ?? []);
      const rollup = rollups.get(day);
      const ofLinks = linkSums?.get(day);
      if (
        rollup !== undefined &&
        statistics.addRollup(day, rollup.rollup, ofLinks && openLinkSums(ofLinks))
      ) {
        if (rollup.isEstimated) isExact = false;
        if (further.length > 0) statistics.addDay(day, further);
        continue;
      }
      const segments = stored.get(day) ?? [];
      const open = (pieces.get(day) ?? []).reduce((sum, { rows }) => sum + rows, 0);
      const clicks = segments.reduce((sum, of) => sum + clicksIn(of, links), open);
      // The latest day is always read, even if it exceeds the budget.
      if (clicks > budget.clicks && day < last) return result(startOfDay(day + 1));
      budget.clicks -= clicks;
      if (segments.some((segment) => segment.isEstimated)) isExact = false;
      const read = await readAll(context, segments);
      if (read.length + further.length > 0) statistics.addDay(day, [...read, ...further]);
    }
  }
  return result();
}

function groupsLinks(groupBy: StatisticsQuestion['groupBy']): boolean {
  return groupBy === 'link' || groupBy === 'folder';
}

function readAll(context: QueryContext, stored: readonly StoredSegment[]): Promise<Segment[]> {
  const { db, tools, prepared } = context;
  return Promise.all(stored.map((one) => tools.segments.read(db, one, prepared.links, context)));
}

function seriesOf({ totals, series }: Answer): StatisticsSeries {
  return { totals: countsOf(totals), series: series.map(countsOf) };
}

function countsOf({ clicks, visitors, classes }: BucketCounts): StatisticsCounts {
  const byClass = Object.fromEntries(clickClasses.map((name, at) => [name, classes[at] ?? 0]));
  return { clicks, visitors, ...byClass } as StatisticsCounts;
}

async function buildBreakdown(
  { db, accountId, question }: QueryContext,
  answer: Answer,
  before: Answer | undefined,
): Promise<StatisticsAnswer['breakdown'] | undefined> {
  if (question.groupBy === undefined) return undefined;
  const { values, other, next } = answer.breakdown(question.limit, question.after);
  const names = await findNames(
    db,
    accountId,
    question.groupBy,
    values.map(({ value }) => value).filter((value) => value !== ''),
  );
  return {
    other,
    ...(next !== undefined && { next }),
    values: values.map(({ value, clicks, visitors }): BreakdownValue => {
      const named = names?.get(value);
      return {
        value: named?.id ?? value,
        clicks,
        visitors,
        ...(named !== undefined && { label: named.label }),
        ...(named?.title !== undefined && { title: named.title }),
        ...(before !== undefined && { before: before.countsOf(value) }),
      };
    }),
  };
}

async function findNames(
  db: Db,
  accountId: number,
  groupBy: StatisticsQuestion['groupBy'],
  values: readonly string[],
): Promise<ReadonlyMap<string, Named> | undefined> {
  if (groupBy === 'link') return nameLinks(db, accountId, values);
  if (groupBy === 'folder') return nameFolders(db, accountId, values);
  return undefined;
}
