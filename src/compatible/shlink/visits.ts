import type { Ask } from '../../api/request/inner-calls.ts';
import type { SuccessOf } from '../../contract/endpoint.ts';
import type { Endpoints } from '../../contract/endpoints/endpoints.ts';
import { Failure, problem, refused } from '../../model/failures.ts';
import type { Fields } from '../request/adapter.ts';
import { allTime } from '../request/links.ts';
import { numberIn, textIn } from './fields.ts';
import { pageOf, summaryOf, timeOf, type VisitsSummary } from './shapes.ts';

type Click = SuccessOf<Endpoints['accountClicks']>['data'][number];

/** Number of clicks per page in Linkfold's API. At most `maxPages` such pages are read for one page of visits. */
const pageSize = 1_000;
const maxPages = 50;

const nonHumanClasses = ['bot', 'preview', 'prefetch'];

/** Selects the clicks to return as visits. */
export interface Subject {
  readonly linkId?: string;
  readonly tagId?: string;
  readonly filter?: string;
}

/** Converts a request's time range to Linkfold's query parameters. */
function rangeIn(query: Fields): Fields {
  const [from, to] = [textIn(query, 'startDate'), textIn(query, 'endDate')];
  return {
    ...allTime,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(textIn(query, 'excludeBots') === 'true' && { class: 'human' }),
  };
}

function statistics(ask: Ask, { linkId, tagId, filter }: Subject, range: Fields) {
  const query = { ...range, ...(filter !== undefined && { filter: [filter] }) };
  if (linkId !== undefined) return ask('linkStatistics', { params: { id: linkId }, query });
  if (tagId !== undefined) return ask('tagStatistics', { params: { id: tagId }, query });
  return ask('accountStatistics', { query });
}

/** Returns the all-time summary of visits. */
export async function summary(ask: Ask, subject: Subject): Promise<VisitsSummary> {
  const { totals } = (await statistics(ask, subject, allTime)).body.data;
  return summaryOf(totals.clicks, totals.clicks - totals.human);
}

/** Returns the number of non-human clicks by link ID. The map is empty if the key lacks the scope for analytics. */
export async function botsOf(ask: Ask, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const bots = new Map<string, number>();
  // Queries 100 links at a time, because a filter can have at most 100 values.
  for (let at = 0; at < ids.length; at += 100) {
    const some = ids.slice(at, at + 100);
    const query = { ...allTime, class: nonHumanClasses.join(','), filter: [`link:is:${some.join(',')}`] };
    const grouped = { ...query, groupBy: 'link', limit: String(some.length) };
    try {
      const { breakdown } = (await ask('accountStatistics', { query: grouped })).body.data;
      for (const { value, clicks } of breakdown?.values ?? []) bots.set(value, clicks);
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'INSUFFICIENT_SCOPE')) throw error;
    }
  }
  return bots;
}

/** Returns one page of visits, newest first. */
export async function listVisits(ask: Ask, subject: Subject, query: Fields) {
  const range = rangeIn(query);
  const { totals } = (await statistics(ask, subject, range)).body.data;
  const total = totals.clicks;
  const page = numberIn(query, 'page', 1, 1_000_000);
  const size = numberIn(query, 'itemsPerPage', Math.max(1, Math.min(total, 5_000)), 5_000);
  const { interval: _, ...clickRange } = range;
  const clicks = await clicksFrom(ask, subject, clickRange, (page - 1) * size, size);
  return { visits: { data: clicks.map(visitOf), pagination: pageOf(total, page, size, clicks.length) } };
}

/**
 * Reads clicks from an offset. Linkfold's API paginates by cursor, so the function also reads the clicks before the
 * offset, and skips them.
 */
async function clicksFrom(
  ask: Ask,
  { filter, ...subject }: Subject,
  range: Fields,
  start: number,
  count: number,
) {
  const clicks: Click[] = [];
  let passed = 0;
  let cursor = '';
  for (let pages = 0; clicks.length < count; pages += 1) {
    if (pages === maxPages) throw tooFar();
    const filters = filter === undefined ? {} : { filter: [filter] };
    const query = { ...range, ...subject, ...filters, cursor, limit: String(pageSize) };
    const { data, pagination } = (await ask('accountClicks', { query })).body;
    clicks.push(...data.slice(Math.max(0, start - passed)));
    passed += data.length;
    if (pagination.nextCursor === null) break;
    cursor = pagination.nextCursor;
  }
  return clicks.slice(0, count);
}

function tooFar() {
  const message = 'page is too high. Use a shorter range with startDate and endDate.';
  return refused([problem('page', 'out_of_range', message)]);
}

const countries = new Intl.DisplayNames(['en'], { type: 'region' });

/**
 * Converts a click to a Shlink visit. The user agent consists of browser and OS only, because clicks do not store more.
 */
function visitOf({ time, referrer, browser, os, country, region, class: kind }: Click) {
  return {
    referer: referrer,
    date: timeOf(time),
    userAgent: [browser, os].filter((word) => word !== '').join('; '),
    visitLocation: country === '' ? null : locationOf(country, region),
    potentialBot: kind !== 'human',
    visitedUrl: '',
    redirectUrl: null,
  };
}

function locationOf(country: string, region: string) {
  const name = /^[A-Z]{2}$/.test(country) ? (countries.of(country) ?? country) : country;
  return {
    countryCode: country,
    countryName: name,
    regionName: region,
    cityName: '',
    latitude: 0,
    longitude: 0,
    timezone: '',
    isEmpty: false,
  };
}
