import { tonesOf } from '../../qr/tones.ts';
import { fill, type Html, html } from './html.ts';
import type { Texts } from './texts/languages.ts';

/** What a page shows of the account whose link it is about; null stands for nothing of that kind. */
export interface Brand {
  readonly name: string | null;
  /** `#rrggbb`. */
  readonly accent: string | null;
  /** A data URL of a picture. */
  readonly logo: string | null;
  readonly message: string | null;
  /** A `mailto:` or `https:` URL. */
  readonly contact: string | null;
}

/** The colours of a brand, after the style of all pages; empty when it has none. */
export function brandStyle(brand: Brand | undefined): string {
  if (brand === undefined || brand.accent === null) return '';
  const { accent } = brand;
  const { onAccent, hover, onLight, onDark } = tonesOf(accent);
  return `:root{--accent:${onLight};--tint:color-mix(in srgb,${accent} 14%,var(--card))}
@media(prefers-color-scheme:dark){:root{--accent:${onDark}}}
.go{background:${accent};color:${onAccent};box-shadow:inset 0 0 0 1px var(--accent)}.go:hover{background:${hover}}`;
}

/** What a brand adds to the head of a page. */
export function brandHead(brand: Brand | undefined): Html | undefined {
  const style = brandStyle(brand);
  return style === '' ? undefined : html`<style>${{ markup: style }}</style>`;
}

/** What stands above a page; undefined when the brand has neither logo nor name. */
export function brandHeader(brand: Brand | undefined): Html | undefined {
  if (brand?.logo) return html`<img class="logo" src="${brand.logo}" alt="${brand.name ?? ''}">`;
  return brand?.name ? html`<p class="name">${brand.name}</p>` : undefined;
}

/** How visitors reach the owner of a link. */
export function brandContact(t: Texts, brand: Brand | undefined): Html | undefined {
  if (!brand?.contact) return undefined;
  const { protocol, pathname, host } = new URL(brand.contact);
  const shown = protocol === 'mailto:' ? pathname : host;
  const contact = html`<a href="${brand.contact}" rel="noreferrer noopener">${shown}</a>`;
  return html`<p class="facts">${fill(t.contact, { contact })}</p>`;
}
