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
import type { AnswerCache } from './kept-answers.ts';
import { type Named, nameFolders, nameLinks } from './links.ts';
import { namesWith } from './names.ts';
import { type PreparedQuestion, prepareQuestion } from './question.ts';
import type { PieceReader } from './stored-pieces.ts';
import { type RollupReader, readLinkSums, type StoredRollup } from './stored-rollups.ts';
import { clicksIn, listSegments, type SegmentReader, type StoredSegment } from './stored-segments.ts';
import type { WaitingClicks } from './waiting-clicks.ts';

/** What answers are made with, kept from one to the next. */
export interface AnswerTools {
  readonly waiting: WaitingClicks;
  readonly pieces: PieceReader;
  readonly segments: SegmentReader;
  readonly rollups: RollupReader;
  /** Of questions whose breakdowns are walked through. */
  readonly walked: AnswerCache<WalkedAnswer>;
}

export interface WalkedAnswer {
  readonly main: RangeAnswer;
  readonly earlier: RangeAnswer | undefined;
}

/**
 * Answers a question in one snapshot of the database.
 * @param maxClicks how many clicks are looked at, the latest days first
 * @returns undefined when it is about a link, folder or tag that the account does not have
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
  const { behind, isWalked, limit, ...same } = question;
  const key = isWalked ? JSON.stringify([accountId, same]) : '';
  const asked = { db, tools, accountId, question, prepared, budget: { clicks: maxClicks } };
  const both = (behind && tools.walked.get(key)) ?? (await askBoth(asked));
  const { main, earlier } = both;
  const breakdown = await breakdownOf(asked, main.answer, earlier?.answer);
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
 * How often the links of some groups were clicked in a range, all links of the account in one go.
 * @param groups a name by the rows of links; a link that has none is in the group of the empty name
 */
export async function clicksOfGroups(
  db: Db,
  tools: AnswerTools,
  accountId: number,
  range: StatisticsRange,
  groups: ReadonlyMap<number, string>,
): Promise<readonly { readonly value: string; readonly clicks: number }[]> {
  const limit = Number.POSITIVE_INFINITY;
  // To the scan a folder is a name by the row of a link, whatever it stands for.
  const question = { subject: { kind: 'account' }, range, filters: [], groupBy: 'folder', limit } as const;
  const prepared = { filters: [], names: namesWith(groups), links: undefined };
  const { answer } = await ask(
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
  /** How many clicks may still be looked at. */
  readonly budget: { clicks: number };
}

interface RangeAnswer {
  readonly answer: Answer;
  readonly isExact: boolean;
  readonly incompleteBefore: number | undefined;
}

async function askBoth(asked: QueryContext): Promise<WalkedAnswer> {
  const { range, compare } = asked.question;
  return { main: await ask(asked, range), earlier: compare && (await ask(asked, compare)) };
}

/** Days whose rows are listed at a time. */
const daysAtOnce = 100;

async function ask(asked: QueryContext, range: StatisticsRange): Promise<RangeAnswer> {
  const { db, tools, accountId, question, prepared, budget } = asked;
  const { filters, names, links } = prepared;
  const { groupBy } = question;
  const statistics = createStatistics(
    { ...range, filters, ...(groupBy !== undefined && { groupBy }) },
    names,
  );
  let isExact = true;
  const told = (incompleteBefore?: number): RangeAnswer => ({
    answer: statistics.answer(),
    isExact,
    incompleteBefore,
  });
  if (range.to <= range.from) return told();
  const [first, last] = [dayOf(range.from), dayOf(range.to - 1)];
  const batches = tools.waiting.segmentsOf(await tools.waiting.read(db), accountId);
  for (let upto = last; upto >= first; upto -= daysAtOnce) {
    const from = Math.max(first, upto - daysAtOnce + 1);
    const stored = await listSegments(db, accountId, from, upto);
    const pieces = await tools.pieces.read(db, accountId, from, upto);
    const rollups = statistics.usesRollups
      ? await tools.rollups.read(db, accountId, from, upto)
      : new Map<number, StoredRollup>();
    const linkSums =
      rollups.size > 0 && isOfLinks(groupBy) ? await readLinkSums(db, accountId, from, upto) : undefined;
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
      // One day is answered whatever it costs.
      if (clicks > budget.clicks && day < last) return told(startOfDay(day + 1));
      budget.clicks -= clicks;
      if (segments.some((segment) => segment.isEstimated)) isExact = false;
      const read = await readAll(asked, segments);
      if (read.length + further.length > 0) statistics.addDay(day, [...read, ...further]);
    }
  }
  return told();
}

function isOfLinks(groupBy: StatisticsQuestion['groupBy']): boolean {
  return groupBy === 'link' || groupBy === 'folder';
}

function readAll(
  { db, tools, prepared }: QueryContext,
  stored: readonly StoredSegment[],
): Promise<Segment[]> {
  return Promise.all(stored.map((one) => tools.segments.read(db, one, prepared.links)));
}

function seriesOf({ totals, series }: Answer): StatisticsSeries {
  return { totals: countsOf(totals), series: series.map(countsOf) };
}

function countsOf({ clicks, visitors, classes }: BucketCounts): StatisticsCounts {
  const byClass = Object.fromEntries(clickClasses.map((name, at) => [name, classes[at] ?? 0]));
  return { clicks, visitors, ...byClass } as StatisticsCounts;
}

async function breakdownOf(
  { db, accountId, question }: QueryContext,
  answer: Answer,
  before: Answer | undefined,
): Promise<StatisticsAnswer['breakdown'] | undefined> {
  if (question.groupBy === undefined) return undefined;
  const { values, other, next } = answer.breakdown(question.limit, question.behind);
  const names = await namesOf(
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

async function namesOf(
  db: Db,
  accountId: number,
  groupBy: StatisticsQuestion['groupBy'],
  values: readonly string[],
): Promise<ReadonlyMap<string, Named> | undefined> {
  if (groupBy === 'link') return nameLinks(db, accountId, values);
  if (groupBy === 'folder') return nameFolders(db, accountId, values);
  return undefined;
}
