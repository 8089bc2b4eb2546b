import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Where a PostgreSQL database is and how it is spoken to. Holds a password: never to be logged or thrown. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly tls: ConnectionOptions | false;
  /** How long a connection may take to be made, ms. */
  readonly connectMs: number | undefined;
  readonly applicationName: string | undefined;
  /** Command-line options for the session, such as `-c search_path=links`. */
  readonly options: string | undefined;
  /** Whether a pooler gives connections out by the transaction: nothing may be kept on them between two. */
  readonly pooled: boolean;
  /** Whether settings by which a power cut takes back what was acknowledged are let pass. */
  readonly allowUnsafe: boolean;
  /** Whether the connection can be read on its way, though no word of the URL accepts that. */
  readonly isOpenToReaders: boolean;
}

const expected = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/** @param problem about a part of the URL, without its text: the password may be in the wrong place */
function refuse(problem: string): never {
  throw new Error(`DATABASE_URL ${problem}.`);
}

/**
 * Reads a `postgres:` URL. No part of it comes back in an error.
 * @throws Error that names what is wrong and what is expected
 */
export function postgresAddressIn(text: string): PostgresAddress {
  const url =
    URL.parse(text) ??
    refuse(`must look like ${expected}; write special characters of a name or password as %XX`);
  const parameters = parametersOf(url);
  const host = parameters.get('host') ?? decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host');
  const database = decoded(url.pathname.slice(1), 'database');
  const user = decoded(url.username, 'user');
  for (const [part, value] of Object.entries({ host, database, user })) {
    if (value === '') refuse(`must name a ${part}: ${expected}`);
  }
  if (host.includes(','))
    refuse('must name one host; put a proxy or a DNS name that follows the primary there');
  const isHere = host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  const mode = parameters.get('sslmode');
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    user,
    password: url.password === '' ? undefined : decoded(url.password, 'password'),
    tls: tlsOf(parameters),
    connectMs: secondsIn(parameters),
    applicationName: parameters.get('application_name'),
    options: parameters.get('options'),
    pooled: oneOf(parameters, 'pooler', ['none', 'transaction']) === 'transaction',
    allowUnsafe: oneOf(parameters, 'durability', ['checked', 'unchecked']) === 'unchecked',
    isOpenToReaders: mode === undefined && !isHere,
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

function parametersOf(url: URL): Parameters {
  for (const name of url.searchParams.keys()) {
    if (!known.has(name)) {
      const shown = /^\w{1,30}$/.test(name)
        ? `has the parameter "${name}", which is not known`
        : 'has an unknown parameter';
      refuse(`${shown}; there are ${[...known].join(', ')}`);
    }
  }
  return new Map(url.searchParams);
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(`has a ${part} with a % that begins no %XX; write % itself as %25`);
  }
}

function oneOf(parameters: Parameters, name: string, words: readonly string[]): string | undefined {
  const word = parameters.get(name);
  if (word !== undefined && !words.includes(word))
    refuse(`has a ${name} that is none of ${words.join(', ')}`);
  return word;
}

function secondsIn(parameters: Parameters): number | undefined {
  const text = parameters.get('connect_timeout');
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > 60)
    refuse('has a connect_timeout that is no whole number of seconds from 1 to 60');
  return seconds * 1_000;
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'];

/** The words mean what they mean to PostgreSQL's own programs. */
function tlsOf(parameters: Parameters): ConnectionOptions | false {
  const asked = parameters.get('sslmode');
  if (asked === 'prefer' || asked === 'allow')
    refuse(
      `has sslmode=${asked}, which any machine on the way can turn into no encryption; say require or verify-full`,
    );
  const mode = oneOf(parameters, 'sslmode', modes) ?? 'disable';
  const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;
  if (mode === 'disable') {
    for (const name of Object.values(files))
      if (parameters.has(name))
        refuse(`has ${name}, which does nothing without an sslmode such as verify-full`);
    return false;
  }
  const options: ConnectionOptions = {};
  for (const [option, name] of Object.entries(files)) {
    const path = parameters.get(name);
    if (path !== undefined) Object.assign(options, { [option]: fileIn(path, name) });
  }
  if (mode === 'verify-full') return options;
  if (options.ca === undefined) {
    if (mode === 'verify-ca') refuse('has sslmode=verify-ca, which needs sslrootcert');
    return { ...options, rejectUnauthorized: false };
  }
  return { ...options, checkServerIdentity: () => undefined };
}

function fileIn(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return refuse(`has ${name}, but the file it names cannot be read`);
  }
}
