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
  /** Counts wrong passwords: of a link from an address, and of a link. */
  readonly wrongByAddress: Limiter;
  readonly wrongByLink: Limiter;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Origin of the short URLs. */
  readonly baseUrl: () => string;
}

/** Wrong passwords of a link from one address in ten minutes; `mostWhenSlow` when the link has had `slowAfter` from all within the hour. */
const mostOfAddress = 10;
const mostWhenSlow = 2;
const slowAfter = 100;
/** Wrong passwords of a link from all addresses within the hour. */
const mostOfLink = 1_000;
/** How long a visitor is not asked again, seconds. */
const openFor = 3_600;
const cookieName = 'linkfold_pass';

/** Stands before a link with a password. */
export interface Gate {
  /**
   * Whether a live link has a password. One that is not live says so to every visitor.
   * @param at ms since the epoch, the moment for which the visit is decided: a link that begins right after it stays shut
   */
  guards(link: SpecialLink, at: number): boolean;
  /**
   * Lets a visitor through whose cookie proves that it has given the password; takes the password from a form.
   * @returns whether the visit continues; a form with the right password is answered here, and the visitor comes again
   * @throws Failure PASSWORD_REQUIRED, WRONG_PASSWORD, RATE_LIMIT_EXCEEDED, OVERLOADED; what reading a form throws
   */
  pass(visit: Visit, asksForPreview: boolean, link: SpecialLink): Promise<boolean>;
}

export function createGate({ passwords, wrongByAddress, wrongByLink, now, baseUrl }: GateOptions): Gate {
  const seconds = (): number => Math.floor(now() / 1_000);

  const isOpen = (visit: Visit, { id, special }: SpecialLink): boolean =>
    proofsIn(visit.cookies()).some((proof) => isValidProof(proof, id, special.password ?? '', seconds()));

  const check = async (typed: string, visit: Visit, { row, special }: SpecialLink): Promise<void> => {
    // One customer may have an IPv6 /48: 65,536 of the networks that other limits count.
    const network = visit.address()?.split(':').slice(0, 3).join(':');
    const ofLink = String(row);
    const ofAddress = `${row} ${network}`;
    const refuseMore = (): void => {
      const most = wrongByLink.peek(ofLink, slowAfter).exceeded ? mostWhenSlow : mostOfAddress;
      const limits = [
        network === undefined ? undefined : wrongByAddress.peek(ofAddress, most),
        wrongByLink.peek(ofLink, mostOfLink),
      ];
      const used = limits.find((limit) => limit?.exceeded);
      if (used === undefined) return;
      throw tooMany(used, now(), 'Too many wrong passwords were given for this link. Try again later.');
    };
    refuseMore();
    const requester = { group: row, member: network };
    if (await passwords.isRight(requester, typed, special.password ?? '', refuseMore)) return;
    if (network !== undefined) wrongByAddress.take(ofAddress, mostOfAddress);
    wrongByLink.take(ofLink, mostOfLink);
    throw new Failure('WRONG_PASSWORD');
  };

  /** To the same address, which the visitor then asks for by GET. */
  const sendAgain = (visit: Visit, cookie?: string): void => {
    const { path, query } = addressIn(visit.target);
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
        sendAgain(visit);
        return false;
      }
      await check(typed, visit, link);
      const proof = proofOf(link.id, link.special.password ?? '', seconds() + openFor);
      const secure = baseUrl().startsWith('https:') ? '; Secure' : '';
      sendAgain(visit, `${cookieName}=${proof}; Max-Age=${openFor}; HttpOnly; SameSite=Lax${secure}`);
      return false;
    },
  };
}

/** Cookies of `/shop` come to `/shop/sale` too, behind its own; each proves something of its own link alone. */
function proofsIn(header: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1))
    .slice(0, maxSegments);
}
