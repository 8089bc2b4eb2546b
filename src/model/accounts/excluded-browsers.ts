import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Marks browsers whose visits an account does not count. The mark is a cookie on each domain. It identifies the
 * account, but not the person. Signed URLs on the domain set and remove the cookie.
 */
export interface ExcludedBrowsers {
  /**
   * Returns the path of a signed URL that marks or unmarks the browser that opens it.
   * @param until when the URL expires, in seconds since the epoch
   */
  path(change: MarkChange, until: number): string;
  /**
   * Parses the path of a signed URL and verifies its signature.
   * @param host requested host; empty for the shared domain
   * @param now current time in seconds since the epoch
   * @returns undefined if this installation did not sign the path for the host
   */
  read(path: string, host: string, now: number): SignedChange | undefined;
  /** Returns the cookie, as `name=value`, that marks a browser for an account on a domain. */
  cookie(account: number, host: string): string;
  /** Returns true if a `Cookie` header contains an account's valid exclusion cookie for a domain. */
  includes(cookies: string, account: number, host: string): boolean;
}

export interface MarkChange {
  readonly account: number;
  /** Host of the domain that the cookie is for; empty for the shared domain. */
  readonly host: string;
  /** True if visits from the browser are excluded from now on, false if they are counted again. */
  readonly excludes: boolean;
}

interface SignedChange extends MarkChange {
  readonly isExpired: boolean;
}

const folder = '/.well-known/linkfold-visits/';
const signed =
  /^(?<account>[1-9]\d{0,15})\.(?<change>exclude|count)\.(?<until>[1-9]\d{0,11})\.(?<mac>[\w-]{43})$/;

/**
 * @param secret returns the installation's secret. Called on first use, because the secret may have to be generated.
 */
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
      // Checks all cookies, because sibling hosts can set cookies with this name, and browsers may send those first.
      const given = cookies.split(';').map((pair) => pair.trim());
      return includesText(given, () => start + markOf(account, host));
    },
  };
}

/**
 * Returns true if one of the given strings equals the expected string. Compares in constant time. Returns false if
 * `expected` throws because the secret cannot be read, so that a visitor's input cannot make the redirect fail.
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
