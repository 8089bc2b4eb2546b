import type { MissedVisits } from '../model/clicks/missed-visits.ts';
import { Failure } from '../model/failures.ts';
import type { Target } from '../model/links/link-records.ts';
import { dependsOnVisit, type RefusalKind, refusalCodes } from '../rules/outcome.ts';
import type { Brands } from './brands.ts';
import type { ExcludedVisits } from './excluded-visits.ts';
import type { Outcomes } from './outcomes.ts';
import { type RefusalText, refusalPage } from './pages/pages.ts';
import type { Fail } from './send.ts';
import type { Visit } from './visit.ts';

/**
 * Returns true if a link no longer works for any visitor. Only such a link redirects visitors to an inherited
 * `expiredUrl`.
 */
function hasEnded(kind: RefusalKind): boolean {
  return kind === 'expired' || kind === 'exhausted' || kind === 'disabled';
}

/** UI strings for the page, by reason. */
const refusalTexts: Readonly<Record<RefusalKind, RefusalText>> = {
  expired: 'expired',
  'not-started': 'notStarted',
  exhausted: 'exhausted',
  disabled: 'unavailable',
  gone: 'unavailable',
  unfilled: 'unfilled',
  refused: 'refused',
  'too-long': 'tooLong',
};

interface RefuseOptions {
  readonly brands: Brands;
  readonly outcomes: Outcomes;
  readonly missed: Pick<MissedVisits, 'link'> | undefined;
  readonly excluded: Pick<ExcludedVisits, 'isExcluded'>;
  readonly fail: Fail;
}

/**
 * Handles a rejected visit: redirects to the owner's `expiredUrl`, or shows a page with the reason.
 * @param ownLocation URL from the link's own `expiredUrl`
 */
export type Refuse = (visit: Visit, kind: RefusalKind, target: Target, ownLocation?: string) => Promise<void>;

export function createRefuse({ brands, outcomes, missed, excluded, fail }: RefuseOptions): Refuse {
  return async (visit, kind, target, ownLocation) => {
    const { account, row } = target;
    // Reads the branding in parallel with the inherited URL.
    const branding = ownLocation === undefined ? brands.brandOf(account) : undefined;
    const location = ownLocation ?? (hasEnded(kind) ? await brands.inheritedUrl(account, row) : undefined);
    if (location !== undefined) {
      outcomes.expired += 1;
      return visit.sendTo(location);
    }
    const brand = await branding;
    // A visit that a redirect rule rejects does not count as a not-found visit, because the link works as its owner
    // intended.
    const isMissed = kind !== 'gone' && !dependsOnVisit(kind) && visit.method === 'GET';
    if (isMissed && !excluded.isExcluded(visit, target)) missed?.link(row, kind);
    fail(visit, new Failure(refusalCodes[kind]), {
      page: (t) => refusalPage(t, refusalTexts[kind], brand),
      brand,
    });
  };
}
