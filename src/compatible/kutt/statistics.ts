import type { Incoming } from '../request/adapter.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Kutt's periods, each with the number of buckets including the current bucket. */
const periods = {
  lastDay: { interval: 'hour', buckets: 24, ms: hour },
  lastWeek: { interval: 'day', buckets: 7, ms: day },
  lastMonth: { interval: 'day', buckets: 30, ms: day },
  lastYear: { interval: 'month', buckets: 12, ms: 0 },
} as const;

const dimensions = ['browser', 'os', 'country', 'referrer'] as const;

/** Kutt's names for unknown values. */
const unknown = { browser: 'other', os: 'other', country: 'unknown', referrer: 'direct' } as const;

/** Returns a link's statistics for Kutt's four periods. */
export async function statisticsOf(request: Incoming, id: string) {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(periods) as (keyof typeof periods)[])
    result[name] = await periodStatistics(request, id, name);
  return { ...result, updatedAt: new Date(request.context.now()).toISOString() };
}

async function periodStatistics({ ask, context }: Incoming, id: string, name: keyof typeof periods) {
  const { interval, buckets, ms } = periods[name];
  const from =
    ms === 0 ? monthsBefore(context.now(), buckets - 1) : startOf(context.now(), ms) - (buckets - 1) * ms;
  const stats: Record<string, unknown> = {};
  let views: number[] = [];
  let total = 0;
  for (const dimension of dimensions) {
    const query = { from: new Date(from).toISOString(), interval, groupBy: dimension, limit: '50' };
    const { data } = (await ask('linkStatistics', { params: { id }, query })).body;
    views = data.series.map(({ clicks }) => clicks);
    total = data.totals.clicks;
    stats[dimension] = (data.breakdown?.values ?? []).map(({ value, clicks }) => ({
      name: value === '' ? unknown[dimension] : value,
      value: clicks,
    }));
  }
  return { stats, views, total };
}

function startOf(at: number, ms: number): number {
  return at - (at % ms);
}

/** Returns the start, in UTC, of the month that is `months` months before a time. */
function monthsBefore(at: number, months: number): number {
  const now = new Date(at);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1);
}
