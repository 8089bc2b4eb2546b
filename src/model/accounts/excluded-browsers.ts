import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Browsers whose visits an account does not count. A browser is marked by a cookie on each domain, which names the
 * account and no person. A signed URL of the domain sets and removes the cookie.
 */
export interface ExcludedBrowsers {
  /** Returns the path that changes the mark of a browser. @param until expiry, seconds since the epoch */
  path(change: MarkChange, until: number): string;
  /**
   * Reads the path of a request.
   * @param host of the requested domain; empty for the shared one
   * @param now seconds since the epoch
   * @returns undefined for any path that this installation did not sign for the host
   */
  read(path: string, host: string, now: number): SignedChange | undefined;
  /** Returns name and value of the cookie that marks a browser for an account on a domain. */
  cookie(account: number, host: string): string;
  /** Returns true if a `Cookie` header contains the mark of an account on a domain. */
  includes(cookies: string, account: number, host: string): boolean;
}

export interface MarkChange {
  readonly account: number;
  /** Domain on which the browser is marked; empty for the shared one. */
  readonly host: string;
  /** Whether visits of the browser are excluded from now on, or counted again. */
  readonly excludes: boolean;
}

interface SignedChange extends MarkChange {
  readonly isExpired: boolean;
}

const folder = '/.well-known/linkfold-visits/';
const signed =
  /^(?<account>[1-9]\d{0,15})\.(?<change>exclude|count)\.(?<until>[1-9]\d{0,11})\.(?<mac>[\w-]{43})$/;

/** @param secret secret of the installation; only called once it is needed, as it may have to be generated */
export function createExcludedBrowsers(secret: () => string): ExcludedBrowsers {
  let key: Buffer | undefined;
  const sign = (text: string): string => {
    key ??= Buffer.from(hkdfSync('sha256', secret(), '', 'linkfold excluded browsers', 32));
    return createHmac('sha256', key).update(text).digest('base64url');
  };
  const path = ({ account, host, excludes }: MarkChange, until: number): string => {
    const text = `${account}.${excludes ? 'exclude' : 'count'}.${until}`;
    return `${folder}${text}.${sign(`url ${host} ${text}`)}`;
  };
  const nameOf = (account: number): string => `linkfold_uncounted_${account}`;
  const markOf = (account: number, host: string): string => sign(`cookie ${host} ${account}`);
  return {
    path,
    read(asked, host, now) {
      const { groups } = signed.exec(asked.startsWith(folder) ? asked.slice(folder.length) : '') ?? {};
      if (groups === undefined) return undefined;
      const until = Number(groups['until']);
      const change = { account: Number(groups['account']), host, excludes: groups['change'] === 'exclude' };
      return includesText([asked], () => path(change, until))
        ? { ...change, isExpired: until <= now }
        : undefined;
    },
    cookie: (account, host) => `${nameOf(account)}=${markOf(account, host)}`,
    includes(cookies, account, host) {
      const start = `${nameOf(account)}=`;
      if (!cookies.includes(start)) return false;
      // Other hosts of the same site can set cookies of this name too, and browsers may send those first.
      const given = cookies.split(';').map((pair) => pair.trim());
      return includesText(given, () => start + markOf(account, host));
    },
  };
}

/**
 * Returns true if one of the given texts is the expected one, in constant time. Visitors send any text, so a secret that
 * cannot be read must not fail their visit: nothing is signed with it.
 */
function includesText(given: readonly string[], expected: () => string): boolean {
  let sought: Buffer;
  try {
    sought = Buffer.from(expected());
  } catch {
    return false;
  }
  return given
    .map((text) => Buffer.from(text))
    .some((text) => text.length === sought.length && timingSafeEqual(text, sought));
}
