import { type Brand, brandContact } from './brand.ts';
import { fill, type Html, html } from './html.ts';
import { page } from './layout.ts';
import type { Texts } from './texts/languages.ts';

/** Details for the page about an unknown code on a golinks domain. */
export interface UnknownGolink {
  readonly host: string;
  /** URL of the dashboard page for creating the link. */
  readonly createUrl: string;
}

/**
 * Renders the page (status 404) for a code that no live link has.
 * @param code the requested code if it is valid, so that the visitor can spot a typo
 * @param golink set on golinks domains, where members can create the link and browsers can add a search engine
 */
export function notFoundPage(t: Texts, code?: string, golink?: UnknownGolink): string {
  const { title, nothing, code: text, create } = t.notFound;
  if (code === undefined) return messagePage(t, title, nothing);
  return page(
    t,
    title,
    html`<h1>${title}</h1>
<p>${fill(text, { code: html`<b>/${code}</b>` })}</p>
${golink === undefined ? undefined : html`<p class="facts"><a class="go" href="${golink.createUrl}" rel="nofollow">${create}</a></p>`}`,
    undefined,
    undefined,
    golink &&
      html`
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${golink.host}">`,
  );
}

/**
 * Reasons why a link currently does not work. The status is 410, or 404 if the link has not started or its template
 * does not expand to a valid URL for this visit.
 */
export type RefusalText =
  | 'expired'
  | 'notStarted'
  | 'exhausted'
  | 'unavailable'
  | 'unfilled'
  | 'refused'
  | 'tooLong';

const ofVisit: ReadonlySet<RefusalText> = new Set(['unfilled', 'refused', 'tooLong']);

/**
 * Renders the page for a link that currently does not work. The title states the reason. The owner can set the text.
 */
export function refusalPage(t: Texts, kind: RefusalText, brand?: Brand): string {
  const { title, text } = t[kind];
  return page(
    t,
    title,
    html`<h1>${title}</h1>
<p class="message">${ofVisit.has(kind) ? text : (brand?.message ?? text)}</p>
${brandContact(t, brand)}`,
    undefined,
    brand,
  );
}

/**
 * Renders the page (status 200) that asks for confirmation before following a one-time link, because preview fetchers
 * and mail scanners do not press buttons. Also used before excluding a browser from statistics or including it again.
 * The form is submitted to the page's own URL, including the query.
 */
export function buttonPage(t: Texts, kind: 'once' | 'exclude' | 'count', brand?: Brand): string {
  const { title, text } = t[kind];
  return page(
    t,
    title,
    html`<h1>${title}</h1>
<p>${text}</p>
<form method="post"><button class="go">${t.continue}</button></form>`,
    undefined,
    brand,
  );
}

/**
 * Renders the page (status 403) that asks for the link's password. The form is submitted to the page's own URL,
 * including the query.
 * @param isWrong true if the visitor entered a wrong password
 */
export function passwordPage(t: Texts, isWrong: boolean, brand?: Brand): string {
  const { title, text, label, wrong } = t.password;
  return page(
    t,
    title,
    html`<h1>${title}</h1>
<p>${text}</p>
<form method="post">
<label for="password">${label}</label>
<input id="password" name="password" type="password" maxlength="256" autocomplete="current-password" autocapitalize="none" spellcheck="false" required autofocus${{ markup: isWrong ? ' aria-invalid="true" aria-describedby="wrong"' : '' }}>
${isWrong ? html`<p class="wrong" id="wrong" role="alert">${wrong}</p>` : undefined}
<button class="go">${t.continue}</button>
</form>
${brandContact(t, brand)}`,
    undefined,
    brand,
  );
}

/**
 * Renders an error page with a title and a text.
 * @param facts details for the operator of this server, such as the status
 */
export function messagePage(t: Texts, title: string, text: string | Html, facts?: Html): string {
  return page(
    t,
    title,
    html`<h1>${title}</h1>
<p>${text}</p>
${facts === undefined ? undefined : html`<p class="facts">${facts}</p>`}`,
  );
}

/** Renders the page for an error that has no specific page. @param message English message from the API */
export function errorPage(t: Texts, status: number, message: string): string {
  const { title, status: facts } = t.failed;
  return messagePage(
    t,
    title,
    html`<span lang="en">${message}</span>`,
    fill(facts, { status: String(status) }),
  );
}

/**
 * Renders the short domain's root page, for visitors who typed only the domain or are unsure about a link.
 * @param hasReference whether to link to the API reference
 */
export function rootPage(t: Texts, hasReference = true): string {
  const { root } = t;
  return page(
    t,
    root.title,
    html`<h1>${root.heading}</h1>
<p>${root.text}</p>
<dl>
<dt>${root.page}</dt>
<dd>${root.pageHelp}</dd>
<dt>${root.unsure}</dt>
<dd>${fill(root.unsureHelp, { plus: html`<b>+</b>` })}</dd>
<dt>${root.making}</dt>
<dd>${
      hasReference
        ? fill(root.docsHelp, { docs: html`<a href="${t.base}/api/v1/docs">${root.docs}</a>` })
        : fill(root.apiHelp, { api: html`<a href="${t.base}/api/v1/openapi.json">${root.api}</a>` })
    }</dd>
</dl>`,
    html`Linkfold`,
  );
}

export interface Preview {
  /** The short code in its original letter case. */
  readonly code: string;
  /**
   * The destination as an ASCII URL. Non-Latin hosts appear as Punycode, so that look-alikes cannot deceive visitors.
   * The URL is undefined if the visit lacks values for the link's template.
   */
  readonly location: string | undefined;
  /** The URL template, if the destination has placeholders. */
  readonly template?: string | undefined;
  readonly title?: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number;
}

/** Renders the preview at `/code+`, which shows the destination without redirecting (CONTRACT §6). */
export function previewPage(
  t: Texts,
  { code, location, template, title, createdAt }: Preview,
  brand?: Brand,
): string {
  const name = html`<b>/${code}</b>`;
  const filledIn =
    template !== undefined &&
    html`<p>${fill(t.preview.template, { code: name })}</p>
<p class="slip"><span>${template}</span></p>`;
  if (location === undefined)
    return page(
      t,
      t.preview.title.replace('{code}', () => code),
      html`<h1>${t.preview.title.replace('{code}', () => `/${code}`)}</h1>
${filledIn || undefined}`,
      undefined,
      brand,
    );
  const { before, host, after } = splitAtHost(location);
  const date = createdAt === undefined ? undefined : new Date(createdAt).toISOString();
  const made =
    date === undefined
      ? undefined
      : fill(t.preview.made, { date: html`<time datetime="${date}">${date.slice(0, 10)}</time>` });
  return page(
    t,
    t.preview.title.replace('{code}', () => code),
    html`<h1>${title ?? fill(t.preview.heading, { host })}</h1>
${filledIn || undefined}
<p>${fill(t.preview.text, { code: name })}</p>
<p class="slip"><span>${before}<b>${host}</b>${after}</span></p>
<a class="go" href="${location}" rel="noreferrer noopener">${fill(t.preview.go, { host })}</a>
${made === undefined ? undefined : html`<p class="facts">${made}</p>`}`,
    undefined,
    brand,
  );
}

/** Splits a serialized http(s) URL into the host with its port, the part before it and the part after it. */
function splitAtHost(location: string): { before: string; host: string; after: string } {
  const { protocol, host } = new URL(location);
  const before = `${protocol}//`;
  return { before, host, after: location.slice(before.length + host.length) };
}
