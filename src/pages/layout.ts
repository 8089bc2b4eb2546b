import { type Html, html } from './html.ts';

const style = `
:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#1d1b18;--soft:#6b665f;--line:#e8e4dd;--accent:#2f6f5e;--onaccent:#fff}
@media(prefers-color-scheme:dark){:root{--paper:#151412;--card:#1d1b19;--ink:#f0ece6;--soft:#a39c92;--line:#302d29;--accent:#8fd0bb;--onaccent:#10231d}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%}
body{min-height:100vh;min-height:100svh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.75rem;padding:max(1.5rem,env(safe-area-inset-top)) 1.25rem;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{width:100%;max-width:34rem;padding:clamp(1.75rem,6vw,3rem);background:var(--card);border:1px solid var(--line);border-radius:1.25rem}
.eyebrow{color:var(--soft);font-size:.8125rem;letter-spacing:.08em;text-transform:uppercase}
h1{margin:.35rem 0 .75rem;font-size:clamp(1.5rem,5vw,2rem);line-height:1.2;font-weight:650;letter-spacing:-.02em;text-wrap:balance;overflow-wrap:anywhere}
p{color:var(--soft);text-wrap:pretty}
.url{margin:1.25rem 0;padding:1rem 1.125rem;background:var(--paper);border:1px solid var(--line);border-radius:.75rem;font:.9375rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--soft);overflow-wrap:anywhere;max-height:14rem;overflow:auto}
.url b{color:var(--ink);font-weight:650}
.go{display:inline-block;margin-top:.5rem;padding:.7rem 1.25rem;border-radius:.75rem;background:var(--accent);color:var(--onaccent);font-weight:600;text-decoration:none}
.go:hover{filter:brightness(1.08)}
a{color:var(--accent);text-underline-offset:.2em}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:.4rem}
.facts{margin-top:1.25rem;font-size:.875rem}
footer{color:var(--soft);font-size:.8125rem}
`;

const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
const styleHash = btoa(String.fromCharCode(...new Uint8Array(digest)));

/** Nothing but our own style, recognized by its hash, and the empty icon. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers that every page is sent with. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** The one frame of all pages: no script, dark where the visitor's system is, good on a phone. */
export const page = (title: string, eyebrow: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Linkfold</title>
<link rel="icon" href="data:,">
<style>${{ markup: style }}</style>
</head>
<body>
<main>
<p class="eyebrow">${eyebrow}</p>
${content}
</main>
<footer>Linkfold</footer>
</body>
</html>
`.markup;
