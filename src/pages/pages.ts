import { html } from './html.ts';
import { page } from './layout.ts';

/** 404: no live link has the code. */
export const notFoundPage = (): string =>
  messagePage(
    'This link does not exist',
    'Not found',
    'Check the address for a typing mistake, or ask whoever gave it to you.',
  );

/** 410: the link had an end, and it has passed. */
export const expiredPage = (): string =>
  messagePage(
    'This link has expired',
    'Expired',
    'It worked until the date its owner had set. Ask them for a new one.',
  );

/** Any other refusal that a visitor may meet. */
export const messagePage = (title: string, eyebrow: string, text: string): string =>
  page(
    title,
    eyebrow,
    html`<h1>${title}</h1>
<p>${text}</p>`,
  );

/** The root of the short domain. */
export const rootPage = (): string =>
  page(
    'Short links',
    'Linkfold',
    html`<h1>Short links that are never lost</h1>
<p>This is a Linkfold server: it makes short links, counts their clicks and sends visitors where they want to go.</p>
<p class="facts"><a href="/api/v1/openapi.json">API description (OpenAPI)</a></p>`,
  );

export interface Preview {
  /** The short code as it was asked for. */
  readonly code: string;
  /** The destination as an ASCII URL: a foreign script in its host shows as punycode, and deceives nobody. */
  readonly location: string;
  readonly title?: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number;
}

/** `/code+`: where a link leads, without going there (CONTRACT §6). */
export const previewPage = ({ code, location, title, createdAt }: Preview): string => {
  const { before, host, after } = splitAtHost(location);
  const date = createdAt === undefined ? undefined : new Date(createdAt).toISOString();
  const made =
    date === undefined
      ? undefined
      : html`<p class="facts">Made on <time datetime="${date}">${date.slice(0, 10)}</time>.</p>`;
  return page(
    `Where ${code} leads`,
    `Preview of ${code}`,
    html`<h1>${title ?? `This link leads to ${host}`}</h1>
<p class="url">${before}<b>${host}</b>${after}</p>
<a class="go" href="${location}" rel="noreferrer noopener">Go to ${host}</a>
${made}`,
  );
};

/** Cuts a serialized http(s) URL around its host and port. */
const splitAtHost = (location: string): { before: string; host: string; after: string } => {
  const { protocol, host } = new URL(location);
  const before = `${protocol}//`;
  return { before, host, after: location.slice(before.length + host.length) };
};
