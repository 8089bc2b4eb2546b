import { tonesOf } from '../../qr/tones.ts';
import { fill, type Html, html } from './html.ts';
import type { Texts } from './texts/languages.ts';

/** Branding of the link's account. A field is null if it is not set. */
export interface Brand {
  readonly name: string | null;
  /** Accent color as `#rrggbb`. */
  readonly accent: string | null;
  /** Logo image as a data URL. */
  readonly logo: string | null;
  readonly message: string | null;
  /** A `mailto:` or `https:` URL. */
  readonly contact: string | null;
}

/**
 * Returns the CSS for a brand's colors, to append to the shared style sheet; empty if the brand has no accent color.
 */
export function brandStyle(brand: Brand | undefined): string {
  if (brand === undefined || brand.accent === null) return '';
  const { accent } = brand;
  const { onAccent, hover, onLight, onDark } = tonesOf(accent);
  return `:root{--accent:${onLight};--tint:color-mix(in srgb,${accent} 14%,var(--card))}
@media(prefers-color-scheme:dark){:root{--accent:${onDark}}}
.go{background:${accent};color:${onAccent};box-shadow:inset 0 0 0 1px var(--accent)}.go:hover{background:${hover}}`;
}

/** Returns the elements that a brand adds to the `<head>` of a page. */
export function brandHead(brand: Brand | undefined): Html | undefined {
  const style = brandStyle(brand);
  return style === '' ? undefined : html`<style>${{ markup: style }}</style>`;
}

/** Returns the header of a branded page; undefined if the brand has neither logo nor name. */
export function brandHeader(brand: Brand | undefined): Html | undefined {
  if (brand?.logo) return html`<img class="logo" src="${brand.logo}" alt="${brand.name ?? ''}">`;
  return brand?.name ? html`<p class="name">${brand.name}</p>` : undefined;
}

/** Returns the line with the link owner's contact details. */
export function brandContact(t: Texts, brand: Brand | undefined): Html | undefined {
  if (!brand?.contact) return undefined;
  const { protocol, pathname, host } = new URL(brand.contact);
  const shown = protocol === 'mailto:' ? pathname : host;
  const contact = html`<a href="${brand.contact}" rel="noreferrer noopener">${shown}</a>`;
  return html`<p class="facts">${fill(t.contact, { contact })}</p>`;
}
