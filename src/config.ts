import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { backupProblems, backupSettings } from './backups/settings.ts';
import { blockLists, hostPatterns } from './block-lists/settings.ts';
import { compatibleSettings } from './compatible/settings.ts';
import { destinationMonitoringSettings } from './destination-monitoring/settings.ts';
import { domainSettings } from './dns/settings.ts';
import { mailProblems, mailSettings } from './mail/settings.ts';
import { idInToken } from './model/accounts/keys.ts';
import { isPlan, type PlanLimits } from './model/accounts/plans.ts';
import { maxSegments } from './model/links/codes/codes.ts';
import { codeCharacters } from './model/links/codes/unicode-codes.ts';
import { oidcProblems, oidcSettings } from './oidc/settings.ts';
import { readAllowed } from './outbound/allowed.ts';
import {
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
import { upgradeSettings } from './upgrade/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function appFile(name: string, systems: string) {
  const about = `JSON file that /.well-known/${name} answers, so that apps on ${systems} open links of this host. Unset: none.`;
  return setting(about, null, jsonFile);
}

function corsOrigins(text: string): CorsOrigins {
  const words = list(text);
  if (words.length === 1 && words[0] === '*') return '*';
  return words.map((word) => {
    try {
      return origin(word);
    } catch {
      return fail(`has "${shortened(word)}"; give origins such as https://app.example.com, or * alone`);
    }
  });
}

function planLimits(text: string): PlanLimits {
  const limits: PlanLimits = {};
  for (const entry of list(text)) {
    const [plan = '', number = ''] = entry.split('=').map((part) => part.trim());
    if (!isPlan(plan) || !/^[1-9]\d{0,11}$/.test(number)) fail('must look like free=100,starter=5000');
    else limits[plan] = Number(number);
  }
  return limits;
}

/** Every setting of the service: environment variable, meaning, default, reader. There are no others. */
export const settings = {
  PORT: setting('Port to listen on; 0 takes any free one.', '3000', wholeNumber(0, 65_535)),
  HOST: setting('Address to listen on; 0.0.0.0 or :: for all.', '127.0.0.1', (text) => text),
  BASE_URL: setting(
    'Origin of the short URLs, as visitors type it. Unset: http://127.0.0.1:PORT.',
    null,
    origin,
  ),
  ...tlsSettings,
  DATA_DIR: setting('Folder of the database and the click journals.', './data', (text) => text),
  DATABASE_URL: setting(
    'Where links are stored: sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE. Unset: linkfold.db in DATA_DIR.',
    null,
    (text) => text,
    { secret: true },
  ),
  DATABASE_POOL: setting(
    'Most connections of this process to PostgreSQL, besides one for statistics; SQLite has no use for it.',
    '10',
    wholeNumber(4, 1_000),
  ),
  DATABASE_TIMEOUT: setting(
    'Seconds after which PostgreSQL is no longer waited for, and the answer is 503. In a request for many links each statement has so long.',
    '5',
    wholeNumber(1, 60),
  ),
  STALE_LIMIT: setting(
    'Seconds for which links in memory lead on while it cannot be read what other nodes change; then 503. PostgreSQL only.',
    '3600',
    wholeNumber(1, 31_536_000),
  ),
  LINKS_IN_MEMORY: setting(
    'Most links whose destinations are kept in memory, about 490 bytes each.',
    '40000',
    wholeNumber(1_000, 10_000_000),
  ),
  BOOTSTRAP_API_KEY: setting(
    'The first API key, for containers; does nothing once any key exists. Draw one with: linkfold keys generate.',
    null,
    (text) => (idInToken(text) ? text : fail('must be a key drawn with: linkfold keys generate')),
    { secret: true },
  ),
  TRUST_PROXY: setting(
    'Reverse proxies to believe about the visitor’s address: how many, or their addresses and networks.',
    '0',
    readProxyTrust,
  ),
  COUNTRY_HEADER: setting(
    'Header in which a trusted proxy says the visitor’s country, such as CF-IPCountry. Unset: by address.',
    null,
    headerName,
  ),
  USER_HEADER: setting('Header of a trusted proxy that names the visitor, for {user}.', null, headerName),
  GEO_DATABASE: setting(
    'Database of countries and regions by address, a file in MaxMind’s format. Unset: the countries that come with Linkfold.',
    null,
    readableFile,
  ),
  RESPECT_OPT_OUT: setting('1 does not tell visitors apart that send Sec-GPC or DNT, 0 does.', '1', flag),
  LOG_LEVEL: setting(
    'How much to log: silent, fatal, error, warn, info, debug or trace.',
    'info',
    oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'),
  ),
  WORKERS: setting(
    'Processes that serve on the same port; auto for one for each processor. More than 1 are kept running by one more.',
    '1',
    wholeNumberOrAuto(256),
  ),
  CLICK_DURABILITY: setting(
    'When a visitor is sent on: after the click is written (default), after it is synced to disk (strict), or at once (relaxed).',
    'default',
    oneOf('default', 'strict', 'relaxed'),
  ),
  STATISTICS_DAYS: setting(
    'Days of statistics to keep; totals stay. Unset: all.',
    null,
    wholeNumber(1, 36_500),
  ),
  STATISTICS_MAX_CLICKS: setting(
    'Most clicks that one answer of statistics looks at, the latest days first.',
    '100000000',
    wholeNumber(100_000, 100_000_000_000),
  ),
  HISTORY_DAYS: setting('Days for which changes are remembered.', '400', wholeNumber(30, 36_500)),
  FAST_REDIRECTS: setting(
    '1 answers plain redirects before Node’s HTTP parser, 0 sends every request through it.',
    '1',
    flag,
  ),
  ROOT_REDIRECT: setting('Where / leads. Unset: a small page that says what this is.', null, webAddress),
  UNKNOWN_CODE_REDIRECT: setting(
    'URL for visitors of unknown short codes; `{code}` stands for the code. Unset: a 404 page.',
    null,
    webAddress,
  ),
  APPLE_APP_SITE_ASSOCIATION: appFile('apple-app-site-association', 'Apple’s systems'),
  ASSET_LINKS: appFile('assetlinks.json', 'Android'),
  REFERRER_POLICY: setting(
    'Referrer-Policy header of redirects. Unset: none, so that the destination sees the page the visitor came from.',
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
    'What new custom codes are made of: ascii for plain letters and digits, unicode for those of every script and emoji too.',
    'ascii',
    oneOf(...codeCharacters),
  ),
  CODE_SEGMENTS: setting(
    'Most segments of new custom codes and prefixes, with / between them: 1 for none but plain codes.',
    '1',
    wholeNumber(1, maxSegments),
  ),
  MAX_URL_LENGTH: setting('Longest destination URL, in characters.', '2048', wholeNumber(1, 8_192)),
  BLOCKED_HOSTS: setting(
    'Hosts no link may point to, separated by commas or lines; *.example.com covers every name below it.',
    '',
    hostPatterns,
    { file: true },
  ),
  BLOCK_LISTS: setting(
    'Lists of hosts no link may point to: paths of files and addresses, separated by commas or lines.',
    '',
    blockLists,
    { secret: true },
  ),
  BLOCK_LISTS_HOURS: setting('Hours from one load of BLOCK_LISTS to the next.', '6', wholeNumber(1, 720)),
  BLOCK_PRIVATE_DESTINATIONS: setting('1 refuses links to loopback and private addresses.', '0', flag),
  OUTBOUND_ALLOW: setting(
    'What requests to addresses that users name may reach beside the public internet: addresses, networks, hosts, separated by commas.',
    '',
    readAllowed,
  ),
  ...destinationMonitoringSettings,
  LINK_QUOTAS: setting(
    'Most live links of an account by plan, such as free=100,starter=5000. Unset: no limit.',
    '',
    planLimits,
  ),
  FOLDER_LIMIT: setting(
    'Most folders of an account; what it has already beyond that stays.',
    '1000',
    wholeNumber(1, 20_000),
  ),
  TAG_LIMIT: setting(
    'Most tags of an account; what it has already beyond that stays.',
    '1000',
    wholeNumber(1, 20_000),
  ),
  RATE_LIMITS: setting(
    'Most API requests of a key in a minute by plan, such as free=60. Unset: no limit.',
    '',
    planLimits,
  ),
  AUTH_FAILURE_LIMIT: setting(
    'Failed authentications a minute from one public address, and with the passkeys of one person from all; 0 for no limit.',
    '20',
    wholeNumber(0, 1_000_000),
  ),
  CODE_MISS_LIMIT: setting(
    'Unknown short codes a minute from one public address; 0 for no limit.',
    '120',
    wholeNumber(0, 1_000_000),
  ),
  API_DOCS: setting('1 answers /api/v1/docs with a page to try the API, 0 does not.', '1', flag),
  MCP: setting('1 answers assistants at /mcp (Model Context Protocol), 0 does not.', '1', flag),
  DASHBOARD: setting('1 answers /dashboard with the dashboard, 0 does not.', '1', flag),
  DASHBOARD_HOST: setting(
    'The only host name at which the dashboard answers, such as links.example.com. Unset: at every one.',
    null,
    hostName,
  ),
  ...oidcSettings,
  ...mailSettings,
  MAX_CONNECTIONS: setting(
    'Most connections at a time; more are closed as they come.',
    '10000',
    wholeNumber(1, 1_000_000),
  ),
  CORS_ORIGINS: setting(
    'Origins of web pages that may use the API from a browser, separated by commas or lines; * for all. Unset: none.',
    '',
    corsOrigins,
  ),
  ...compatibleSettings,
  METRICS_PORT: setting(
    'Port of its own on which /metrics is answered; 0 takes any free one. Unset: none.',
    null,
    wholeNumber(0, 65_535),
  ),
  METRICS_HOST: setting('Address to listen on for METRICS_PORT.', '127.0.0.1', (text) => text),
  METRICS_TOKEN: setting(
    'What a scraper of /metrics must send as bearer token; without METRICS_PORT, turns /metrics on at PORT.',
    null,
    sharedSecret,
    { secret: true },
  ),
  ...backupSettings,
  SHUTDOWN_DELAY: setting(
    'Seconds between turning unready and closing the port, for load balancers to notice.',
    '0',
    wholeNumber(0, 300),
  ),
  ...upgradeSettings,
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
type Values = { [N in SettingName]: ReturnType<(typeof settings)[N]['read']> };
/** Settings without a default may be null. */
export type Config = {
  readonly [N in SettingName]: (typeof settings)[N]['fallback'] extends null ? Values[N] | null : Values[N];
} & { readonly DATA_DIR: string; readonly DATABASE_URL: string };

/** What short URLs begin with. */
export function originOf({ BASE_URL }: Config, port: number): string {
  return BASE_URL ?? `http://127.0.0.1:${port}`;
}

/** All problems of the settings at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface SettingInUse {
  readonly name: SettingName;
  /** As text; secrets are masked. */
  readonly value: string;
  readonly source: 'environment' | 'file' | 'default';
  readonly about: string;
}

type SettingValue = { text: string | null } & Pick<SettingInUse, 'source'>;
function textOf(name: SettingName, env: Environment): SettingValue {
  const { fallback, secret, file } = settings[name] as Setting<unknown>;
  // An empty variable means unset: that is what compose files write for "nothing".
  const direct = env[name] || undefined;
  const path = secret || file ? env[`${name}_FILE`] || undefined : undefined;
  if (direct !== undefined && path !== undefined) fail(`and ${name}_FILE are both set; keep one`);
  if (path !== undefined) {
    try {
      return { text: readFileSync(path, 'utf8').trim(), source: 'file' };
    } catch {
      fail(`cannot be read from the file that ${name}_FILE names`);
    }
  }
  return direct === undefined
    ? { text: fallback, source: 'default' }
    : { text: direct, source: 'environment' };
}

/**
 * Reads and checks every setting.
 * @throws ConfigError naming every bad setting and what it should be
 */
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
      complaints.push(`${name} is believed of trusted proxies only: set TRUST_PROXY too.`);
  complaints.push(...tlsProblems(values, isPostgresUrl(database)));
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
 * @returns the URL of a database, its path absolute if it is a file
 * @throws Error with a sentence that names DATABASE_URL and holds no part of a URL but its scheme
 */
export function checkedUrl(url: string, cwd = process.cwd()): string {
  if (isPostgresUrl(url)) {
    postgresAddressIn(url);
    return url;
  }
  return `sqlite:${resolve(cwd, sqlitePathIn(url))}`;
}

/** Every setting with its value and source, for display. @throws ConfigError as {@link loadConfig} */
export function describeConfig(env: Environment): SettingInUse[] {
  const config = loadConfig(env);
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const { about, secret } = settings[name] as Setting<unknown>;
    const { text, source } = textOf(name, env);
    const shown = name === 'DATABASE_URL' || name === 'DATA_DIR' ? config[name] : (text ?? '');
    return { name, value: secret ? mask(shown) : shown, source, about };
  });
}
