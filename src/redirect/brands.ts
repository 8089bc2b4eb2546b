import type { Branding } from '../model/accounts/branding.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Reads } from '../model/storage.ts';

/** How long a process caches branding and inherited URLs, ms. After this time, every process uses a change. */
const cacheMs = 1_000;
/** Maximum number of accounts whose branding is cached, up to 50 kB each. */
const maxBrandings = 100;
/** Maximum number of links whose inherited URL is cached, 2 kB each. */
const maxUrls = 1_000;
/** Maximum time that a visitor waits for the branding of a page, ms. */
const readTimeoutMs = 1_000;

/** @returns the branding of an account; undefined if there is none or storage cannot be read. Never rejects. */
export type BrandOf = (account: number) => Promise<Branding | undefined>;

export type BrandReads = Pick<Reads, 'branding' | 'inheritedExpiredUrl'>;

export interface Brands {
  readonly brandOf: BrandOf;
  /**
   * Returns the expired URL that a link inherits: from its folder, or else its domain, or else its account.
   * @param row of the link
   * @returns undefined if none is set or storage cannot be read. Never rejects.
   */
  readonly inheritedUrl: (account: number, row: number) => Promise<string | undefined>;
}

/**
 * Reads the branding of an account and the expired URL that a link inherits. Caches both for one second, so that
 * processes need not notify each other of changes.
 */
export function createBrands(storage: BrandReads, now: () => number): Brands {
  return {
    brandOf: cacheFor((account) => storage.branding(account), now, maxBrandings),
    inheritedUrl: cacheFor((account, row) => storage.inheritedExpiredUrl(account, row), now, maxUrls),
  };
}

/** Caches the results of a read for one second. @param maxCached maximum number of cached results */
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
    return undefined; // the visitor gets the page without branding
  } finally {
    clearTimeout(timer);
  }
}
