import type { ExcludedBrowsers, MarkChange } from '../model/accounts/excluded-browsers.ts';
import type { MissedVisits } from '../model/clicks/missed-visits.ts';
import type { Target } from '../model/links/link-records.ts';
import type { Outcomes } from './outcomes.ts';
import { headersOf } from './pages/layout.ts';
import { buttonPage } from './pages/pages.ts';
import { textsFor } from './send.ts';
import type { Visit } from './visit.ts';

export interface ExcludedVisitsOptions {
  readonly excludedBrowsers: Omit<ExcludedBrowsers, 'path'>;
  /** Returns the shared domain's base URL, including its path if any, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Returns the dashboard URL; undefined if this installation has no dashboard. */
  readonly dashboardUrl: () => string | undefined;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Identifies visits that the link's account excludes from statistics, by network or by browser. */
export interface ExcludedVisits {
  isExcluded(visit: Visit, target: Target): boolean;
  /** Counts an excluded visit to a link. The count is shown to the link's owner. */
  count(target: Target): void;
  /**
   * Handles a URL, created by the API, that excludes the visitor's browser from statistics or includes it again. The
   * response first asks for confirmation, because any website could make a browser open the URL.
   * @returns false, without sending a response, for any other URL
   */
  answerMark(visit: Visit): boolean;
}

/** Lifetime of the cookie in seconds. Browsers limit cookie lifetimes to 400 days. */
const cookieSeconds = 400 * 86_400;
const noStore = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Returns the host of the requested domain; empty for the shared domain. */
const hostOf = ({ domain }: Visit): string => domain?.host ?? '';

export function createExcludedVisits(
  { excludedBrowsers, baseUrl, dashboardUrl, now }: ExcludedVisitsOptions,
  missed: Pick<MissedVisits, 'link'> | undefined,
  outcomes: Outcomes,
): ExcludedVisits {
  const cookieFor = ({ account, host, excludes }: MarkChange, root: string): string => {
    const secure = baseUrl().startsWith('https:') ? '; Secure' : '';
    const lifetime = `Max-Age=${excludes ? cookieSeconds : 0}`;
    return `${excludedBrowsers.cookie(account, host)}; Path=${root}/; ${lifetime}; HttpOnly; SameSite=Lax${secure}`;
  };
  return {
    isExcluded(visit, target) {
      if (target.isExcluded?.(visit.client().address)) return true;
      const cookies = visit.cookies();
      return cookies !== '' && excludedBrowsers.includes(cookies, target.account, hostOf(visit));
    },
    count: ({ row }) => missed?.link(row, 'excluded'),
    answerMark(visit) {
      const [path = ''] = visit.target.split('?', 1);
      const change = excludedBrowsers.read(path, hostOf(visit), Math.floor(now() / 1_000));
      if (change === undefined || (visit.method !== 'GET' && visit.method !== 'POST')) return false;
      const { excludes, isExpired } = change;
      outcomes.page += 1;
      if (!isExpired && !(visit.method === 'POST' && visit.isSameOrigin())) {
        // Sets the policy to `same-origin`, so that the origin of the form submission can be checked. With
        // `no-referrer`, browsers would send `Origin: null`, and on plain HTTP they send no `Sec-Fetch-Site` either.
        const headers = { ...headersOf(undefined, true), 'referrer-policy': 'same-origin' };
        visit.send(200, headers, buttonPage(textsFor(visit), excludes ? 'exclude' : 'count'));
        return true;
      }
      const state = isExpired ? 'expired' : excludes ? 'excluded' : 'counted';
      const headers = {
        ...noStore,
        ...(!isExpired && { 'set-cookie': cookieFor(change, visit.root) }),
      };
      const dashboard = dashboardUrl();
      if (dashboard === undefined) {
        const plain = { ...headers, 'content-type': 'text/plain; charset=utf-8' };
        visit.send(isExpired ? 410 : 200, plain, `Visits from this browser: ${state}.\n`);
      } else {
        const domain = visit.domain?.host ?? new URL(baseUrl()).hostname;
        const query = new URLSearchParams({ domain, visits: state });
        visit.send(303, { ...headers, location: `${dashboard}/settings?${query}#ownVisits` }, '');
      }
      return true;
    },
  };
}
