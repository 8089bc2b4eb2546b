import type { EventAsk, EventPages } from '../../model/clicks/events.ts';
import type { ClicksPage, ClicksQuestion } from '../../model/clicks/raw-clicks.ts';
import type {
  GroupKind,
  StatisticsAnswer,
  StatisticsQuestion,
  StatisticsRange,
} from '../../model/clicks/statistics.ts';
import { createSortClicks } from '../../statistics/listing/order.ts';
import type { Db } from '../db/db.ts';
import { type FindBounds, readEvents } from '../events/read-events.ts';
import { answerQuestion, type WalkedAnswer } from './answer.ts';
import { listClicks } from './clicks.ts';
import { clicksByBucket, clicksByGroup } from './clicks-by-bucket.ts';
import { createKeptAnswers } from './kept-answers.ts';
import type { FoldLimits } from './options.ts';
import { planFold } from './plan.ts';
import type { Fold } from './planning.ts';
import { createPieceReader } from './stored-pieces.ts';
import { createRollupReader } from './stored-rollups.ts';
import { createSegmentReader } from './stored-segments.ts';
import { createWaitingClicks } from './waiting-clicks.ts';

/** What a thread for statistics does. */
export interface StatisticsJobs {
  statistics(
    accountId: number,
    question: StatisticsQuestion,
    maxClicks: number,
  ): Promise<StatisticsAnswer | undefined>;
  clicks(accountId: number, question: ClicksQuestion, maxClicks: number): Promise<ClicksPage | undefined>;
  clicksByBucket(
    accountId: number,
    ids: readonly string[],
    range: StatisticsRange,
  ): Promise<ReadonlyMap<string, readonly number[]>>;
  clicksByGroup(
    accountId: number,
    kind: GroupKind,
    range: StatisticsRange,
  ): Promise<ReadonlyMap<string, readonly number[]>>;
  /** The first argument is no account: it stands in their place. */
  planFold(account: undefined, now: number, limits?: Partial<FoldLimits>): Promise<Fold | undefined>;
  /** The first argument stands in the place of an account. */
  readEvents(account: 'events', asks: readonly EventAsk[], max: number): Promise<EventPages | undefined>;
}

/** Reads in a transaction that sees one moment. */
export type InSnapshot = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

export function createStatisticsJobs(inSnapshot: InSnapshot, findBounds: FindBounds): StatisticsJobs {
  let planNumber = 0;
  const tools = {
    waiting: createWaitingClicks(),
    pieces: createPieceReader(),
    segments: createSegmentReader(),
    rollups: createRollupReader(),
    sortClicks: createSortClicks(),
    walked: createKeptAnswers<WalkedAnswer>(),
  };
  return {
    statistics: (accountId, question, maxClicks) =>
      inSnapshot((db) => answerQuestion(db, tools, accountId, question, maxClicks)),
    clicks: (accountId, question, maxClicks) =>
      inSnapshot((db) => listClicks(db, tools, accountId, question, maxClicks)),
    clicksByBucket: (accountId, ids, range) =>
      inSnapshot((db) => clicksByBucket(db, tools, accountId, ids, range)),
    clicksByGroup: (accountId, kind, range) =>
      inSnapshot((db) => clicksByGroup(db, tools, accountId, kind, range)),
    planFold(_, now, limits) {
      return inSnapshot((db) => planFold(db, tools, now, limits, planNumber++));
    },
    readEvents: (_, asks, max) => inSnapshot((db) => readEvents(db, findBounds, asks, max)),
  };
}
