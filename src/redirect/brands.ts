import type { Branding } from '../model/accounts/branding.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Reads } from '../model/storage.ts';

/**
 * How long a process caches branding and inherited URLs, in milliseconds. A change reaches every process within this
 * time.
 */
const cacheMs = 1_000;
/** Maximum number of accounts whose branding is cached. Each branding takes up to 50 kB. */
const maxBrandings = 100;
/** Maximum number of links whose inherited URL is cached. Each URL takes up to 2 kB. */
const maxUrls = 1_000;
/** Maximum time in milliseconds that a visitor waits for a page's branding. */
const readTimeoutMs = 1_000;

/** Returns an account's branding; undefined if there is none or storage cannot be read. The promise never rejects. */
export type BrandOf = (account: number) => Promise<Branding | undefined>;

export type BrandReads = Pick<Reads, 'branding' | 'inheritedExpiredUrl'>;

export interface Brands {
  readonly brandOf: BrandOf;
  /**
   * Returns the `expiredUrl` that a link inherits from its folder, else from its domain, else from its account.
   * @param row the link's row number
   * @returns undefined if no URL is set or storage cannot be read. The promise never rejects.
   */
  readonly inheritedUrl: (account: number, row: number) => Promise<string | undefined>;
}

/**
 * Creates the functions that read an account's branding and a link's inherited `expiredUrl`. Results are cached for one
 * second, so that processes do not have to notify each other of changes.
 */
export function createBrands(storage: BrandReads, now: () => number): Brands {
  return {
    brandOf: cacheFor((account) => storage.branding(account), now, maxBrandings),
    inheritedUrl: cacheFor((account, row) => storage.inheritedExpiredUrl(account, row), now, maxUrls),
  };
}

/** Wraps `read` and caches its results for one second. @param maxCached maximum number of cached results */
function cacheFor<Key extends readonly number[], T>(
  read: (...key: Key) => MaybePromise<T | undefined>,
  now: () => number,
  maxCached: number,
): (...key: Key) => Promise<T | undefined> {
  const held = new Map<string, { readonly at: number; readonly answer: Promise<T | undefined> }>();
  return (...key) => {
    const at = now();
    const name = key.join();
    const known = held.get(name);
    if (known !== undefined && Math.abs(at - known.at) < cacheMs) return known.answer;
    const answer = withinDeadline(() => read(...key));
    held.delete(name);
    held.set(name, { at, answer });
    const [oldest] = held.keys();
    if (held.size > maxCached && oldest !== undefined) held.delete(oldest);
    return answer;
  };
}

async function withinDeadline<T>(read: () => MaybePromise<T | undefined>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), readTimeoutMs);
  });
  try {
    return await Promise.race([read(), tooLate]);
  } catch {
    return undefined; // the page is shown without branding
  } finally {
    clearTimeout(timer);
  }
}
