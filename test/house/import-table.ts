import { words } from '../support/words.ts';

/**
 * Allowed imports for the folders and files in `src/`: folders, packages and Node modules. A folder does not include
 * its subfolders, but `folder/*` does. Each folder, and each file at the root, has its own row. `type` allows types
 * only. Imports point inward to `model` and `runtime`. `architecture.test.ts` checks the code, and `docs.test.ts` the
 * table in docs/architecture.md.
 */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  'runtime/files': ['node:*'],
  runtime: ['node:*', 'bcryptjs'],
  model: [
    'type model/links/codes',
    'type model/links/destinations',
    'type model/accounts',
    'type model/clicks',
    'type model/domains',
    'type model/history',
    'type model/imports',
    'type model/links',
    'type model/manifests',
    'type model/webhooks',
    'runtime',
    'node:crypto',
    'node:net',
  ],
  'model/domains': ['model/accounts', 'model', 'node:crypto', 'node:url'],
  'model/accounts': ['type model/domains', 'model', 'node:crypto', 'node:zlib'],
  'model/history': ['model/accounts', 'model/links', 'model/links/destinations', 'model'],
  'model/links/codes': ['model'],
  'model/links/destinations': ['model', 'node:crypto'],
  'model/links': [
    'model/links/codes',
    'model/links/destinations',
    'model/accounts',
    'model/domains',
    'type model/history',
    'model',
    'runtime',
    'node:crypto',
  ],
  'model/clicks': ['model/accounts', 'model/links', 'model', 'node:crypto'],
  'model/manifests': ['model/links', 'model/domains', 'model'],
  'model/imports': ['model/links', 'model/clicks', 'model'],
  'model/webhooks': ['type model/clicks', 'model/history', 'model', 'node:crypto'],
  qr: ['uqr', 'node:util', 'node:zlib'],
  contract: ['model/*', 'qr', 'zod'],
  'contract/links': ['contract', 'model/*', 'qr', 'rules', 'zod'],
  'contract/statistics': ['contract/links', 'contract', 'model/*', 'zod'],
  'contract/accounts': ['contract/links', 'contract', 'model/*', 'zod'],
  'contract/imports': ['contract/statistics', 'contract', 'model/domains', 'model/imports', 'zod'],
  'contract/manifests': ['contract/links', 'contract', 'model/links', 'model/manifests', 'zod'],
  'contract/endpoints': words(
    'contract/accounts contract/imports contract/links contract/manifests contract/statistics contract',
  ),
  rules: ['model/*'],
  'contract/openapi': words(
    'contract/accounts contract/endpoints contract/links contract/statistics contract model/* zod',
  ),
  client: [],
  'clicks/journal/files': ['model/clicks', 'runtime', 'node:*'],
  'clicks/journal': ['clicks/journal/files', 'model/*', 'runtime', 'node:*'],
  'clicks/dimensions': ['model/*', 'runtime', 'node:*', 'mmdb-lib'],
  clicks: ['clicks/dimensions', 'clicks/journal/*', 'model/*', 'runtime', 'node:*'],
  'statistics/columns': ['model/*', 'node:zlib'],
  'statistics/questions': ['model', 'model/clicks'],
  statistics: ['statistics/questions', 'statistics/columns', 'model/*'],
  'statistics/listing': ['statistics', 'statistics/columns', 'model/*', 'node:crypto'],
  'external/block-lists': ['model/links/*', 'runtime/*', 'node:*'],
  'external/outbound': ['model/links/destinations', 'runtime', 'node:*'],
  importers: ['model', 'zod'],
  'importers/services': ['importers'],
  'importers/reading': ['importers', 'external/outbound', 'runtime', 'node:sqlite', 'pg'],
  'external/acme': ['runtime', 'node:*'],
  'external/passkeys': ['model/accounts', '@simplewebauthn/server'],
  'external/mail': ['type model/accounts', 'runtime', 'nodemailer', 'node:net'],
  'external/oidc': ['model/accounts', 'model', 'external/outbound', 'runtime', 'openid-client'],
  'external/certificates': ['external/acme', 'model', 'runtime', 'node:*'],
  'server/tls': ['runtime', 'node:*'],
  'external/dns': [
    'model/domains',
    'model/links/destinations',
    'external/outbound',
    'runtime',
    'node:dns',
    'node:net',
  ],
  'redirect/pages/texts': [],
  'redirect/pages': ['redirect/pages/texts', 'qr/tones.ts', 'node:crypto'],
  redirect: words(`
    redirect/pages redirect/pages/texts clicks/dimensions clicks/journal contract/envelope.ts contract/errors.ts model/* qr
    rules runtime isbot
  `),
  'server/fast-path': ['redirect', 'clicks/dimensions', 'model/*', 'runtime', 'node:*'],
  'server/dashboard': ['redirect/pages', 'redirect/pages/texts', 'runtime', 'node:*'],
  server: words(`
    server/fast-path server/tls redirect clicks/dimensions contract/endpoints contract model/* runtime node:*
  `),
  'api/events': ['model/*', 'runtime', 'node:stream'],
  'api/tables': ['contract/statistics', 'model/*', 'runtime', 'node:stream'],
  'api/request': [
    'type api/events',
    'type clicks/dimensions',
    'api/tables',
    'contract/endpoints',
    'contract/statistics',
    'contract',
    'model/*',
    'runtime',
    'fastify',
    'node:crypto',
    'node:http',
    'node:stream',
  ],
  'api/statistics': words('api/request api/tables contract/statistics contract model/* statistics/questions'),
  'api/accounts': words('api/request clicks/dimensions contract/accounts contract model/* runtime'),
  webhooks: ['model/domains', 'model/history', 'model/webhooks', 'external/outbound', 'runtime'],
  'external/upgrade': ['runtime', 'runtime/files', 'node:*'],
  'external/destination-monitoring': [
    'model/links',
    'external/outbound',
    'runtime',
    'entities/decode',
    'node:timers/promises',
  ],
  'api/assistants': words('api/request contract/* model/accounts runtime fastify zod'),
  api: words(`
    api/statistics api/accounts api/assistants api/imports api/manifests api/rules api/request api/tables clicks/dimensions contract/*
    statistics/questions model/* qr rules runtime fastify node:stream
  `),
  'api/rules': words('clicks/dimensions model/* rules'),
  'api/manifests': words('api/rules api/request contract/links contract/manifests contract model/* runtime'),
  'api/imports': words(`
    api/rules api/request api/tables clicks/dimensions contract/imports contract/links contract importers model/*
    runtime node:crypto
  `),
  'compatible/request': [
    'api/request',
    'contract',
    'contract/endpoints',
    'contract/links',
    'model',
    'fastify',
  ],
  'compatible/yourls': ['compatible/request', 'model'],
  'compatible/shlink': ['compatible/request', 'api/request', 'contract', 'contract/endpoints', 'model'],
  'compatible/kutt': ['compatible/request', 'model'],
  'compatible/bitly': ['compatible/request', 'model'],
  compatible: words(`
    compatible/yourls compatible/shlink compatible/kutt compatible/bitly compatible/request api/request contract runtime fastify node:http
  `),
  'api/reference': ['api/request', 'redirect/pages', 'node:*'],
  'storage/db': ['model/*'],
  'storage/statements/events': ['storage/db', 'model/*'],
  'storage/statements/clicks': ['storage/db', 'model/*', 'node:crypto'],
  'storage/statements/groups': ['storage/statements/events', 'storage/db', 'model/*'],
  'storage/statements/finding': words(
    'storage/statements/groups storage/statements/clicks storage/db model/*',
  ),
  'storage/statements/links': words(`
    storage/statements/finding storage/statements/groups storage/statements/events storage/db
    model/*
  `),
  'storage/statements/accounts': ['storage/statements/groups', 'storage/db', 'model/*'],
  'storage/statements/domains': ['storage/statements/groups', 'storage/db', 'model/*'],
  'storage/statements/imports': words(
    'storage/statements/links storage/statements/finding storage/statements/clicks storage/statements/events storage/db model/*',
  ),
  'storage/statements/webhooks': words(
    'storage/statements/clicks storage/statements/events storage/statements/groups storage/db model/* node:crypto',
  ),
  'storage/statements/changes': words(`
    storage/statements/accounts storage/statements/domains storage/statements/events storage/statements/imports
    storage/statements/groups storage/statements/webhooks storage/db model/* node:crypto
  `),
  'storage/statements': words(`
    storage/statements/changes storage/statements/webhooks
    storage/statements/accounts storage/statements/clicks storage/statements/domains storage/statements/events
    storage/statements/finding storage/statements/groups storage/statements/imports storage/statements/links storage/db model/*
  `),
  'storage/migrations': ['storage/schema', 'storage/db', 'runtime', 'node:crypto'],
  'storage/schema': ['storage/db'],
  'storage/events': ['storage/statements/*', 'storage/db', 'clicks/dimensions', 'model/*'],
  'storage/statistics': words(`
    storage/events storage/statements/* storage/db statistics statistics/columns statistics/listing
    clicks/dimensions model/* runtime node:timers/promises node:zlib
  `),
  'storage/engine': words(
    'storage/statistics storage/statements/* storage/db model/* runtime node:worker_threads',
  ),
  'storage/sqlite': words(`
    storage/engine storage/events storage/statistics storage/statements/* storage/migrations storage/db
    model/* runtime/* node:*
  `),
  'storage/postgres/connections': ['model', 'node:fs', 'node:net', 'node:tls', 'pg', 'runtime', 'storage/db'],
  'storage/postgres': words(`
    storage/postgres/connections storage/engine storage/events storage/statistics storage/statements/*
    storage/migrations storage/db model/* runtime node:*
  `),
  'storage/check': words(`
    storage/postgres/* storage/sqlite storage/statistics storage/statements/* storage/migrations storage/db
    statistics/columns model/*
  `),
  'storage/copy': ['storage/postgres/*', 'storage/sqlite', 'storage/migrations', 'storage/db', 'node:*'],
  'storage/backup': words(`
    storage/check storage/sqlite storage/statements/* storage/migrations model/* runtime/files node:*
  `),
  storage: ['storage/postgres', 'storage/sqlite', 'storage/migrations', 'storage/db', 'model/*', 'node:fs'],
  telemetry: words(`
    model/* runtime node:async_hooks pino pino-pretty @opentelemetry/api @opentelemetry/core
    @opentelemetry/exporter-trace-otlp-http @opentelemetry/sdk-trace-base
  `),
  'telemetry/metrics': words(`
    clicks/journal redirect api/request/stats.ts model/* runtime prom-client node:*
  `),
  backups: ['s3mini', 'runtime', 'runtime/files', 'node:*'],
  'config.ts': words(`
    backups/settings.ts external/block-lists/settings.ts compatible/settings.ts external/dns/settings.ts external/mail/settings.ts model/* external/oidc/settings.ts external/outbound/allowed.ts runtime server server/tls
    storage/db storage/postgres/connections storage/sqlite external/upgrade/settings.ts external/destination-monitoring/settings.ts node:fs node:path
  `),
  'app/process': ['config.ts', 'telemetry', 'runtime', 'node:*'],
  'app/background': words(
    'config.ts external/block-lists external/dns model/* external/outbound runtime external/destination-monitoring webhooks node:crypto node:path',
  ),
  app: words(`
    app/background backups config.ts app/process external/acme external/certificates external/mail external/oidc external/passkeys api api/events api/reference api/request
    api/tables external/block-lists clicks clicks/dimensions clicks/journal/* compatible model/* redirect runtime/*
    server server/dashboard server/fast-path server/tls storage storage/backup storage/check
    storage/copy storage/db storage/postgres/connections storage/sqlite storage/statements/* telemetry
    telemetry/metrics external/destination-monitoring webhooks node:*
  `),
  workers: words('config.ts app app/process server telemetry telemetry/metrics model/* node:*'),
  'cli/terminal': words(`
    config.ts app app/process workers/primary.ts client contract/openapi model/* runtime/* commander node:*
  `),
  'cli/statistics': ['cli/terminal', 'client', 'model/*', 'commander'],
  'cli/links': words('cli/terminal cli/statistics client model/* qr runtime commander csv-parse node:*'),
  'cli/manifests': words(`
    cli/links cli/terminal client runtime/files model/links commander yaml node:fs node:fs/promises
  `),
  'cli/imports': words(`
    cli/links cli/terminal api/imports client importers/* external/outbound model/* runtime runtime/files
    commander node:*
  `),
  'cli/accounts': [
    'cli/links',
    'cli/terminal',
    'client',
    'app',
    'model/*',
    'runtime/files',
    'commander',
    'node:*',
  ],
  'cli/completion': ['cli/terminal', 'client', 'runtime/files', 'commander', 'node:*'],
  'cli/operations': words(
    'cli/terminal config.ts app/* app/process external/block-lists model/* runtime/files runtime/version.ts external/upgrade commander node:*',
  ),
  cli: words(
    'cli/accounts cli/completion cli/imports cli/links cli/manifests cli/operations cli/statistics cli/terminal runtime commander',
  ),
  'main.ts': ['cli'],
  'external/executable': ['runtime/files', 'node:*'],
};

/**
 * Foundation folders of `dashboard/`, lowest first. Each may import the folders before it. A feature may import all
 * foundation folders, and `app` may import all features.
 */
export const foundations: readonly string[] = words('browser texts data data/links components fields');

/** Imports between dashboard features. A feature without a row imports none. */
export const knows: Readonly<Record<string, readonly string[]>> = {
  statistics: ['statistics/model'],
  rules: ['statistics'],
  activity: ['history'],
  builder: ['history', 'rules'],
  command: ['sign-in'],
  first: ['sign-in'],
  home: ['first', 'statistics', 'statistics/model'],
  campaign: ['qr'],
  'bulk-create': ['builder'],
  link: ['history', 'rules', 'statistics', 'statistics/model'],
  links: ['qr'],
  accounts: ['sign-in'],
  settings: ['keys', 'qr', 'sign-in'],
  shares: ['statistics', 'statistics/model'],
};

/**
 * Modules outside `dashboard/` that its folders may import: the client, import parsers, QR drawing, spelling, and
 * statistics terms.
 */
export const fromElsewhere: readonly string[] = [
  'src/client',
  'src/importers',
  'src/importers/reading',
  'src/importers/services',
  'src/qr',
  'src/redirect/pages/texts',
  'src/runtime',
  'src/model/clicks',
  '@preact/signals',
  'preact',
  'preact/hooks',
  'preact-iso/router',
  'uqr',
  // UI strings of all dashboard folders, which the build collects in one module.
  'linkfold:de',
];
