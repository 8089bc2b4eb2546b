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

/** Returns the `Storage` methods that run on the statistics thread. @param run queues a job on the thread */
export function statisticsReads(
  run: JobQueue<ThreadJobs>['run'],
  options: StatisticsOptions,
): Pick<Storage, keyof ThreadJobs> {
  const { maxClicksOfAnswer = defaultMaxClicks, maxClicksOfPage = defaultMaxClicksOfPage } = options;
  return {
    async statistics(accountId, question) {
      requireRetained(question, options);
      return run('statistics', accountId, question, maxClicksOfAnswer);
    },
    async clicks(accountId, question) {
      requireRetained({ range: question }, options);
      return run('clicks', accountId, question, maxClicksOfPage);
    },
    clicksByBucket: async (...args) => run('clicksByBucket', ...args),
    clicksByGroup: async (...args) => run('clicksByGroup', ...args),
    readEvents: async (asks, max) => run('readEvents', 'events', asks, max),
    followEvents: async (...args) => run('followEvents', 'log', ...args),
    pendingClicks: async (...args) => run('pendingClicks', ...args),
  };
}
