import { type Html, html } from './html.ts';

/** Logo: two folded strips that form a link, aligned to whole pixels at size 16. */
const shape = 'M2 1h9l4 4v5h-4V5H1V2a1 1 0 0 1 1-1Zm12 14H5l-4-4V6h4v5h10v3a1 1 0 0 1-1 1Z';

/** The logo in the current text color, hidden from screen readers because the name is next to it. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${shape}"/></svg>`;

/** The logo as an image, in the color for the user's light or dark theme. */
export const icon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>path{fill:#2f6f5e}` +
  `@media(prefers-color-scheme:dark){path{fill:#8fd0bb}}</style><path d="${shape}"/></svg>`;

/** The icon as a data URL, so that a page needs no second request. */
export const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`;
