import type { Brand } from './brand.ts';
import { fill, html } from './html.ts';
import { page } from './layout.ts';
import type { Texts } from './texts/languages.ts';

export interface AppPage {
  /** URL that opens the app. */
  readonly appUrl: string;
  readonly storeUrl?: string | undefined;
  readonly webUrl: string;
}

/**
 * Renders the page (status 200) with links to the app, its store page and the web page. The page does not open the app
 * with a script: most browsers cannot tell whether the app is installed, and show an error if it is not. Safari can
 * tell, and shows its own banner.
 */
export function appPage(t: Texts, { appUrl, storeUrl, webUrl }: AppPage, brand?: Brand): string {
  const { title, text, open, store, web } = t.app;
  const id = storeUrl && appStoreId(storeUrl);
  const host = html`<b>${new URL(webUrl).host}</b>`;
  // Encodes commas, because they separate the values in the banner's `meta` element.
  const banner =
    id &&
    html`
<meta name="apple-itunes-app" content="app-id=${id}, app-argument=${appUrl.replaceAll(',', '%2C')}">`;
  return page(
    t,
    title,
    html`<h1>${title}</h1>
<p>${text}</p>
<p class="facts"><a class="go" href="${appUrl}" rel="noreferrer noopener">${open}</a></p>
${storeUrl === undefined ? undefined : html`<p class="facts"><a href="${storeUrl}" rel="noreferrer noopener">${store}</a></p>`}
<p class="facts"><a href="${webUrl}" rel="noreferrer noopener">${fill(web, { host })}</a></p>`,
    undefined,
    brand,
    banner || undefined,
  );
}

/** Returns the app ID from an App Store URL. */
function appStoreId(storeUrl: string): string | undefined {
  return /^https:\/\/(?:apps|itunes)\.apple\.com\/(?:[^?#]*\/)?id(\d+)/.exec(storeUrl)?.[1];
}
