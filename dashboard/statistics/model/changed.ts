import type { Answer, Question, Value } from './answer.ts';

/** Link whose clicks changed by more than chance would explain. */
export interface Moved {
  readonly id: string;
  readonly code: string;
  readonly title: string | undefined;
  readonly clicks: number;
  readonly before: number;
}

/** A period, and the previous period to compare it with. */
export interface Since {
  /** Start of the period, in ms since the epoch. */
  readonly from: number;
  readonly now: number;
  readonly beside: 'week' | 'before';
}

const weekMs = 7 * 86_400_000;
/** Maximum number of links to compare. All other links have few clicks. */
const maxLinks = 250;

/**
 * Returns the period with its comparison. Periods of less than a week are compared with the same time one week earlier,
 * longer periods with the preceding period of equal length.
 */
export function sinceOf(from: number, now: number): Since {
  return { from, now, beside: now - from < weekMs ? 'week' : 'before' };
}

function earlier({ from, now, beside }: Since): { readonly from: string; readonly to: string } {
  const back = beside === 'week' ? weekMs : now - from;
  return { from: iso(from - back), to: iso(now - back) };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

const ofLinks = { timezone: 'UTC', interval: 'month', groupBy: 'link', limit: maxLinks } as const;

/**
 * Returns one query per period for the links with the most clicks. The second query finds links that dropped to zero,
 * because only the previous period contains them.
 */
export function movedQuestions(since: Since): readonly [now: Question, then: Question] {
  const then = earlier(since);
  const now = { from: iso(since.from), to: iso(since.now), compare: `${then.from}..${then.to}` };
  return [
    { ...ofLinks, ...now },
    { ...ofLinks, ...then },
  ];
}

/**
 * Returns the query for the sources of a link's clicks. It covers the period with more clicks, and compares it with the
 * other period.
 */
export function sourcesQuestion(since: Since, { id, clicks, before }: Moved): Question {
  const now = { from: iso(since.from), to: iso(since.now) };
  const then = earlier(since);
  const [more, less] = clicks > before ? [now, then] : [then, now];
  return {
    ...more,
    compare: `${less.from}..${less.to}`,
    timezone: 'UTC',
    interval: 'month',
    groupBy: 'referrer',
    limit: maxLinks,
    filter: [`link:is:${id}`],
  };
}

const minClicks = 5;
const minSigma = 2.5;

/** Returns true if clicks rose or fell by more than chance would explain. */
export function isMoved(counts: Pick<Moved, 'clicks' | 'before'>): boolean {
  return Math.abs(counts.clicks - counts.before) >= minClicks && sigma(counts) >= minSigma;
}

/** Returns the size of a change in standard deviations, treating clicks as Poisson-distributed. */
function sigma({ clicks, before }: Pick<Moved, 'clicks' | 'before'>): number {
  return Math.abs(clicks - before) / Math.sqrt(Math.max(1, clicks + before));
}

/**
 * Returns up to `most` links with the largest rises and up to `most` with the largest falls. Returns no links if the
 * previous period has no clicks.
 */
export function movedMost(
  now: Pick<Answer, 'breakdown' | 'compare'>,
  then: Pick<Answer, 'breakdown'>,
  most: number,
): { readonly rose: readonly Moved[]; readonly fell: readonly Moved[] } {
  if ((now.compare?.totals.clicks ?? 0) === 0) return { rose: [], fell: [] };
  const values = now.breakdown?.values ?? [];
  const seen = new Set(values.map(({ value }) => value));
  // If the response omits links beyond the limit, a missing link did not necessarily drop to zero.
  const isWhole = (now.breakdown?.other.clicks ?? 0) === 0;
  const gone = isWhole ? (then.breakdown?.values ?? []).filter(({ value }) => !seen.has(value)) : [];
  const all = [
    ...values.map((value) => movedOf(value, value.clicks, value.before?.clicks ?? 0)),
    ...gone.map((value) => movedOf(value, 0, value.clicks)),
  ].filter(isMoved);
  const byFar = (moved: readonly Moved[]) => moved.toSorted((a, b) => sigma(b) - sigma(a)).slice(0, most);
  return {
    rose: byFar(all.filter(({ clicks, before }) => clicks > before)),
    fell: byFar(all.filter(({ clicks, before }) => clicks < before)),
  };
}

function movedOf({ value, label, title }: Value, clicks: number, before: number): Moved {
  return { id: value, code: label ?? value, title, clicks, before };
}

/** Returns the source that caused at least half of the change, if any. @param answer response to `sourcesQuestion` */
export function mainSource(
  { breakdown }: Pick<Answer, 'breakdown'>,
  { clicks, before }: Pick<Moved, 'clicks' | 'before'>,
): { readonly value: string; readonly change: number } | undefined {
  const [first] = (breakdown?.values ?? [])
    .map(({ value, clicks: more, before: less }) => ({ value, by: more - (less?.clicks ?? 0) }))
    .sort((a, b) => b.by - a.by);
  if (first === undefined || first.by * 2 < Math.abs(clicks - before)) return undefined;
  return { value: first.value, change: clicks > before ? first.by : -first.by };
}
