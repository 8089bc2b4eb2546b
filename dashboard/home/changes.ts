import type { MissedVisitsResult } from '../../src/client/client.ts';
import { api } from '../data/client.ts';
import { type Link, listed } from '../data/links/links.ts';
import { ask } from '../statistics/ask.ts';
import { allLinks } from '../statistics/model/answer.ts';
import {
  type Moved,
  mainSource,
  movedMost,
  movedQuestions,
  type Since,
  sinceOf,
  sourcesQuestion,
} from '../statistics/model/changed.ts';
import { relative } from '../texts/format.ts';

interface OfLink {
  readonly id: string;
  readonly code: string;
  readonly title?: string | null | undefined;
}

type Source = ReturnType<typeof mainSource>;
type Reason = MissedVisitsResult[number]['reason'];

/** Change to show on the home screen, with its click or visit counts. */
export type Change = OfLink &
  (
    | {
        readonly kind: 'rose' | 'fell';
        readonly clicks: number;
        readonly before: number;
        readonly source: Source;
      }
    | { readonly kind: 'soon'; readonly when: string; readonly clicks: number }
    | { readonly kind: 'expired'; readonly at: string; readonly clicks: number }
    | { readonly kind: 'missed'; readonly visits: number; readonly reason: Reason }
  );

interface Changes {
  readonly changes: readonly Change[];
  readonly beside: Since['beside'];
  /** Whether the account has any clicks in the two compared periods, or any change to show. */
  readonly hasClicks: boolean;
}

/** Maximum number of changes per kind, to keep the list short. */
const most = 2;
const dayMs = 86_400_000;

/**
 * Loads the changes since `from` with at most eight requests, regardless of the number of links.
 * @param from ms since the epoch
 * @param soon links whose remaining lifetime has dropped below two weeks since `from`
 */
export async function readChanges(from: number, soon: readonly Link[]): Promise<Changes> {
  const since = sinceOf(from, Date.now());
  const [now, then] = await Promise.all(movedQuestions(since).map((question) => ask(allLinks, question)));
  if (now === undefined || then === undefined) throw new Error('Two questions have two answers.');
  const { rose, fell } = movedMost(now, then, most);
  const [moved, expired, missed] = await Promise.all([
    Promise.all([
      ...rose.map((one) => withSource(since, 'rose', one)),
      ...fell.map((one) => withSource(since, 'fell', one)),
    ]),
    readExpired(from),
    readMissed(from),
  ]);
  const changes = [...moved, ...soon.slice(0, most).map(soonOf), ...expired, ...missed];
  return {
    changes,
    beside: since.beside,
    hasClicks: changes.length + now.totals.clicks + then.totals.clicks > 0,
  };
}

async function withSource(since: Since, kind: 'rose' | 'fell', moved: Moved): Promise<Change> {
  const source = mainSource(await ask(allLinks, sourcesQuestion(since, moved)), moved);
  return { kind, ...moved, source };
}

function clicksOf({ clicksByDay = [] }: Link): number {
  return clicksByDay.reduce((sum, clicks) => sum + clicks, 0);
}

function ofLink({ id, shortCode, title }: Link): OfLink {
  return { id, code: shortCode, title };
}

function soonOf(link: Link): Change {
  return { kind: 'soon', ...ofLink(link), when: relative(link.expiresAt ?? ''), clicks: clicksOf(link) };
}

async function readExpired(from: number): Promise<readonly Change[]> {
  const asked = { sort: 'expiresAt', order: 'desc', status: 'expired', limit: most } as const;
  const { data } = await api.listLinks({ ...asked, ...listed() });
  return data.flatMap((link) =>
    Date.parse(link.expiresAt ?? '') < from
      ? []
      : [{ kind: 'expired' as const, ...ofLink(link), at: link.expiresAt ?? '', clicks: clicksOf(link) }],
  );
}

/** Loads not-found visits, which are counted per UTC day. Includes the whole first day. */
async function readMissed(from: number): Promise<readonly Change[]> {
  const days = Math.floor(Date.now() / dayMs) - Math.floor(from / dayMs) + 1;
  const missed = await api.missedVisits({ days: Math.min(30, days), limit: most });
  return missed.map(({ linkId, shortCode, reason, visits }) => ({
    kind: 'missed' as const,
    id: linkId,
    code: shortCode,
    visits,
    reason,
  }));
}
