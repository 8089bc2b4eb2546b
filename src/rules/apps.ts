import { appSchemeOf, isAllowedScheme, isForbiddenScheme } from '../model/app-schemes.ts';
import { type Problem, problem } from '../model/failures.ts';
import type { Destination } from '../model/links/destinations/destinations.ts';
import type { App, Apps, VisitFacts } from './rule.ts';

/** The app that a phone can open instead of the web page. */
export interface AppOffer {
  readonly appUrl: string;
  readonly storeUrl?: string | undefined;
  /**
   * Returns a redirect URL that opens the app or, if the app is not installed, its store page or the web page.
   * Undefined if a browser would show an error for such a redirect when the app is not installed. In that case, a page
   * must offer these choices.
   */
  readonly redirectFor?: (webUrl: string) => string;
}

/** Returns the app to offer for a visit; undefined to redirect to the web page. */
export type OfferApp = (facts: VisitFacts) => AppOffer | undefined;

/** Browsers that follow a redirect to an `intent:` URL and support its fallback URL. In-app browsers often do not. */
const intentBrowsers: ReadonlySet<string> = new Set([
  'chrome',
  'edge',
  'samsung',
  'firefox',
  'opera',
  'brave',
  'vivaldi',
]);

/** Compiles a rule's apps once for all visits. @param schemes URL schemes that the account currently allows */
export function compileApps({ ios, android }: Apps, schemes: ReadonlySet<string>): OfferApp {
  const onIos = ios && offerOf(ios, schemes);
  const onAndroid = android && offerOf(android, schemes);
  const byIntent = android && onAndroid && withIntent(android, onAndroid);
  return ({ os, class: visitor, browser }) => {
    if (visitor === 'bot' || visitor === 'preview') return undefined;
    if (os === 'ios') return onIos;
    if (os === 'android') return intentBrowsers.has(browser) ? byIntent : onAndroid;
    return undefined;
  };
}

function offerOf({ appUrl, storeUrl }: App, schemes: ReadonlySet<string>): AppOffer | undefined {
  const store = storeUrl === undefined ? undefined : new URL(storeUrl).href;
  const scheme = appSchemeOf(appUrl);
  if (scheme === 'https') {
    const link = new URL(appUrl).href;
    // If the app is not installed, the browser opens this URL as a web page.
    return store === undefined ? redirectTo(link) : { appUrl: link, storeUrl: store };
  }
  if (scheme !== undefined && isAllowedScheme(scheme, schemes)) return { appUrl, storeUrl: store };
  return store === undefined ? undefined : redirectTo(store);
}

function redirectTo(url: string): AppOffer {
  return { appUrl: url, redirectFor: () => url };
}

/**
 * Adds the redirect to an `intent:` URL. Android opens either the app or the fallback URL in that URL
 * (developer.chrome.com/docs/android/intents). For an https URL, the intent must name the app's package; otherwise the
 * browser opens the URL itself.
 */
function withIntent({ appUrl }: App, offer: AppOffer): AppOffer {
  if (offer.redirectFor !== undefined) return offer;
  const { storeUrl } = offer;
  const id = storeUrl === undefined ? undefined : playId(storeUrl);
  const scheme = appSchemeOf(appUrl);
  if (scheme === 'https' && id === undefined) return offer;
  const intent = `intent:${offer.appUrl.slice(offer.appUrl.indexOf(':') + 1)}#Intent;scheme=${scheme}`;
  const start = `${intent}${id === undefined ? '' : `;package=${id}`};S.browser_fallback_url=`;
  return { ...offer, redirectFor: (webUrl) => `${start}${encodeURIComponent(storeUrl ?? webUrl)};end` };
}

/** Returns the package name in a Google Play URL. */
function playId(storeUrl: string): string | undefined {
  const { hostname, searchParams } = new URL(storeUrl);
  const id = searchParams.get('id') ?? '';
  return hostname === 'play.google.com' && /^\w+(\.\w+)+$/.test(id) ? id : undefined;
}

export interface AppChecks {
  /** Checks a web URL against the rules for link destinations without placeholders. */
  readonly readPage: (url: string) => Destination | Problem;
  /** URL schemes that the account allows. */
  readonly appSchemes: Pick<ReadonlySet<string>, 'has'>;
}

/** Returns the validation errors for a rule's apps. @param field path of the apps, such as `rules[0].to.apps` */
export function appsProblems(apps: Apps | undefined, field: string, checks: AppChecks): Problem[] {
  if (apps === undefined) return [];
  const given = Object.entries(apps).filter(([, app]) => app !== undefined);
  if (given.length === 0) return [problem(field, 'missing', `${field} must have ios, android or both.`)];
  return given.flatMap(([platform, { appUrl, storeUrl }]) => [
    ...appUrlProblems(appUrl, `${field}.${platform}.appUrl`, checks),
    ...(storeUrl === undefined ? [] : pageProblems(storeUrl, `${field}.${platform}.storeUrl`, checks)),
  ]);
}

function appUrlProblems(appUrl: string, field: string, checks: AppChecks): Problem[] {
  const scheme = appSchemeOf(appUrl);
  if (scheme === undefined) {
    const text = `${field} must be a URL such as acme://item/1 or https://example.com/item/1, without spaces or placeholders. Percent-encode other characters.`;
    return [problem(field, 'invalid_format', text)];
  }
  if (scheme === 'https') return pageProblems(appUrl, field, checks);
  if (isForbiddenScheme(scheme)) {
    const text = `${field} must not use ${scheme}:. Use https or the scheme of your app.`;
    return [problem(field, 'not_allowed', text)];
  }
  if (isAllowedScheme(scheme, checks.appSchemes)) return [];
  const text = `${field} uses the scheme ${scheme}, which the account does not allow. An owner or admin can add it to appSchemes of the account.`;
  return [problem(field, 'not_allowed', text)];
}

function pageProblems(url: string, field: string, { readPage }: AppChecks): Problem[] {
  if (!/^https:/i.test(url) || /[{}]/.test(url)) {
    const text = `${field} must start with https:// and have no placeholders.`;
    return [problem(field, 'invalid_format', text)];
  }
  const read = readPage(url);
  if (!('reason' in read)) return [];
  return [problem(field, read.reason, read.message.replace(/^url\b/, field))];
}
