import { type Limiter, tooMany } from '../model/accounts/limits.ts';
import { Failure } from '../model/failures.ts';
import { maxSegments } from '../model/links/codes/codes.ts';
import { isValidProof, type Passwords, proofOf } from '../model/links/passwords.ts';
import { isSingleUse, stateOf } from '../rules/outcome.ts';
import type { SpecialLink } from './admission.ts';
import { addressIn, cookiePathOf } from './path.ts';
import type { Visit } from './visit.ts';

export interface GateOptions {
  readonly passwords: Pick<Passwords, 'isRight'>;
  /** Limits wrong passwords per link and network. */
  readonly wrongByAddress: Limiter;
  /** Limits wrong passwords per link. */
  readonly wrongByLink: Limiter;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the shared domain's base URL, including its path if any, without a trailing slash. */
  readonly baseUrl: () => string;
}

/**
 * Maximum number of wrong passwords for a link from one network (an IPv4 address or an IPv6 /48) in ten minutes. The
 * maximum drops to `maxPerAddressSlowed` after `slowAfter` wrong passwords for the link from all addresses within an
 * hour.
 */
const maxPerAddress = 10;
const maxPerAddressSlowed = 2;
const slowAfter = 100;
/** Maximum number of wrong passwords for a link from all addresses within an hour. */
const maxPerLink = 1_000;
/** Time in seconds before a visitor must enter the password again. */
const passSeconds = 3_600;
const cookieName = 'linkfold_pass';

/** Password check for links. */
export interface Gate {
  /**
   * Returns true if visitors must enter a password: the link has a password and is active. A link that is not active
   * shows its state to every visitor.
   * @param at time of the visit in milliseconds since the epoch. Use the same time to decide the response. Otherwise a
   * link that starts between the two decisions would be unprotected
   */
  guards(link: SpecialLink, at: number): boolean;
  /**
   * Admits a visitor whose cookie proves that the password was entered, and handles submissions of the password form.
   * @returns true if the visit continues. A visitor who submits the right password is redirected to the same URL
   * instead
   * @throws Failure PASSWORD_REQUIRED, WRONG_PASSWORD, RATE_LIMIT_EXCEEDED, OVERLOADED; errors from reading the form
   */
  pass(visit: Visit, asksForPreview: boolean, link: SpecialLink): Promise<boolean>;
}

export function createGate({ passwords, wrongByAddress, wrongByLink, now, baseUrl }: GateOptions): Gate {
  const seconds = (): number => Math.floor(now() / 1_000);

  const isOpen = (visit: Visit, { id, special }: SpecialLink): boolean =>
    proofsIn(visit.cookies()).some((proof) => isValidProof(proof, id, special.password ?? '', seconds()));

  const check = async (typed: string, visit: Visit, { row, special }: SpecialLink): Promise<void> => {
    // Limits attempts per IPv6 /48, because one customer may have a whole /48. It contains 65,536 of the usual /64
    // networks.
    const network = visit.address()?.split(':').slice(0, 3).join(':');
    const ofLink = String(row);
    const ofAddress = `${row} ${network}`;
    const refuseMore = (): void => {
      const most = wrongByLink.peek(ofLink, slowAfter).exceeded ? maxPerAddressSlowed : maxPerAddress;
      const limits = [
        network === undefined ? undefined : wrongByAddress.peek(ofAddress, most),
        wrongByLink.peek(ofLink, maxPerLink),
      ];
      const used = limits.find((limit) => limit?.exceeded);
      if (used === undefined) return;
      throw tooMany(used, now(), 'Too many wrong passwords for this link.');
    };
    refuseMore();
    const requester = { group: row, member: network };
    if (await passwords.isRight(requester, typed, special.password ?? '', refuseMore)) return;
    if (network !== undefined) wrongByAddress.take(ofAddress, maxPerAddress);
    wrongByLink.take(ofLink, maxPerLink);
    throw new Failure('WRONG_PASSWORD');
  };

  /** Redirects to the same URL, which the visitor's browser then requests with GET. */
  const redirectToSelf = (visit: Visit, cookie?: string): void => {
    const { path: below, query } = addressIn(visit.target);
    const path = visit.root + below;
    visit.send(
      303,
      {
        location: path + query,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        ...(cookie !== undefined && { 'set-cookie': `${cookie}; Path=${cookiePathOf(path)}` }),
      },
      '',
    );
  };

  return {
    guards({ special, expiresAt }, at) {
      return special.password !== null && stateOf({ ...special, expiresAt }, at) === 'active';
    },
    async pass(visit, asksForPreview, link) {
      const typed = visit.method === 'POST' ? (await visit.form()).get('password') : null;
      if (typed === null) {
        if (!isOpen(visit, link)) throw new Failure('PASSWORD_REQUIRED');
        if (visit.method !== 'POST' || (isSingleUse(link.special) && !asksForPreview)) return true;
        redirectToSelf(visit);
        return false;
      }
      await check(typed, visit, link);
      const proof = proofOf(link.id, link.special.password ?? '', seconds() + passSeconds);
      const secure = baseUrl().startsWith('https:') ? '; Secure' : '';
      redirectToSelf(
        visit,
        `${cookieName}=${proof}; Max-Age=${passSeconds}; HttpOnly; SameSite=Lax${secure}`,
      );
      return false;
    },
  };
}

/**
 * Returns the password proofs in a `Cookie` header. Browsers also send the cookies of parent paths: a request for
 * `/shop/sale` carries the cookie for that path first, then the cookie for `/shop`. Each proof is valid for only one
 * link.
 */
function proofsIn(header: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1))
    .slice(0, maxSegments);
}
