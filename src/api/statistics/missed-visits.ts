import type { missedVisitEndpoints } from '../../contract/statistics/missed-visits.ts';
import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { missedVisitDays } from '../../model/clicks/missed-visits.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import type { Handlers } from '../request/handler.ts';

const defaultLimit = 100;

export const missedVisitHandlers: Handlers<typeof missedVisitEndpoints> = {
  missedVisits: {
    async run({
      context: { storage, sharedHost, now },
      key,
      query: { link, days = missedVisitDays, limit = defaultLimit },
    }) {
      const found = await storage.missedVisits(key.accountId, dayOf(now()) - days + 1, limit, link);
      const data = found.map(({ linkId, code, host, reason, visits, lastDay }) => ({
        linkId,
        shortCode: code,
        domain: host ?? sharedHost(),
        reason,
        visits,
        lastDay: formatTimestamp(startOfDay(lastDay)).slice(0, 10),
      }));
      return { success: true, data };
    },
  },
};
