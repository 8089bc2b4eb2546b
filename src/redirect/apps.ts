import type { AppOffer } from '../rules/apps.ts';
import { isSingleUse } from '../rules/outcome.ts';
import type { SpecialLink } from './admission.ts';
import { appPage } from './pages/app.ts';
import { headersOf } from './pages/layout.ts';
import type { RedirectParts } from './parts.ts';
import { textsFor, wantsHtml } from './send.ts';
import type { Visit, Way } from './visit.ts';

/**
 * Returns true if a client can open an app. Only a browser that requests a page can open one. Other clients are
 * redirected to the web page.
 */
export function canOpenApp(visit: Visit, { special }: SpecialLink): boolean {
  const isNavigation =
    visit.method === 'GET' || visit.method === 'HEAD' || (visit.method === 'POST' && isSingleUse(special));
  return isNavigation && wantsHtml(visit);
}

/**
 * Creates the function that redirects to an app, or shows the page that offers the app. The function counts the visit
 * like any redirect. The argument `way` is the redirect to the web page.
 */
export function createOpenApp({ brandOf, outcomes, follow, fail }: RedirectParts) {
  return async (visit: Visit, link: SpecialLink, at: number, way: Way, app: AppOffer): Promise<void> => {
    const location = app.redirectFor?.(way.location);
    // After a form submission, redirects only to HTTPS URLs, because the form page's CSP blocks app schemes.
    const redirects = location !== undefined && (visit.method !== 'POST' || location.startsWith('https:'));
    if (redirects) return follow(visit, link, at, { ...way, location });
    try {
      const brand = await brandOf(link.account);
      const answer = (): void => {
        outcomes.redirected += 1;
        // Sets `Vary`, because other visitors of the same URL get a redirect.
        const headers = { ...headersOf(brand), vary: 'User-Agent, Accept-Language' };
        visit.send(200, headers, appPage(textsFor(visit), { ...app, webUrl: way.location }, brand));
      };
      follow(visit, link, at, { ...way, answer });
    } catch (error) {
      fail(visit, error);
    }
  };
}
