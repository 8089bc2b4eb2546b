/**
 * Which folder may import what: folders and files of `src/`, packages, Node's modules. Arrows point inwards to
 * `domain`. `architecture.test.ts` holds the code against it, `docs.test.ts` the table of docs/architecture.md.
 */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain', 'node:crypto', 'node:zlib'],
  contract: ['contract', 'domain', 'zod'],
  storage: ['storage', 'domain', 'node:*', 'pg'],
  pages: ['pages', 'node:crypto'],
  redirect: ['redirect', 'domain', 'contract/envelope.ts', 'contract/errors.ts', 'pages', 'node:*', 'isbot'],
  api: ['api', 'contract', 'domain', 'fastify', 'node:crypto', 'node:http', 'node:stream'],
  metrics: ['metrics', 'domain', 'api/stats.ts', 'redirect/stats.ts', 'prom-client', 'node:*'],
  client: ['client'],
  workers: [
    'workers',
    'domain',
    'metrics',
    'serve.ts',
    'server.ts',
    'port.ts',
    'announce.ts',
    'config.ts',
    'log.ts',
    'monitoring.ts',
    'node:*',
  ],
  cli: [
    'cli',
    'client',
    'contract',
    'domain',
    'app.ts',
    'serve.ts',
    'workers/primary.ts',
    'database.ts',
    'config.ts',
    'version.ts',
    'commander',
    'csv-parse',
    'node:*',
  ],
};
