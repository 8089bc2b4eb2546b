import type { Storage } from '../../model/storage.ts';
import type { StatisticsJobs } from '../statistics/jobs.ts';
import {
  defaultMaxClicks,
  defaultMaxClicksOfPage,
  requireRetained,
  type StatisticsOptions,
} from '../statistics/options.ts';
import type { JobQueue } from './job-queue.ts';

type ThreadJobs = Omit<StatisticsJobs, 'planFold'>;

/** Returns the reads of `Storage` that run on the statistics thread. @param ask queues a job on the thread */
export function statisticsReads(
  ask: JobQueue<ThreadJobs>['ask'],
  options: StatisticsOptions,
): Pick<Storage, keyof ThreadJobs> {
  const { maxClicksOfAnswer = defaultMaxClicks, maxClicksOfPage = defaultMaxClicksOfPage } = options;
  return {
    async statistics(accountId, question) {
      requireRetained(question, options);
      return ask('statistics', accountId, question, maxClicksOfAnswer);
    },
    async clicks(accountId, question) {
      requireRetained({ range: question }, options);
      return ask('clicks', accountId, question, maxClicksOfPage);
    },
    clicksByBucket: async (...asked) => ask('clicksByBucket', ...asked),
    clicksByGroup: async (...asked) => ask('clicksByGroup', ...asked),
    readEvents: async (asks, max) => ask('readEvents', 'events', asks, max),
    followEvents: async (...asked) => ask('followEvents', 'log', ...asked),
    pendingClicks: async (...asked) => ask('pendingClicks', ...asked),
  };
}
