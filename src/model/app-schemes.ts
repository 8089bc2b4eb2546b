/** Maximum number of app schemes per account. */
export const maxAppSchemes = 20;

/** Matches a URL scheme (RFC 3986, section 3.1) in lower case with 2 to 50 characters. */
export const appSchemePattern = /^[a-z][a-z0-9+.-]{1,49}$/;

/**
 * Schemes that no account can allow: they run scripts, open local files or internal browser pages, choose their own
 * target (`intent`), install software, or are standard web schemes.
 */
const forbidden: ReadonlySet<string> = new Set([
  ...['about', 'blob', 'data', 'file', 'filesystem', 'javascript', 'vbscript', 'view-source', 'jar'],
  ...['http', 'https', 'ws', 'wss', 'ftp', 'ftps', 'mhtml', 'livescript', 'mocha'],
  ...['android-app', 'android.resource', 'content', 'intent', 'itms-services', 'resource'],
  ...['brave', 'chrome', 'chrome-extension', 'edge', 'googlechrome', 'googlechromes'],
  ...['microsoft-edge', 'microsoft-edge-http', 'microsoft-edge-https', 'moz-extension', 'moz-icon'],
  ...['firefox', 'firefox-focus', 'firefox-klar', 'fenix', 'opera', 'opera-http', 'opera-https', 'vivaldi'],
  ...['touch-http', 'touch-https', 'ddgquicklink', 'safari-web-extension', 'x-safari-http', 'x-safari-https'],
]);

/** Returns true if no account can allow a scheme. @param scheme in lower case */
export function isForbiddenScheme(scheme: string): boolean {
  return forbidden.has(scheme);
}

// Allows only URI characters (RFC 3986), so that all parsers interpret the URL in the same way.
const appUrl = /^([a-z][a-z0-9+.-]*):[\w!#$%&'()*+,./:;=?@[\]~-]+$/i;

/** Returns an app URL's scheme in lower case, or undefined if the string is not a valid URL. */
export function appSchemeOf(text: string): string | undefined {
  return appUrl.exec(text)?.[1]?.toLowerCase();
}

/** Returns true if an account allows a scheme. @param scheme in lower case */
export function isAllowedScheme(scheme: string, allowed: Pick<ReadonlySet<string>, 'has'>): boolean {
  return allowed.has(scheme) && !isForbiddenScheme(scheme);
}
