import { limitHeaders } from '../contract/envelope.ts';
import { containsSecret } from '../model/accounts/keys.ts';
import { type Limiter, tooMany } from '../model/accounts/limits.ts';
import type { MissedVisits } from '../model/clicks/missed-visits.ts';
import { Failure } from '../model/failures.ts';
import { keyOn } from './domains.ts';
import type { Outcomes } from './outcomes.ts';
import { notFoundPage } from './pages/pages.ts';
import { pathTextIn } from './path.ts';
import type { Fail } from './send.ts';
import type { Visit } from './visit.ts';

export interface UnknownCodesOptions {
  /** Counts the unknown codes that an address asks for (CONTRACT §7), so that guessing codes is slow. */
  readonly codeMisses: Limiter;
  /** Unknown codes an address may ask for in a window; 0 means no limit. */
  readonly missLimit: number;
  /** Where unknown codes lead, with `{code}` for the code; without it, they are answered with 404. */
  readonly unknownCodeRedirect?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Parts {
  readonly outcomes: Outcomes;
  readonly missed: Pick<MissedVisits, 'unknown'> | undefined;
  readonly fail: Fail;
}

/** Answers visits of codes that no live link has. */
export interface UnknownCodes {
  /** Counts a guess. @returns whether the address has made too many: the answer is 429 then, and does not say what is unknown */
  isLimited(visit: Visit): boolean;
  /** Counts a guess and answers it. @param code undefined when it can be none */
  answer(visit: Visit, code?: string): void;
}

export function createUnknownCodes(
  { codeMisses, missLimit, unknownCodeRedirect, now }: UnknownCodesOptions,
  { outcomes, missed, fail }: Parts,
): UnknownCodes {
  const isLimited = (visit: Visit): boolean => {
    const address = visit.address();
    const allowance = address === undefined ? undefined : codeMisses.take(address, missLimit);
    if (!allowance?.exceeded) return false;
    const text = 'Too many unknown short codes were asked for from this address.';
    fail(visit, tooMany(allowance, now(), text), { headers: limitHeaders(allowance) });
    return true;
  };
  return {
    isLimited,
    answer(visit, code) {
      if (isLimited(visit)) return;
      // Like clicks, only visits by GET count. Beyond the limit there is more guessing than visiting. A secret is not stored.
      if (code !== undefined && visit.method === 'GET' && !containsSecret(code))
        missed?.unknown(keyOn(visit.domain, code));
      const leads = visit.domain === undefined ? unknownCodeRedirect : visit.domain.unknownUrl;
      if (leads != null) {
        outcomes.unknown += 1;
        return visit.sendTo(withCode(leads, code ?? pathTextIn(visit.target)));
      }
      fail(visit, new Failure('CODE_NOT_FOUND'), { page: (t) => notFoundPage(t, code) });
    },
  };
}

/** Fills the code in for `{code}`, behind the host alone. Serialized paths have the braces encoded. */
function withCode(location: string, code: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(location) ?? [];
  const value = encodeURIComponent(code.toWellFormed());
  return origin + location.slice(origin.length).replaceAll(/\{code\}|%7Bcode%7D/gi, () => value);
}
