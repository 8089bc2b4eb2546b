import type { Storage } from '../../model/storage.ts';
import type { StatisticsJobs } from '../statistics/jobs.ts';
import {
  requireKept,
  type StatisticsOptions,
  usualMaxClicks,
  usualMaxClicksOfPage,
} from '../statistics/options.ts';
import type { JobQueue } from './job-queue.ts';

type Asked = Omit<StatisticsJobs, 'planFold'>;

/** What storage answers by its thread for statistics. @param ask hands the thread a job */
export function answersOfThread(
  ask: JobQueue<Asked>['ask'],
  options: StatisticsOptions,
): Pick<Storage, keyof Asked> {
  const { maxClicksOfAnswer = usualMaxClicks, maxClicksOfPage = usualMaxClicksOfPage } = options;
  return {
    async statistics(accountId, question) {
      requireKept(question, options);
      return ask('statistics', accountId, question, maxClicksOfAnswer);
    },
    async clicks(accountId, question) {
      requireKept({ range: question }, options);
      return ask('clicks', accountId, question, maxClicksOfPage);
    },
    clicksByBucket: async (...asked) => ask('clicksByBucket', ...asked),
    clicksByGroup: async (...asked) => ask('clicksByGroup', ...asked),
    readEvents: async (asks, max) => ask('readEvents', 'events', asks, max),
    followEvents: async (...asked) => ask('followEvents', 'log', ...asked),
    pendingClicks: async (...asked) => ask('pendingClicks', ...asked),
  };
}
