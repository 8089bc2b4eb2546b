import { type Html, html } from './html.ts';

/** Two folded strips that close into a link; drawn on whole pixels at 16. */
const shape = 'M2 1h9l4 4v5h-4V5H1V2a1 1 0 0 1 1-1Zm12 14H5l-4-4V6h4v5h10v3a1 1 0 0 1-1 1Z';

/** The mark in the colour of the text around it, without a name for screen readers: one stands next to it. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${shape}"/></svg>`;

/** The mark as a picture of its own, in the colour of the reader's theme. */
export const icon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>path{fill:#2f6f5e}` +
  `@media(prefers-color-scheme:dark){path{fill:#8fd0bb}}</style><path d="${shape}"/></svg>`;

/** The icon as a data URL, so that a page causes no other request. */
export const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`;
