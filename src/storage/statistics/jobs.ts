import { setTimeout as pause } from 'node:timers/promises';
import type { StatisticsStorage } from '../../model/clicks/click-storage.ts';
import type { EventPages, EventRequest } from '../../model/clicks/events.ts';
import type { ClicksPage, ClicksQuestion } from '../../model/clicks/raw-clicks.ts';
import type { StatisticsAnswer, StatisticsQuestion } from '../../model/clicks/statistics.ts';
import type { LogPage } from '../../model/history/events.ts';
import type { ClickCursor, PendingClicks } from '../../model/webhooks/clicks.ts';
import { createSortClicks } from '../../statistics/listing/order.ts';
import type { Db } from '../db/db.ts';
import { type EventOrder, readEvents } from '../events/read-events.ts';
import { pendingClicks } from '../events/webhook-clicks.ts';
import { eventsBetween } from '../statements/events/read.ts';
import { answerQuestion, type PagedAnswer } from './answer.ts';
import { createAnswerCache } from './answer-cache.ts';
import { listClicks } from './clicks.ts';
import { clicksByBucket, clicksByGroup } from './clicks-by-bucket.ts';
import type { FoldLimits } from './options.ts';
import { planFold } from './plan.ts';
import type { Fold } from './planning.ts';
import { createPieceReader } from './stored-pieces.ts';
import { createRollupReader } from './stored-rollups.ts';
import { createSegmentReader } from './stored-segments.ts';
import { createWaitingClicks } from './waiting-clicks.ts';

const maxTries = 5;
const retryPauseMs = 20;

/** Jobs of a statistics thread. The first argument is the account, for fair scheduling. */
export interface StatisticsJobs extends Pick<StatisticsStorage, 'clicksByBucket' | 'clicksByGroup'> {
  statistics(
    accountId: number,
    question: StatisticsQuestion,
    maxClicks: number,
  ): Promise<StatisticsAnswer | undefined>;
  clicks(accountId: number, question: ClicksQuestion, maxClicks: number): Promise<ClicksPage | undefined>;
  /** `account` is a placeholder, because the job concerns all accounts. */
  planFold(account: undefined, now: number, limits?: Partial<FoldLimits>): Promise<Fold | undefined>;
  /** `account` is a placeholder: the readers may belong to several accounts. */
  readEvents(account: 'events', asks: readonly EventRequest[], max: number): Promise<EventPages | undefined>;
  /** `account` is a placeholder. These jobs take turns with accounts' jobs, as if they belonged to one more account. */
  followEvents(account: 'log', after: number, limit: number, accountId?: number): Promise<LogPage>;
  pendingClicks(accountId: number, from: ClickCursor, max: number, withTags: boolean): Promise<PendingClicks>;
}

/** Runs reads in a transaction with one snapshot. */
export type RunInSnapshot = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

export function createStatisticsJobs(inSnapshot: RunInSnapshot, order: EventOrder): StatisticsJobs {
  let planNumber = 0;
  const tools = {
    waiting: createWaitingClicks(),
    pieces: createPieceReader(),
    segments: createSegmentReader(),
    rollups: createRollupReader(),
    sortClicks: createSortClicks(),
    walked: createAnswerCache<PagedAnswer>(),
  };
  return {
    statistics: (accountId, question, maxClicks) =>
      inSnapshot((db) => answerQuestion(db, tools, accountId, question, maxClicks)),
    clicks: (accountId, question, maxClicks) =>
      inSnapshot((db) => listClicks(db, tools, accountId, question, maxClicks)),
    clicksByBucket: (accountId, ids, range) =>
      inSnapshot((db) => clicksByBucket(db, tools, accountId, ids, range)),
    clicksByGroup: (accountId, kind, range, restrictions) =>
      inSnapshot((db) => clicksByGroup(db, tools, accountId, kind, range, restrictions)),
    planFold(_, now, limits) {
      return inSnapshot((db) => planFold(db, tools, now, limits, planNumber++));
    },
    readEvents: (_, asks, max) => inSnapshot((db) => readEvents(db, order, asks, max)),
    pendingClicks: (...args) => inSnapshot((db) => pendingClicks(db, ...args)),
    async followEvents(_, after, limit, accountId) {
      for (let attempt = 1; ; attempt += 1) {
        const page = await inSnapshot(async (db) => {
          const head = await order.findHead(db);
          return head === undefined ? undefined : eventsBetween(db, after, head, limit, accountId);
        });
        if (page !== undefined) return page;
        // In a new process, the first attempt only records which transactions are running. The next attempt checks
        // whether they have ended.
        if (attempt === maxTries) return { events: [], head: undefined, hasMore: false };
        await pause(retryPauseMs);
      }
    },
  };
}
