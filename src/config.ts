import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { backupProblems, backupSettings } from './backups/settings.ts';
import { compatibleSettings } from './compatible/settings.ts';
import { blockLists, hostPatterns } from './external/block-lists/settings.ts';
import { destinationMonitoringSettings } from './external/destination-monitoring/settings.ts';
import { domainSettings } from './external/dns/settings.ts';
import { mailProblems, mailSettings } from './external/mail/settings.ts';
import { oidcProblems, oidcSettings } from './external/oidc/settings.ts';
import { readAllowed } from './external/outbound/allowed.ts';
import { upgradeSettings } from './external/upgrade/settings.ts';
import { idInToken } from './model/accounts/keys.ts';
import { isPlan, type PlanLimits } from './model/accounts/plans.ts';
import { maxSegments } from './model/links/codes/codes.ts';
import { codeCharacters } from './model/links/codes/unicode-codes.ts';
import { pathProblems } from './runtime/base-path.ts';
import {
  baseUrl,
  fail,
  flag,
  headerName,
  hostName,
  jsonFile,
  list,
  mask,
  oneOf,
  origin,
  readableFile,
  type Setting,
  setting,
  sharedSecret,
  shortened,
  webAddress,
  wholeNumber,
  wholeNumberOrAuto,
} from './runtime/setting-values.ts';
import { type ProxyTrust, readProxyTrust } from './server/client-address.ts';
import type { CorsOrigins } from './server/cors.ts';
import { tlsProblems, tlsSettings } from './server/tls/settings.ts';
import { isPostgresUrl } from './storage/db/url.ts';
import { postgresAddressIn } from './storage/postgres/connections/url.ts';
import { sqlitePathIn } from './storage/sqlite/url.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function appFile(name: string, systems: string) {
  const about = `JSON file served at /.well-known/${name}, so that apps on ${systems} open links on this host. Unset: none.`;
  return setting(about, null, jsonFile);
}

function corsOrigins(text: string): CorsOrigins {
  const words = list(text);
  if (words.length === 1 && words[0] === '*') return '*';
  return words.map((word) => {
    try {
      return origin(word);
    } catch {
      return fail(`contains "${shortened(word)}"; use origins such as https://app.example.com, or * alone`);
    }
  });
}

function planLimits(text: string): PlanLimits {
  const limits: PlanLimits = {};
  for (const entry of list(text)) {
    const [plan = '', number = ''] = entry.split('=').map((part) => part.trim());
    if (!isPlan(plan) || !/^[1-9]\d{0,11}$/.test(number)) fail('must be like free=100,starter=5000');
    else limits[plan] = Number(number);
  }
  return limits;
}

/** All settings: environment variable, description, default and parser. */
export const settings = {
  PORT: setting('Port to listen on; 0 for any free port.', '3000', wholeNumber(0, 65_535)),
  HOST: setting('Address to listen on; 0.0.0.0 or :: for all interfaces.', '127.0.0.1', (text) => text),
  BASE_URL: setting('Public URL, optionally with a path. Unset: http://127.0.0.1:PORT.', null, baseUrl),
  ...tlsSettings,
  DATA_DIR: setting('Folder for the database and the click journals.', './data', (text) => text),
  DATABASE_URL: setting(
    'Database: sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE. Unset: linkfold.db in DATA_DIR.',
    null,
    (text) => text,
    { secret: true },
  ),
  DATABASE_POOL: setting(
    'Maximum connections from this process to PostgreSQL, plus one for statistics. Ignored with SQLite.',
    '10',
    wholeNumber(4, 1_000),
  ),
  DATABASE_TIMEOUT: setting(
    'Timeout for PostgreSQL in seconds; after that, the response is 503. In bulk requests, the timeout applies to each statement.',
    '5',
    wholeNumber(1, 60),
  ),
  STALE_LIMIT: setting(
    'For how many seconds cached links keep redirecting while changes from other nodes cannot be read; after that, the response is 503. PostgreSQL only.',
    '3600',
    wholeNumber(1, 31_536_000),
  ),
  LINKS_IN_MEMORY: setting(
    'Maximum number of links in the redirect cache, about 490 bytes each.',
    '40000',
    wholeNumber(1_000, 10_000_000),
  ),
  BOOTSTRAP_API_KEY: setting(
    'First API key, for containers. Ignored once a key exists. Generate one with: linkfold keys generate.',
    null,
    (text) => (idInToken(text) ? text : fail('must be a key created with: linkfold keys generate')),
    { secret: true },
  ),
  TRUST_PROXY: setting(
    'Reverse proxies to trust for the visitor’s address: their number, or their addresses and networks.',
    '0',
    readProxyTrust,
  ),
  COUNTRY_HEADER: setting(
    'Header of a trusted proxy with the visitor’s country, such as CF-IPCountry. Unset: the country comes from the address.',
    null,
    headerName,
  ),
  USER_HEADER: setting(
    'Header of a trusted proxy with the visitor’s user name, for the placeholder {user}.',
    null,
    headerName,
  ),
  GEO_DATABASE: setting(
    'GeoIP database for countries and regions, in MaxMind’s format. Unset: the built-in country database.',
    null,
    readableFile,
  ),
  RESPECT_OPT_OUT: setting(
    '1 stores no visitor hash for visitors who send Sec-GPC or DNT, so they are not counted as unique visitors. 0 ignores these headers.',
    '1',
    flag,
  ),
  LOG_LEVEL: setting(
    'Log level: silent, fatal, error, warn, info, debug or trace.',
    'info',
    oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'),
  ),
  WORKERS: setting(
    'Number of worker processes on the same port; auto for one per processor. With more than 1, a supervisor process restarts workers that exit.',
    '1',
    wholeNumberOrAuto(256),
  ),
  CLICK_DURABILITY: setting(
    'When to redirect a visitor: after the click is written (default), after it is synced to disk (strict), or immediately (relaxed).',
    'default',
    oneOf('default', 'strict', 'relaxed'),
  ),
  STATISTICS_DAYS: setting(
    'How many days of statistics to keep. Totals are always kept. Unset: all.',
    null,
    wholeNumber(1, 36_500),
  ),
  STATISTICS_MAX_CLICKS: setting(
    'Maximum clicks that a statistics request reads, latest days first.',
    '100000000',
    wholeNumber(100_000, 100_000_000_000),
  ),
  HISTORY_DAYS: setting(
    'How many days to keep the audit log and link history.',
    '400',
    wholeNumber(30, 36_500),
  ),
  FAST_REDIRECTS: setting(
    '1 answers plain redirects without Node’s HTTP parser. 0 parses every request with it.',
    '1',
    flag,
  ),
  ROOT_REDIRECT: setting('Where / redirects to. Unset: a small page about the service.', null, webAddress),
  UNKNOWN_CODE_REDIRECT: setting(
    'Where unknown short codes redirect to; `{code}` is replaced with the code. Unset: a 404 page.',
    null,
    webAddress,
  ),
  APPLE_APP_SITE_ASSOCIATION: appFile('apple-app-site-association', 'Apple’s systems'),
  ASSET_LINKS: appFile('assetlinks.json', 'Android'),
  REFERRER_POLICY: setting(
    'Referrer-Policy header of redirects. Unset: none, so the destination sees the page that the visitor came from.',
    null,
    oneOf(
      'no-referrer',
      'origin',
      'strict-origin',
      'same-origin',
      'strict-origin-when-cross-origin',
      'unsafe-url',
    ),
  ),
  ...domainSettings,
  CODE_CHARACTERS: setting(
    'Characters allowed in new custom codes: ascii for plain letters and digits, or unicode for letters of every script and emoji.',
    'ascii',
    oneOf(...codeCharacters),
  ),
  CODE_SEGMENTS: setting(
    'Maximum segments of new custom codes and prefixes, separated by /. 1 allows no /.',
    '1',
    wholeNumber(1, maxSegments),
  ),
  MAX_URL_LENGTH: setting(
    'Maximum length of a destination URL, in characters.',
    '2048',
    wholeNumber(1, 8_192),
  ),
  BLOCKED_HOSTS: setting(
    'Hosts that links must not point to, separated by commas or line breaks. *.example.com covers all its subdomains.',
    '',
    hostPatterns,
    { file: true },
  ),
  BLOCK_LISTS: setting(
    'Block lists of hosts: file paths and URLs, separated by commas or line breaks.',
    '',
    blockLists,
    { secret: true },
  ),
  BLOCK_LISTS_HOURS: setting('How often to reload BLOCK_LISTS, in hours.', '6', wholeNumber(1, 720)),
  BLOCK_PRIVATE_DESTINATIONS: setting('1 rejects links to loopback and private addresses.', '0', flag),
  OUTBOUND_ALLOW: setting(
    'Non-public targets that webhooks and destination checks may reach: addresses, networks and hosts, separated by commas.',
    '',
    readAllowed,
  ),
  ...destinationMonitoringSettings,
  LINK_QUOTAS: setting(
    'Maximum links per account, by plan, such as free=100,starter=5000. Unset: no limit.',
    '',
    planLimits,
  ),
  FOLDER_LIMIT: setting(
    'Maximum folders per account. Existing folders above the limit stay.',
    '1000',
    wholeNumber(1, 20_000),
  ),
  TAG_LIMIT: setting(
    'Maximum tags per account. Existing tags above the limit stay.',
    '1000',
    wholeNumber(1, 20_000),
  ),
  RATE_LIMITS: setting(
    'Maximum API requests per minute for each key, by plan, such as free=60. Unset: no limit.',
    '',
    planLimits,
  ),
  AUTH_FAILURE_LIMIT: setting(
    'Maximum failed sign-ins per minute from one public address, and per member with passkeys; 0 for no limit.',
    '20',
    wholeNumber(0, 1_000_000),
  ),
  CODE_MISS_LIMIT: setting(
    'Maximum unknown short codes per minute from one public address; 0 for no limit.',
    '120',
    wholeNumber(0, 1_000_000),
  ),
  API_DOCS: setting('1 serves interactive API documentation at /api/v1/docs. 0 turns it off.', '1', flag),
  MCP: setting('1 serves AI assistants at /mcp (Model Context Protocol). 0 turns it off.', '1', flag),
  DASHBOARD: setting('1 serves the dashboard at /dashboard. 0 turns it off.', '1', flag),
  DASHBOARD_HOST: setting(
    'Serves the dashboard only on this host, such as links.example.com. Unset: on every host.',
    null,
    hostName,
  ),
  ...oidcSettings,
  ...mailSettings,
  MAX_CONNECTIONS: setting(
    'Maximum concurrent connections. Further connections are closed immediately.',
    '10000',
    wholeNumber(1, 1_000_000),
  ),
  CORS_ORIGINS: setting(
    'Origins of web pages that may call the API from a browser (CORS), separated by commas or line breaks; * for all. Unset: none.',
    '',
    corsOrigins,
  ),
  ...compatibleSettings,
  METRICS_PORT: setting(
    'Separate port for /metrics; 0 for any free port. Unset: none.',
    null,
    wholeNumber(0, 65_535),
  ),
  METRICS_HOST: setting('Address to listen on for METRICS_PORT.', '127.0.0.1', (text) => text),
  METRICS_TOKEN: setting(
    'Bearer token required for /metrics. Without METRICS_PORT, this token turns on /metrics at PORT.',
    null,
    sharedSecret,
    { secret: true },
  ),
  ...backupSettings,
  SHUTDOWN_DELAY: setting(
    'Seconds between becoming unready and closing the port at shutdown, so that load balancers notice.',
    '0',
    wholeNumber(0, 300),
  ),
  ...upgradeSettings,
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
type Values = { [N in SettingName]: ReturnType<(typeof settings)[N]['read']> };
/** Values of all settings. Settings without a default may be null. */
export type Config = {
  readonly [N in SettingName]: (typeof settings)[N]['fallback'] extends null ? Values[N] | null : Values[N];
} & { readonly DATA_DIR: string; readonly DATABASE_URL: string };

/** Returns the URL that short URLs start with, without a trailing slash. */
export function baseUrlOf({ BASE_URL }: Config, port: number): string {
  return BASE_URL ?? `http://127.0.0.1:${port}`;
}

/** Reports all invalid settings in one error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface SettingInUse {
  readonly name: SettingName;
  /** Value as a string, masked if it is a secret. */
  readonly value: string;
  readonly source: 'environment' | 'file' | 'default';
  readonly about: string;
}

type SettingValue = { text: string | null } & Pick<SettingInUse, 'source'>;
function textOf(name: SettingName, env: Environment): SettingValue {
  const { fallback, secret, file } = settings[name] as Setting<unknown>;
  // An empty variable counts as unset, because compose files pass empty values.
  const direct = env[name] || undefined;
  const path = secret || file ? env[`${name}_FILE`] || undefined : undefined;
  if (direct !== undefined && path !== undefined) fail(`and ${name}_FILE are both set; unset one`);
  if (path !== undefined) {
    try {
      return { text: readFileSync(path, 'utf8').trim(), source: 'file' };
    } catch {
      fail(`could not be read from the file in ${name}_FILE; check its path and permissions`);
    }
  }
  return direct === undefined
    ? { text: fallback, source: 'default' }
    : { text: direct, source: 'environment' };
}

/** Reads and checks every setting. @throws ConfigError with every invalid setting and its allowed values */
export function loadConfig(env: Environment, cwd = process.cwd()): Config {
  const values: Record<string, unknown> = {};
  const complaints: string[] = [];
  for (const name of Object.keys(settings) as SettingName[]) {
    try {
      const { text } = textOf(name, env);
      values[name] = text === null ? null : settings[name].read(text);
    } catch (error) {
      complaints.push(`${name} ${(error as Error).message}.`);
    }
  }
  const dataDir = resolve(cwd, values['DATA_DIR'] as string);
  let database =
    (values['DATABASE_URL'] as string | null | undefined) ?? `sqlite:${resolve(dataDir, 'linkfold.db')}`;
  const trust = values['TRUST_PROXY'] as ProxyTrust | undefined;
  for (const name of ['COUNTRY_HEADER', 'USER_HEADER'])
    if (values[name] != null && trust !== undefined && 'hops' in trust && trust.hops === 0)
      complaints.push(`${name} requires TRUST_PROXY, because only trusted proxies may set the header.`);
  complaints.push(...pathProblems(values), ...tlsProblems(values, isPostgresUrl(database)));
  complaints.push(...oidcProblems(values), ...mailProblems(values));
  complaints.push(...backupProblems(values, isPostgresUrl(database)));
  try {
    database = checkedUrl(database, cwd);
  } catch (error) {
    complaints.push((error as Error).message);
  }
  if (complaints.length > 0) throw new ConfigError(complaints.join('\n'));
  return { ...values, DATA_DIR: dataDir, DATABASE_URL: database } as Config;
}

/**
 * Checks a database URL, and makes a database file's path absolute.
 * @throws Error that names DATABASE_URL and contains only the URL's scheme
 */
export function checkedUrl(url: string, cwd = process.cwd()): string {
  if (isPostgresUrl(url)) {
    postgresAddressIn(url);
    return url;
  }
  return `sqlite:${resolve(cwd, sqlitePathIn(url))}`;
}

/** Lists all settings with their values and sources, for display. @throws the same ConfigError as {@link loadConfig} */
export function describeConfig(env: Environment): SettingInUse[] {
  const config = loadConfig(env);
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const { about, secret } = settings[name] as Setting<unknown>;
    const { text, source } = textOf(name, env);
    const shown = name === 'DATABASE_URL' || name === 'DATA_DIR' ? config[name] : (text ?? '');
    return { name, value: secret ? mask(shown) : shown, source, about };
  });
}
