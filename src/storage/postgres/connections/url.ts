import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** The address of a PostgreSQL database. Contains a password: must never be logged or included in errors. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly tls: ConnectionOptions | false;
  /** Timeout for connecting, in ms. */
  readonly connectMs: number | undefined;
  readonly applicationName: string | undefined;
  /** Command-line options for the session, such as `-c search_path=links`. */
  readonly options: string | undefined;
  /** True if a pooler assigns connections per transaction, which means that session state cannot be used. */
  readonly pooled: boolean;
  /** True to accept server settings that may lose acknowledged writes in a power failure. */
  readonly allowUnsafe: boolean;
  /** True if the connection is not encrypted and the URL does not explicitly allow an unencrypted connection. */
  readonly isOpenToReaders: boolean;
}

const expected = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/** @param problem must not quote the URL, which may contain the password */
function refuse(problem: string): never {
  throw new Error(`DATABASE_URL ${problem}.`);
}

/**
 * Parses a `postgres:` URL. Errors never include parts of the URL.
 * @throws Error with the problem and the expected format
 */
export function postgresAddressIn(text: string): PostgresAddress {
  const url =
    URL.parse(text) ?? refuse(`must have the form ${expected}, with special characters percent-encoded`);
  const parameters = parseParameters(url);
  const host = parameters.get('host') ?? decode(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host');
  const database = decode(url.pathname.slice(1), 'database');
  const user = decode(url.username, 'user');
  for (const [part, value] of Object.entries({ host, database, user })) {
    if (value === '') refuse(`must contain a ${part}: ${expected}`);
  }
  if (host.includes(','))
    refuse('must contain one host; for failover, use a proxy or a DNS name that points to the primary');
  const isLocal = host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  const mode = parameters.get('sslmode');
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    user,
    password: url.password === '' ? undefined : decode(url.password, 'password'),
    tls: tlsOptions(parameters),
    connectMs: parseTimeout(parameters),
    applicationName: parameters.get('application_name'),
    options: parameters.get('options'),
    pooled: oneOf(parameters, 'pooler', ['none', 'transaction']) === 'transaction',
    allowUnsafe: oneOf(parameters, 'durability', ['checked', 'unchecked']) === 'unchecked',
    isOpenToReaders: mode === undefined && !isLocal,
  };
}

const known: ReadonlySet<string> = new Set([
  'host',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'connect_timeout',
  'application_name',
  'options',
  'pooler',
  'durability',
]);

type Parameters = ReadonlyMap<string, string>;

function parseParameters(url: URL): Parameters {
  for (const name of url.searchParams.keys()) {
    if (!known.has(name)) {
      const shown = /^\w{1,30}$/.test(name)
        ? `has the unknown parameter "${name}"`
        : 'has an unknown parameter';
      refuse(`${shown}; supported are ${[...known].join(', ')}`);
    }
  }
  return new Map(url.searchParams);
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(`has a ${part} with invalid percent-encoding; encode % as %25`);
  }
}

function oneOf(parameters: Parameters, name: string, words: readonly string[]): string | undefined {
  const word = parameters.get(name);
  if (word !== undefined && !words.includes(word))
    refuse(`has an invalid ${name}; it must be one of ${words.join(', ')}`);
  return word;
}

function parseTimeout(parameters: Parameters): number | undefined {
  const text = parameters.get('connect_timeout');
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > 60)
    refuse('has an invalid connect_timeout; it must be 1 to 60 seconds');
  return seconds * 1_000;
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'];

/**
 * Returns the TLS options for a URL. The supported values of `sslmode` have the same meaning as in PostgreSQL's own
 * clients (libpq).
 */
function tlsOptions(parameters: Parameters): ConnectionOptions | false {
  const asked = parameters.get('sslmode');
  if (asked === 'prefer' || asked === 'allow')
    refuse(`has sslmode=${asked}, which does not guarantee encryption; use require or verify-full`);
  const mode = oneOf(parameters, 'sslmode', modes) ?? 'disable';
  const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;
  if (mode === 'disable') {
    for (const name of Object.values(files))
      if (parameters.has(name)) refuse(`has ${name}, which requires an sslmode such as verify-full`);
    return false;
  }
  const options: ConnectionOptions = {};
  for (const [option, name] of Object.entries(files)) {
    const path = parameters.get(name);
    if (path !== undefined) Object.assign(options, { [option]: readFile(path, name) });
  }
  if (mode === 'verify-full') return options;
  if (options.ca === undefined) {
    if (mode === 'verify-ca') refuse('has sslmode=verify-ca, which requires sslrootcert');
    return { ...options, rejectUnauthorized: false };
  }
  return { ...options, checkServerIdentity: () => undefined };
}

function readFile(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return refuse(`has ${name}, but that file cannot be read`);
  }
}
