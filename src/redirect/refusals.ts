import type { MissedVisits } from '../model/clicks/missed-visits.ts';
import { Failure } from '../model/failures.ts';
import type { Target } from '../model/links/link-records.ts';
import { dependsOnVisit, type RefusalKind, refusalCodes } from '../rules/outcome.ts';
import type { Brands } from './brands.ts';
import type { Outcomes } from './outcomes.ts';
import { type RefusalText, refusalPage } from './pages/pages.ts';
import type { Fail } from './send.ts';
import type { Visit } from './visit.ts';

/** Whether a link that worked does so for no visitor any more: then visitors may be redirected to another URL. */
function isOver(kind: RefusalKind): boolean {
  return kind === 'expired' || kind === 'exhausted' || kind === 'disabled';
}

/** The page that a visitor gets, by the reason. */
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
  readonly fail: Fail;
}

/**
 * Answers a visit that a link refuses: a redirect to where the owner wants, or a page that says why.
 * @param ownLocation where the link itself sends such visitors
 */
export type Refuse = (visit: Visit, kind: RefusalKind, target: Target, ownLocation?: string) => Promise<void>;

export function createRefuse({ brands, outcomes, missed, fail }: RefuseOptions): Refuse {
  return async (visit, kind, { account, row }, ownLocation) => {
    // Called for at once, so that a visitor does not wait for one after the other.
    const branding = ownLocation === undefined ? brands.brandOf(account) : undefined;
    const location = ownLocation ?? (isOver(kind) ? await brands.inheritedUrl(account, row) : undefined);
    if (location !== undefined) {
      outcomes.expired += 1;
      return visit.sendTo(location);
    }
    const brand = await branding;
    // A link that is not for this visitor does what its owner asked for.
    if (kind !== 'gone' && !dependsOnVisit(kind) && visit.method === 'GET') missed?.link(row, kind);
    fail(visit, new Failure(refusalCodes[kind]), {
      page: (t) => refusalPage(t, refusalTexts[kind], brand),
      brand,
    });
  };
}
