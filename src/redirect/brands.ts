import type { Branding } from '../model/accounts/branding.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Reads } from '../model/storage.ts';

/** For how long a process shows what it has read: what is put is seen everywhere after this time. */
const freshMs = 1_000;
/** Maximum number of accounts whose branding is held, of up to 50 kB each. */
const mostBrandings = 100;
/** Maximum number of links of which it is held where their visitors go, 2 kB each. */
const mostUrls = 1_000;
/** A visitor does not wait longer for what a page looks like. */
const patienceMs = 1_000;

/** @returns the branding of an account; undefined when there is none, or storage does not say it now. Never rejects. */
export type BrandOf = (account: number) => Promise<Branding | undefined>;

export type BrandReads = Pick<Reads, 'branding' | 'inheritedExpiredUrl'>;

export interface Brands {
  readonly brandOf: BrandOf;
  /**
   * Where visitors go of a link that has ended and says nothing of that itself: as its folder says, else its domain, else its
   * account.
   * @param row of the link
   * @returns undefined when they say nothing either, or storage does not say it now. Never rejects.
   */
  readonly inheritedUrl: (account: number, row: number) => Promise<string | undefined>;
}

/**
 * Reads what is not of a link alone as pages need it, once a second for each account and each link however many visitors come.
 * It lasts for a second, so no change of it has to be told to other processes.
 */
export function createBrands(storage: BrandReads, now: () => number): Brands {
  return {
    brandOf: hold((account) => storage.branding(account), now, mostBrandings),
    inheritedUrl: hold((account, row) => storage.inheritedExpiredUrl(account, row), now, mostUrls),
  };
}

/** What a read says, read again after a second. @param most answers that are held */
function hold<Key extends readonly number[], T>(
  read: (...key: Key) => MaybePromise<T | undefined>,
  now: () => number,
  most: number,
): (...key: Key) => Promise<T | undefined> {
  const held = new Map<string, { readonly at: number; readonly answer: Promise<T | undefined> }>();
  return (...key) => {
    const at = now();
    const name = key.join();
    const known = held.get(name);
    if (known !== undefined && Math.abs(at - known.at) < freshMs) return known.answer;
    const answer = withinDeadline(() => read(...key));
    held.delete(name);
    held.set(name, { at, answer });
    const [oldest] = held.keys();
    if (held.size > most && oldest !== undefined) held.delete(oldest);
    return answer;
  };
}

async function withinDeadline<T>(read: () => MaybePromise<T | undefined>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    return await Promise.race([read(), tooLate]);
  } catch {
    return undefined; // the page is shown as it is without
  } finally {
    clearTimeout(timer);
  }
}
