// Runs before the viewer, and makes it show this server's OpenAPI document. Disables all features that would send
// requests to another host, or keep the visitor's key after the page is closed.

// The viewer includes zod, which would test at run time whether it can generate code. The CSP forbids this, and zod
// works without it.
globalThis.__zod_globalConfig = { jitless: true };

// Sends requests from the viewer with the key that the visitor enters, but without cookies. The server rejects requests
// with both a key and the dashboard's session cookie.
const { fetch } = globalThis;
globalThis.fetch = (asked, options) => fetch(asked, { ...options, credentials: 'omit' });

document.addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference('#reference', {
    url: '/api/v1/openapi.json',
    theme: 'none',
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    hideModels: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'direct',
    defaultOpenAllTags: true,
    authentication: { preferredSecurityScheme: 'apiKey' },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
});
