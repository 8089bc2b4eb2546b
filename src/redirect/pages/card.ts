import type { Brand } from './brand.ts';
import { fill, type Html, html } from './html.ts';
import { page } from './layout.ts';
import type { Texts } from './texts/languages.ts';

export interface CardPage {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly image?: string | undefined;
  readonly shortUrl: string;
}

/**
 * Renders the preview card (status 200) for social networks and chat apps, with Open Graph and X (Twitter) tags. The
 * card also links to the link's preview page, for people whose client was mistaken for a preview fetcher.
 */
export function cardPage(t: Texts, { title, description, image, shortUrl }: CardPage, brand?: Brand): string {
  const shown = shortUrl.replace(/^https?:\/\//, '');
  const name = title ?? shown;
  const picture = image === undefined ? undefined : new URL(image.trim()).href;
  const head = html`
<link rel="canonical" href="${shortUrl}">
<meta property="og:type" content="website">
<meta property="og:url" content="${shortUrl}">
<meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}">${tags('title', name)}${tags('description', description)}${tags('image', picture)}`;
  return page(
    t,
    name,
    html`<h1>${name}</h1>
${description === undefined ? undefined : html`<p>${description}</p>`}
<p class="facts"><a href="${shortUrl}+">${fill(t.preview.title, { code: shown })}</a></p>`,
    undefined,
    brand,
    head,
  );
}

function tags(name: string, content: string | undefined): Html | undefined {
  if (content === undefined) return undefined;
  const plain = name === 'description' ? html`\n<meta name="description" content="${content}">` : undefined;
  return html`${plain}
<meta property="og:${name}" content="${content}">
<meta name="twitter:${name}" content="${content}">`;
}
