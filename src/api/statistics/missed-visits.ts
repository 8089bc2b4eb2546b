import type { missedVisitEndpoints } from '../../contract/statistics/missed-visits.ts';
import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { missedVisitDays } from '../../model/clicks/missed-visits.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import type { Handlers } from '../request/handler.ts';

const usualLimit = 100;

export const missedVisitHandlers: Handlers<typeof missedVisitEndpoints> = {
  missedVisits: {
    async run({ context: { storage, now }, key, query: { days = missedVisitDays, limit = usualLimit } }) {
      const found = await storage.missedVisits(key.accountId, dayOf(now()) - days + 1, limit);
      const data = found.map(({ linkId, code, reason, visits, lastDay }) => ({
        linkId,
        shortCode: code,
        reason,
        visits,
        lastDay: formatTimestamp(startOfDay(lastDay)).slice(0, 10),
      }));
      return { success: true, data };
    },
  },
};
