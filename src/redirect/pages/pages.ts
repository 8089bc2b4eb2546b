import { type Brand, brandContact } from './brand.ts';
import { html } from './html.ts';
import { page } from './layout.ts';

/**
 * 404: no live link has the code.
 * @param code the requested one, when it could be a code, so that the visitor sees a typing error
 */
export function notFoundPage(code?: string): string {
  const title = 'This link does not exist';
  if (code === undefined) return messagePage(title, 'There is nothing at this address.');
  return page(
    title,
    html`<h1>${title}</h1>
<p>There is no short link <b>/${code}</b> here. Compare it with the place it comes from, letter by letter, or ask for a new one there. Upper and lower case make no difference.</p>`,
  );
}

/** 410: the link had an end, and it has passed. */
export function expiredPage(brand?: Brand): string {
  return refusalPage(
    brand,
    'This link has expired',
    'It worked until a date that its owner had set. Ask them for a new one.',
  );
}

/** 404: the link has a beginning, and it has not come. */
export function notStartedPage(brand?: Brand): string {
  return refusalPage(
    brand,
    'This link does not work yet',
    'Its owner has set a time from which it works. Come back later.',
  );
}

/** 410: it was followed as often as it may be. */
export function exhaustedPage(brand?: Brand): string {
  return refusalPage(
    brand,
    'This link is used up',
    'Its owner has limited how often it may be followed. Ask them for a new one.',
  );
}

/**
 * 200: the link can be followed once. The button does it, as fetchers of previews and scanners of mail press none. The
 * form goes to the page's own address, with its query.
 */
export function oncePage(brand?: Brand): string {
  const title = 'This link works once';
  return page(
    title,
    html`<h1>${title}</h1>
<p>It leads on when you press the button, and never again. If you only want to look, close this page.</p>
<form method="post"><button class="go">Continue</button></form>`,
    undefined,
    brand,
  );
}

/**
 * 403: the link has a password. The form goes to the page's own address, with its query.
 * @param isWrong whether one was given already
 */
export function passwordPage(isWrong: boolean, brand?: Brand): string {
  const title = 'This link has a password';
  const wrong = html`<p class="wrong" id="wrong" role="alert">That is not the password. Upper and lower case make a difference.</p>`;
  return page(
    title,
    html`<h1>${title}</h1>
<p>Type it to go on. If you do not know it, ask where you got the link.</p>
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" maxlength="256" autocomplete="current-password" autocapitalize="none" spellcheck="false" required autofocus${{ markup: isWrong ? ' aria-invalid="true" aria-describedby="wrong"' : '' }}>
${isWrong ? wrong : undefined}
<button class="go">Continue</button>
</form>
${brandContact(brand)}`,
    undefined,
    brand,
  );
}

/** 410: its owner has switched the link off, or keeps it from visitors such as this one. */
export function unavailablePage(brand?: Brand): string {
  return refusalPage(
    brand,
    'This link is not available',
    'Its owner has switched it off, or does not offer it here.',
  );
}

/** A link that does not work now: the title says why, and its owner may say the rest in words of their own. */
function refusalPage(brand: Brand | undefined, title: string, text: string): string {
  return page(
    title,
    html`<h1>${title}</h1>
<p class="message">${brand?.message ?? text}</p>
${brandContact(brand)}`,
    undefined,
    brand,
  );
}

/**
 * Any other refusal that a visitor may meet.
 * @param facts details for the operator of the service, such as the status
 */
export function messagePage(title: string, text: string, facts?: string): string {
  return page(
    title,
    html`<h1>${title}</h1>
<p>${text}</p>
${facts === undefined ? undefined : html`<p class="facts">${facts}</p>`}`,
  );
}

/**
 * The root of the short domain, for visitors that typed only the domain or wonder where a link leads.
 * @param hasReference whether there is a page with the API's documentation to link to
 */
export function rootPage(hasReference = true): string {
  return page(
    'Short links',
    html`<h1>This is where short links live</h1>
<p>Each one leads to an address that its owner has chosen.</p>
<dl>
<dt>Looking for a page?</dt>
<dd>Type the whole short link. The part after the slash says where it leads.</dd>
<dt>Not sure about a link?</dt>
<dd>Put a <b>+</b> behind it. That shows where it leads, without going there.</dd>
<dt>Making short links?</dt>
<dd>${
      hasReference
        ? html`The <a href="/api/v1/docs">documentation</a> shows how, with every call to try out.`
        : html`The <a href="/api/v1/openapi.json">description of the API</a> says how, for programs.`
    }</dd>
</dl>`,
    html`Linkfold`,
  );
}

export interface Preview {
  /** The short code as it was made. */
  readonly code: string;
  /** The destination as an ASCII URL: a foreign script in its host shows as punycode, and deceives no reader. */
  readonly location: string;
  readonly title?: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number;
}

/** `/code+`: where a link leads, without going there (CONTRACT §6). */
export function previewPage({ code, location, title, createdAt }: Preview, brand?: Brand): string {
  const { before, host, after } = splitAtHost(location);
  const date = createdAt === undefined ? undefined : new Date(createdAt).toISOString();
  const made =
    date === undefined
      ? undefined
      : html`<p class="facts">Made on <time datetime="${date}">${date.slice(0, 10)}</time>.</p>`;
  return page(
    `Where ${code} leads`,
    html`<h1>${title ?? `This link leads to ${host}`}</h1>
<p>The short link <b>/${code}</b> leads to this address:</p>
<p class="slip"><span>${before}<b>${host}</b>${after}</span></p>
<a class="go" href="${location}" rel="noreferrer noopener">Go to ${host}</a>
${made}`,
    undefined,
    brand,
  );
}

/** Cuts a serialized http(s) URL around its host and port. */
function splitAtHost(location: string): { before: string; host: string; after: string } {
  const { protocol, host } = new URL(location);
  const before = `${protocol}//`;
  return { before, host, after: location.slice(before.length + host.length) };
}
