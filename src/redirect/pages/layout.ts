import { type Brand, brandHead, brandHeader, brandStyle } from './brand.ts';
import { digestOf, type Html, html } from './html.ts';
import { iconUrl, mark } from './mark.ts';
import type { Texts } from './texts/languages.ts';

const style = `
:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#1d1b18;--soft:#6b665f;--line:#e8e4dd;--line2:#d8d2c8;--accent:#2f6f5e;--hover:#275e50;--onaccent:#fff;--tint:#e6f0ec;--wrong:#a3372b}
@media(prefers-color-scheme:dark){:root{--paper:#151412;--card:#1d1b19;--ink:#f0ece6;--soft:#a39c92;--line:#2b2825;--line2:#3a3631;--accent:#8fd0bb;--hover:#a5dcca;--onaccent:#10231d;--tint:#1c2d27;--wrong:#f2a097}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%}
body{min-height:100vh;min-height:100svh;display:grid;place-content:center;grid-template-columns:minmax(0,30rem);padding:max(2rem,env(safe-area-inset-top)) 1.25rem;background:var(--paper);color:var(--ink);font:1rem/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI Variable Text","Segoe UI",Roboto,Inter,sans-serif;letter-spacing:-.006em}
.mark{display:block;width:2rem;height:2rem;margin-bottom:1.75rem;color:var(--accent)}
.logo{display:block;max-width:14rem;max-height:3.5rem;margin-bottom:1.75rem;border-radius:.375rem}
@media(prefers-color-scheme:dark){.logo{padding:.375rem .625rem;background:#fff}}
.name{margin-bottom:1.75rem;color:var(--accent);font-size:1.125rem;font-weight:650}
.message{white-space:pre-line}
h1{font-size:clamp(1.5rem,5vw,1.75rem);line-height:1.2;font-weight:650;letter-spacing:-.02em;text-wrap:balance;overflow-wrap:anywhere}
h1+p{margin-top:.625rem}
p,dd{color:var(--soft);text-wrap:pretty;overflow-wrap:anywhere}
b{color:var(--ink);font-weight:600}
.slip{position:relative;margin:1.5rem 0;padding:1.125rem 2.25rem 1.125rem 1.125rem;background:var(--card);border:1px solid var(--line2);border-radius:.75rem 0 .75rem .75rem;color:var(--soft);overflow-wrap:anywhere}
.slip::after{content:"";position:absolute;top:-1px;right:-1px;width:22px;height:22px;background:linear-gradient(45deg,var(--tint) 50%,var(--paper) 50%);border:solid var(--line2);border-width:0 0 1px 1px;border-bottom-left-radius:5px}
.slip span{display:block;max-height:14rem;overflow:auto}
.go{display:inline-block;padding:.625rem 1.125rem;border-radius:.5rem;background:var(--accent);color:var(--onaccent);font-weight:600;text-decoration:none;overflow-wrap:anywhere}
form{margin-top:1.5rem}button.go{border:0;font:inherit;font-weight:600;cursor:pointer}button.go:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
label{display:block;margin-bottom:.375rem;font-size:.9375rem;font-weight:600}input{display:block;width:100%;margin-bottom:1rem;padding:.625rem .75rem;border:1px solid var(--line2);border-radius:.5rem;background:var(--card);color:var(--ink);font:inherit}input:focus-visible{outline:2px solid var(--accent);outline-offset:1px}input[aria-invalid]{border-color:var(--wrong)}.wrong{margin:-.5rem 0 1rem;font-size:.9375rem;color:var(--wrong)}
.go:hover{background:var(--hover)}
a{color:var(--accent);text-underline-offset:.2em}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:.25rem}
dl{margin-top:2rem;border-bottom:1px solid var(--line)}
dt,dd{font-size:.9375rem}
dt{padding-top:.875rem;border-top:1px solid var(--line);font-weight:600}
dd{padding:.125rem 0 .875rem}
.facts{margin-top:1.25rem;font-size:.875rem}
footer{margin-top:2.5rem;font-size:.8125rem;color:var(--soft)}
footer a{color:inherit}
`;

/** CSP that allows only the page's own style, by hash, and the icon. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${digestOf(style)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * CSP for a page with a form. `form-action` allows all sites, because browsers also apply it to the redirect that
 * follows a form submission.
 */
const formPolicy = contentSecurityPolicy.replace("form-action 'none'", "form-action 'self' http: https:");

/**
 * Returns the HTTP headers for a page.
 * @param hasForm whether the page has a form, which may redirect to other sites
 */
export function headersOf(brand?: Brand, hasForm = false): Readonly<Record<string, string>> {
  const policy = hasForm ? formPolicy : contentSecurityPolicy;
  const style = brandStyle(brand);
  if (style === '' && !hasForm) return pageHeaders;
  const more = style === '' ? '' : ` 'sha256-${digestOf(style)}'`;
  return { ...pageHeaders, 'content-security-policy': policy.replace(/style-src [^;]*/, `$&${more}`) };
}

/** Headers sent with every page that has no branding. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'Accept-Language',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/**
 * Renders the layout that all pages share, in the visitor's language. The layout has no scripts, and supports dark mode
 * and mobile devices.
 * @param footer footer content; by default, a link to the root page
 * @param brand branding of the link's account
 * @param head additional elements for `<head>`
 */
export function page(
  t: Texts,
  title: string,
  content: Html,
  footer: Html = html`<a href="${t.base}/">${t.about}</a>`,
  brand?: Brand,
  head?: Html,
): string {
  return html`<!doctype html>
<html lang="${t.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · ${brand?.name ?? 'Linkfold'}</title>
<link rel="icon" href="${iconUrl}">${head}
<style>${{ markup: style }}</style>${brandHead(brand)}
</head>
<body>
<main>
${brandHeader(brand) ?? mark}
${content}
</main>
<footer>${footer}</footer>
</body>
</html>
`.markup;
}
