import { pageHeaders } from './pages/layout.ts';

type Headers = Readonly<Record<string, string>>;

/** What crawlers are told. */
export const robots = 'User-agent: *\nDisallow: /api/\n';
export const robotsHeaders: Headers = { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8' };

/** Browsers request it by themselves when an answer is no page, such as JSON. */
export const iconHeaders: Headers = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
};

/** Apps' systems ask rarely, and take nothing that is redirected or of another type. */
export const fileHeaders: Headers = {
  ...iconHeaders,
  'content-type': 'application/json',
  'cache-control': 'public, max-age=3600',
};
