import { html } from '../../redirect/pages/html.ts';
import { iconUrl } from '../../redirect/pages/mark.ts';

const path = '/api/v1/docs';

/**
 * CSP: own scripts, and requests to this server only. Inline styles are allowed as the viewer writes them; it needs
 * neither `eval` nor another host.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const referenceHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

interface Versioned {
  readonly version: string;
}

/** Returns the HTML of the interactive API reference. */
export function referencePage(files: {
  readonly viewer: Versioned;
  readonly start: Versioned;
  readonly theme: Versioned;
}): string {
  const { viewer, start, theme } = files;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>API · Linkfold</title>
<link rel="icon" href="${iconUrl}">
<link rel="stylesheet" href="${path}/theme.css?v=${theme.version}">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same is described for programs in <a href="/api/v1/openapi.json">openapi.json</a>.</noscript>
<script src="${path}/start.js?v=${start.version}"></script>
<script src="${path}/viewer.js?v=${viewer.version}"></script>
</body>
</html>
`.markup;
}
