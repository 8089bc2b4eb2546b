import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SettingName, settings } from '../../src/config.ts';
import { temporaryFolder } from '../support/files/temporary.ts';
import { ask } from '../support/http/ask.ts';
import { freePorts } from '../support/http/ports.ts';
import { endLaunched, type Launched, launch } from '../support/server/launch.ts';
import { until } from '../support/until.ts';

// Smoke test of every setting in a built program. A bundle can break features that work when run from source, such as
// packages loaded on demand.

const key = 'lfk_93aKma73AJYW4Ociof5acSzjFFKjKNOLpXrQ9b0Gemtd';
const tls = join(import.meta.dirname, '..', 'tls');

/** Creates a database in MaxMind's format. Addresses in 0.0.0.0/1 are in Germany, and others have no country. */
function geoDatabase(): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)]);
  const uint16 = (value: number) => Buffer.from([0xa1, value]);
  const uint32 = (value: number) => Buffer.from([0xc1, value]);
  const map = (entries: Readonly<Record<string, Buffer>>) =>
    Buffer.concat([
      Buffer.from([0xe0 | Object.keys(entries).length]),
      ...Object.entries(entries).flatMap(([name, value]) => [text(name), value]),
    ]);
  const data = map({ country: map({ iso_code: text('DE') }) });
  const tree = Buffer.from([0, 0, 1 + 16, 0, 0, 1]);
  const metadata = map({
    node_count: uint32(1),
    record_size: uint16(24),
    ip_version: uint16(4),
    database_type: text('Smoke'),
    binary_format_major_version: uint16(2),
    binary_format_minor_version: uint16(0),
    build_epoch: uint32(1),
    description: map({}),
    languages: Buffer.from([0, 4]),
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), data, marker, metadata]);
}

/** Returns a value for each setting. The values are valid together. A new setting must be added here. */
async function valuesIn(folder: string, ports: readonly number[]): Promise<Record<SettingName, string>> {
  const put = (name: string, contents: string | Uint8Array): string => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  };
  const [port, https, http, metrics] = ports.map(String) as [string, string, string, string];
  const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '';
  for (const name of ['server.crt', 'server.key']) copyFileSync(join(tls, name), join(folder, name));
  return {
    PORT: port,
    HOST: '127.0.0.1',
    BASE_URL: 'https://go.example.com',
    HTTPS_PORT: https,
    HTTP_PORT: http,
    HTTPS_HOST: '127.0.0.1',
    TLS_CERT: join(folder, 'server.crt'),
    TLS_KEY: join(folder, 'server.key'),
    ACME: '1',
    ACME_EMAIL: 'admin@example.com',
    ACME_DIRECTORY: 'https://127.0.0.1:9/directory',
    ACME_EAB_KID: 'kid',
    ACME_EAB_KEY: Buffer.alloc(32).toString('base64url'),
    ACME_ORDERS: '10',
    ACME_ACCOUNT_ORDERS: '5',
    SECRET_KEY: 's'.repeat(32),
    HSTS: '60',
    TLS_CHECK: '1',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: `sqlite:${join(folder, 'data', 'smoke.db')}`,
    DATABASE_POOL: '5',
    DATABASE_TIMEOUT: '6',
    STALE_LIMIT: '60',
    LINKS_IN_MEMORY: '2000',
    BOOTSTRAP_API_KEY: key,
    TRUST_PROXY: '1',
    COUNTRY_HEADER: 'X-Country',
    USER_HEADER: 'X-User',
    GEO_DATABASE: put('geo.mmdb', geoDatabase()),
    RESPECT_OPT_OUT: '0',
    LOG_LEVEL: 'debug',
    WORKERS: '1',
    CLICK_DURABILITY: 'strict',
    STATISTICS_DAYS: '30',
    STATISTICS_MAX_CLICKS: '200000',
    HISTORY_DAYS: '60',
    FAST_REDIRECTS: '0',
    ROOT_REDIRECT: 'https://example.com/',
    UNKNOWN_CODE_REDIRECT: 'https://example.com/unknown',
    APPLE_APP_SITE_ASSOCIATION: put('apple.json', '{}'),
    ASSET_LINKS: put('android.json', '[]'),
    REFERRER_POLICY: 'origin',
    OTHER_HOSTS: 'shared',
    DNS_SERVERS: '127.0.0.1:9',
    DOMAIN_LIMIT: '5',
    CODE_CHARACTERS: 'unicode',
    CODE_SEGMENTS: '2',
    MAX_URL_LENGTH: '1000',
    BLOCKED_HOSTS: 'blocked.example.com',
    BLOCK_LISTS: put('hosts.txt', 'listed.example.com\n'),
    BLOCK_LISTS_HOURS: '12',
    BLOCK_PRIVATE_DESTINATIONS: '1',
    OUTBOUND_ALLOW: '10.0.0.0/8',
    WATCH_DESTINATIONS: '1',
    FETCH_TITLES: '1',
    LINK_QUOTAS: 'free=100',
    FOLDER_LIMIT: '10',
    TAG_LIMIT: '10',
    RATE_LIMITS: 'free=600',
    AUTH_FAILURE_LIMIT: '30',
    CODE_MISS_LIMIT: '100',
    API_DOCS: '1',
    MCP: '1',
    DASHBOARD: '1',
    DASHBOARD_HOST: 'links.example.com',
    OIDC_ISSUER: 'https://127.0.0.1:9/',
    OIDC_CLIENT_ID: 'linkfold',
    OIDC_CLIENT_SECRET: 'client-secret',
    OIDC_NAME: 'Example',
    OIDC_SCOPES: 'openid email',
    OIDC_GROUPS: 'staff=default:editor',
    OIDC_GROUPS_CLAIM: 'roles',
    OIDC_ONLY: '1',
    BACKUP_SCHEDULE: '03:00',
    BACKUP_TO: 's3://backups/linkfold',
    BACKUP_KEEP: '7',
    BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9',
    BACKUP_S3_REGION: 'eu-central-1',
    BACKUP_S3_ACCESS_KEY_ID: 'access',
    BACKUP_S3_SECRET_ACCESS_KEY: 'secret-access',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'links@example.com',
    MAX_CONNECTIONS: '500',
    CORS_ORIGINS: '*',
    COMPATIBLE: 'yourls,shlink,kutt,bitly',
    METRICS_PORT: metrics,
    METRICS_HOST: '127.0.0.1',
    METRICS_TOKEN: 'm'.repeat(16),
    SHUTDOWN_DELAY: '1',
    UPGRADE_URL: 'https://example.com/releases',
    UPGRADE_KEY: publicKey,
  };
}

/** Returns the same settings, but with files for the values that can be read from a file. */
function inFiles(values: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const setting: object = settings[name as SettingName];
      if (!('secret' in setting || 'file' in setting)) return [name, value];
      writeFileSync(join(folder, name), `${value}\n`);
      return [`${name}_FILE`, join(folder, name)];
    }),
  );
}

/**
 * Starts a built program with a value for every setting, and uses the enabled features. With one worker, the values
 * come from environment variables; with two, from files.
 */
export async function useEverySetting(program: readonly [string, ...string[]], more = {}): Promise<void> {
  const [file, ...args] = program;
  for (const workers of ['1', '2']) {
    const folder = temporaryFolder(`every-setting-${workers}`);
    const [port = 0, https = 0, http = 0, metrics = 0] = await freePorts(4);
    const values = { ...(await valuesIn(folder, [port, https, http, metrics])), WORKERS: workers };
    assert.deepEqual(
      Object.keys(settings).filter((name) => !Object.hasOwn(values, name)),
      [],
      'every setting has a value here',
    );
    const given = workers === '1' ? values : inFiles(values, folder);
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...more, ...given };
    const shown = launch(file, [...args, 'config', '--json'], env);
    assert.equal((await shown.ended).code, 0, shown.err());
    const defaults = (JSON.parse(shown.out()) as { name: string; source: string }[]).filter(
      ({ source }) => source === 'default',
    );
    assert.deepEqual(defaults, []);
    const server = launch(file, [...args, 'serve'], env);
    try {
      await useServer(server, { port, http, metrics }, values);
    } finally {
      endLaunched();
    }
  }
}

async function useServer(
  server: Launched,
  { port, http, metrics }: Readonly<Record<'port' | 'http' | 'metrics', number>>,
  values: Readonly<Record<SettingName, string>>,
): Promise<void> {
  const output = () => server.out() + server.err();
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  await until('it is ready', async () => {
    assert.ok(!hasEnded, output());
    return ask({ port }, { path: '/readyz' }).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  const forwarded = { 'x-forwarded-for': '1.2.3.4' };
  const made = await ask(
    { port },
    {
      method: 'POST',
      path: '/api/v1/shorten',
      key,
      headers: forwarded,
      body: { url: 'https://example.com/', customCode: 'smoke' },
    },
  );
  assert.equal(made.status, 201, made.text);
  const visit = await ask(
    { port },
    { path: '/smoke', headers: { ...forwarded, 'user-agent': 'Mozilla/5.0 Firefox/140.0' } },
  );
  assert.equal(visit.status, 302);
  await until('the click has its country', async () => {
    const clicks = await ask({ port }, { path: '/api/v1/clicks', key, headers: forwarded });
    return clicks.text.includes('"country":"DE"');
  });
  const scrape = await ask(
    { port: metrics },
    { path: '/metrics', headers: { authorization: `Bearer ${values.METRICS_TOKEN}` } },
  );
  assert.equal(scrape.status, 200);
  assert.equal((await ask({ port: http }, { path: '/smoke' })).status, 301);
  const dashboard = await ask({ port }, { path: '/dashboard', headers: { host: values.DASHBOARD_HOST } });
  assert.equal(dashboard.status, 200);
  server.child.kill('SIGTERM');
  assert.equal((await server.ended).code, 0, output());
  assert.doesNotMatch(output(), /is not a (?:constructor|function)|Cannot find (?:module|package)/);
}
