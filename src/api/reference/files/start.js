// Comes before the viewer, and shows the OpenAPI document of this server with it. Everything that would ask another
// host, or keep the visitor's key beyond the page, is off.

// zod, which the viewer holds, would try whether it may write code at run time. It may not, and works without.
globalThis.__zod_globalConfig = { jitless: true };

// What is tried here goes with the key that the reader types in. The cookie of a session, which the dashboard may have, stays
// behind: with both the server would refuse.
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
