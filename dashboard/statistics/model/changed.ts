import type { Answer, Question, Value } from './answer.ts';

/** A link whose clicks rose or fell by more than chance. */
export interface Moved {
  readonly id: string;
  readonly code: string;
  readonly title: string | undefined;
  readonly clicks: number;
  readonly before: number;
}

/** Since when it is looked at, and what that is set beside. */
export interface Since {
  /** ms since the epoch. */
  readonly from: number;
  readonly now: number;
  readonly beside: 'week' | 'before';
}

const weekMs = 7 * 86_400_000;
/** Links that are looked at: of the others each has few clicks. */
const mostLinks = 250;

/** The same time a week before is like it; of more than a week it is as long a time right before. */
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

const ofLinks = { timezone: 'UTC', interval: 'month', groupBy: 'link', limit: mostLinks } as const;

/** The links of most clicks now, and those of most clicks then: one that fell to nothing is among the latter only. */
export function movedQuestions(since: Since): readonly [now: Question, then: Question] {
  const then = earlier(since);
  const now = { from: iso(since.from), to: iso(since.now), compare: `${then.from}..${then.to}` };
  return [
    { ...ofLinks, ...now },
    { ...ofLinks, ...then },
  ];
}

/** Where the clicks of a link came from in the range in which it had more, beside the other one. */
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
    limit: mostLinks,
    filter: [`link:is:${id}`],
  };
}

const leastClicks = 5;
const leastSigma = 2.5;

/** Whether clicks rose or fell by more than chance. */
export function isMoved(counts: Pick<Moved, 'clicks' | 'before'>): boolean {
  return Math.abs(counts.clicks - counts.before) >= leastClicks && sigma(counts) >= leastSigma;
}

/** How far a change is from what chance does to counts, in standard deviations. */
function sigma({ clicks, before }: Pick<Moved, 'clicks' | 'before'>): number {
  return Math.abs(clicks - before) / Math.sqrt(Math.max(1, clicks + before));
}

/** The links that rose most and those that fell most, at most so many of each; where nothing was before all would have risen. */
export function movedMost(
  now: Pick<Answer, 'breakdown' | 'compare'>,
  then: Pick<Answer, 'breakdown'>,
  most: number,
): { readonly rose: readonly Moved[]; readonly fell: readonly Moved[] } {
  if ((now.compare?.totals.clicks ?? 0) === 0) return { rose: [], fell: [] };
  const values = now.breakdown?.values ?? [];
  const seen = new Set(values.map(({ value }) => value));
  // The answer does not say how many clicks links beyond the limit have now.
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

/** The source that did most of it, when one did at least half. @param answer to `sourcesQuestion` */
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
