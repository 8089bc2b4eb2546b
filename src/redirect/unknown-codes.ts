import { limitHeaders } from '../contract/envelope.ts';
import { containsSecret } from '../model/accounts/keys.ts';
import { type Limiter, tooMany } from '../model/accounts/limits.ts';
import type { MissedVisits } from '../model/clicks/missed-visits.ts';
import { Failure } from '../model/failures.ts';
import { keyOn } from './domains.ts';
import { unknownGolink } from './golinks.ts';
import type { Outcomes } from './outcomes.ts';
import { notFoundPage } from './pages/pages.ts';
import { pathTextIn } from './path.ts';
import type { Fail } from './send.ts';
import type { Visit } from './visit.ts';

export interface UnknownCodesOptions {
  /** Limits unknown codes per IP address (CONTRACT §7), to slow down guessing. */
  readonly codeMisses: Limiter;
  /** Maximum number of unknown codes per IP address and window; 0 for no limit. */
  readonly missLimit: number;
  /** Redirect target for unknown codes. `{code}` is replaced with the code. If undefined, the status is 404. */
  readonly unknownCodeRedirect?: string | undefined;
  /** Returns the shared domain's base URL, including its path if any, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

interface Parts {
  readonly outcomes: Outcomes;
  readonly missed: Pick<MissedVisits, 'unknown'> | undefined;
  readonly fail: Fail;
}

/** Handles visits to codes that do not belong to a live link. */
export interface UnknownCodes {
  /**
   * Counts a guess.
   * @returns true, after sending a 429 response, if the IP address has exceeded the limit. The response does not reveal
   * whether the code exists
   */
  isLimited(visit: Visit): boolean;
  /** Counts a guess and responds. @param code undefined if the path cannot be a code */
  answer(visit: Visit, code?: string): void;
}

export function createUnknownCodes(
  { codeMisses, missLimit, unknownCodeRedirect, baseUrl, now }: UnknownCodesOptions,
  { outcomes, missed, fail }: Parts,
): UnknownCodes {
  const isLimited = (visit: Visit): boolean => {
    const address = visit.address();
    const allowance = address === undefined ? undefined : codeMisses.take(address, missLimit);
    if (!allowance?.exceeded) return false;
    const text = 'Too many unknown short codes were requested from this address.';
    fail(visit, tooMany(allowance, now(), text), { headers: limitHeaders(allowance) });
    return true;
  };
  return {
    isLimited,
    answer(visit, code) {
      if (isLimited(visit)) return;
      // Like clicks, counts only GET requests. Does not count codes that contain a secret, or requests above the rate
      // limit, which are mostly guesses.
      if (code !== undefined && visit.method === 'GET' && !containsSecret(code))
        missed?.unknown(keyOn(visit.domain, code));
      const leads = visit.domain === undefined ? unknownCodeRedirect : visit.domain.unknownUrl;
      if (leads != null) {
        outcomes.unknown += 1;
        return visit.sendTo(withCode(leads, code ?? pathTextIn(visit.target)));
      }
      const golink = code === undefined ? undefined : unknownGolink(visit, baseUrl(), code);
      fail(visit, new Failure('CODE_NOT_FOUND'), { page: (t) => notFoundPage(t, code, golink) });
    },
  };
}

/**
 * Replaces `{code}`, except in the host. Also replaces `%7Bcode%7D`, because the URL parser encodes braces in paths.
 */
function withCode(location: string, code: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(location) ?? [];
  const value = encodeURIComponent(code.toWellFormed());
  return origin + location.slice(origin.length).replaceAll(/\{code\}|%7Bcode%7D/gi, () => value);
}
