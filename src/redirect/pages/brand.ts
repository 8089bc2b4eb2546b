import { tonesOf } from '../../qr/tones.ts';
import { fill, type Html, html } from './html.ts';
import type { Texts } from './texts/languages.ts';

/** Branding of the link's account; null where nothing is set. */
export interface Brand {
  readonly name: string | null;
  /** `#rrggbb`. */
  readonly accent: string | null;
  /** Image as a data URL. */
  readonly logo: string | null;
  readonly message: string | null;
  /** A `mailto:` or `https:` URL. */
  readonly contact: string | null;
}

/** Returns the style of a brand's colours, to append to the common style; empty if it has none. */
export function brandStyle(brand: Brand | undefined): string {
  if (brand === undefined || brand.accent === null) return '';
  const { accent } = brand;
  const { onAccent, hover, onLight, onDark } = tonesOf(accent);
  return `:root{--accent:${onLight};--tint:color-mix(in srgb,${accent} 14%,var(--card))}
@media(prefers-color-scheme:dark){:root{--accent:${onDark}}}
.go{background:${accent};color:${onAccent};box-shadow:inset 0 0 0 1px var(--accent)}.go:hover{background:${hover}}`;
}

/** Returns the elements that a brand adds to a page's head. */
export function brandHead(brand: Brand | undefined): Html | undefined {
  const style = brandStyle(brand);
  return style === '' ? undefined : html`<style>${{ markup: style }}</style>`;
}

/** Returns the header of a branded page; undefined without logo and name. */
export function brandHeader(brand: Brand | undefined): Html | undefined {
  if (brand?.logo) return html`<img class="logo" src="${brand.logo}" alt="${brand.name ?? ''}">`;
  return brand?.name ? html`<p class="name">${brand.name}</p>` : undefined;
}

/** Returns the line with the contact of the link's owner. */
export function brandContact(t: Texts, brand: Brand | undefined): Html | undefined {
  if (!brand?.contact) return undefined;
  const { protocol, pathname, host } = new URL(brand.contact);
  const shown = protocol === 'mailto:' ? pathname : host;
  const contact = html`<a href="${brand.contact}" rel="noreferrer noopener">${shown}</a>`;
  return html`<p class="facts">${fill(t.contact, { contact })}</p>`;
}
