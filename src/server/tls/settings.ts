import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  fail,
  flag,
  readableFile,
  type Setting,
  setting,
  shortened,
  webAddress,
  wholeNumber,
} from '../../runtime/setting-values.ts';

const authorities: Readonly<Record<string, string>> = {
  letsencrypt: 'https://acme-v02.api.letsencrypt.org/directory',
  staging: 'https://acme-staging-v02.api.letsencrypt.org/directory',
};

function directory(text: string): string {
  const url = authorities[text] ?? webAddress(text);
  return url.startsWith('https:') ? url : fail('must be letsencrypt, staging or an https URL');
}

function email(text: string): string {
  return /^[^\s@,?]+@[^\s@,?]+$/.test(text) ? text : fail('must be an email address');
}

function secret(text: string): string {
  return /^[\x21-\x7e]{32,}$/.test(text)
    ? text
    : fail(
        'must be at least 32 printable ASCII characters without spaces; to generate it: openssl rand -hex 32',
      );
}

/**
 * Creates the parser for a setting that contains the path of a PEM file. `parse` must accept the file's content.
 */
function pemFile(what: string, parse: (pem: string) => unknown) {
  return (text: string): string => {
    const path = readableFile(text);
    const pem = readFileSync(path, 'utf8');
    try {
      parse(pem);
    } catch {
      fail(`is ${shortened(text)}, which is not ${what} in PEM format`);
    }
    return path;
  };
}

/** Settings for HTTPS. They have no effect unless HTTPS_PORT is set. */
export const tlsSettings = {
  HTTPS_PORT: setting(
    'Port for HTTPS in addition to PORT, usually 443; 0 for any free port. Unset: no HTTPS.',
    null,
    wholeNumber(0, 65_535),
  ),
  HTTP_PORT: setting(
    'Port, usually 80, that redirects to HTTPS and answers challenges of certificate authorities. Unset: none.',
    null,
    wholeNumber(0, 65_535),
  ),
  HTTPS_HOST: setting('Address to listen on for HTTPS_PORT and HTTP_PORT.', '0.0.0.0', (text) => text),
  TLS_CERT: setting(
    'PEM file with a certificate and its chain. Reloaded when it changes.',
    null,
    pemFile('a certificate', (pem) => new X509Certificate(pem)),
  ),
  TLS_KEY: setting(
    'PEM file with the private key of TLS_CERT.',
    null,
    pemFile('a private key without a passphrase', (pem) => createPrivateKey(pem)),
  ),
  ACME: setting('1 obtains and renews certificates automatically (ACME).', '0', flag),
  ACME_EMAIL: setting('Contact email address for the certificate authority. Unset: none.', null, email),
  ACME_DIRECTORY: setting(
    'Certificate authority: letsencrypt, staging (Let’s Encrypt’s test environment), or the URL of an ACME directory.',
    'letsencrypt',
    directory,
  ),
  ACME_EAB_KID: setting(
    'Key ID for external account binding, if the certificate authority requires it.',
    null,
    (text) => text,
  ),
  ACME_EAB_KEY: setting(
    'HMAC key for external account binding, as issued by the certificate authority.',
    null,
    (text) => text,
    { secret: true },
  ),
  ACME_ORDERS: setting(
    'Maximum certificate orders in 3 hours; further domains wait. Renewals count but never wait. Let’s Encrypt allows 300.',
    '200',
    wholeNumber(1, 100_000),
  ),
  ACME_ACCOUNT_ORDERS: setting(
    'Maximum certificate orders per account per hour; further ones wait.',
    '15',
    wholeNumber(1, 100_000),
  ),
  SECRET_KEY: setting(
    'Encrypts private keys and webhook secrets in the database, and signs cookies of excluded browsers. Unset: the file secret-key in DATA_DIR, created when needed.',
    null,
    secret,
    { secret: true },
  ),
  HSTS: setting(
    'Value of Strict-Transport-Security: for how many seconds browsers use only HTTPS for a host. 0 omits the header.',
    '0',
    wholeNumber(0, 63_072_000),
  ),
  TLS_CHECK: setting(
    '1 also answers /tls-check?domain=HOST on PORT (whether a host may get a certificate). 0 turns it off.',
    '0',
    flag,
  ),
} as const satisfies Record<string, Setting<unknown>>;

const ports = [
  ['PORT', 'HOST'],
  ['HTTPS_PORT', 'HTTPS_HOST'],
  ['HTTP_PORT', 'HTTPS_HOST'],
  ['METRICS_PORT', 'METRICS_HOST'],
] as const;

/** Returns an error message for each pair of port settings that have the same port on the same address. */
function portProblems(values: Readonly<Record<string, unknown>>): string[] {
  const isSame = (one: string, other: string): boolean =>
    values[one] === values[other] ||
    [values[one], values[other]].some((host) => host === '0.0.0.0' || host === '::');
  return ports.flatMap(([name, host], at) =>
    ports
      .slice(at + 1)
      .filter(([other, itsHost]) => values[name] && values[name] === values[other] && isSame(host, itsHost))
      .map(([other]) => `${name} and ${other} are both ${values[name]}. Use different ports.`),
  );
}

function isPair(cert: string, key: string): boolean {
  return new X509Certificate(readFileSync(cert)).checkPrivateKey(createPrivateKey(readFileSync(key)));
}

/** Returns an error message for each conflict between HTTPS settings. */
export function tlsProblems(values: Readonly<Record<string, unknown>>, sharesDatabase: boolean): string[] {
  const has = (name: keyof typeof tlsSettings): boolean => values[name] != null && values[name] !== false;
  const problems = portProblems(values);
  const unless = (isWell: boolean, sentence: string): void => void (isWell || problems.push(sentence));
  unless(has('TLS_CERT') === has('TLS_KEY'), 'TLS_CERT and TLS_KEY require each other. Set both.');
  const { TLS_CERT: cert, TLS_KEY: key } = values;
  if (typeof cert === 'string' && typeof key === 'string')
    unless(
      isPair(cert, key),
      'TLS_KEY is not the private key of TLS_CERT. Set both to a matching pair of files.',
    );
  unless(
    has('ACME_EAB_KID') === has('ACME_EAB_KEY'),
    'ACME_EAB_KID and ACME_EAB_KEY require each other. Set both.',
  );
  if (!has('HTTPS_PORT')) {
    for (const name of ['HTTP_PORT', 'TLS_CERT', 'ACME'] as const)
      unless(!has(name), `${name} requires HTTPS_PORT.`);
    return problems;
  }
  unless(
    has('TLS_CERT') || has('ACME'),
    'HTTPS_PORT requires a certificate. Set TLS_CERT and TLS_KEY, or ACME=1.',
  );
  if (!has('ACME')) return problems;
  const base = URL.parse(String(values['BASE_URL'] ?? ''));
  unless(
    base?.protocol === 'https:' &&
      base.hostname.includes('.') &&
      isIP(base.hostname) === 0 &&
      !base.hostname.includes(':'),
    'ACME requires BASE_URL with an https URL and a public host name.',
  );
  unless(
    !sharesDatabase || has('SECRET_KEY'),
    'ACME on PostgreSQL requires SECRET_KEY, the same on every node, because nodes share encrypted private keys.',
  );
  return problems;
}
