import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrlOf, type Config } from '../config.ts';
import { pathOfBase } from '../runtime/base-path.ts';
import { reasonOf } from '../runtime/files/file-faults.ts';
import { replaceFile } from '../runtime/files/replace-file.ts';
import type { Logger } from '../telemetry/log.ts';
import { recordServer, runningServer } from './server-file.ts';

/** Secrets that are shown once, at startup, and only on a terminal. */
export interface Secrets {
  /** A new installation's first API key. */
  readonly firstKey?: string | undefined;
  /** Token for a one-time dashboard login link. */
  readonly login?: string | undefined;
}

/** Returns the dashboard URL. */
export function dashboardUrl(config: Config, port: number): string {
  const { DASHBOARD_HOST: host } = config;
  if (host === null) return `${baseUrlOf(config, port)}/dashboard`;
  if (isLoopback(host)) return `http://${host}:${port}/dashboard`;
  return `${config.BASE_URL?.startsWith('http:') ? 'http' : 'https'}://${host}/dashboard`;
}

/**
 * Returns the dashboard URL that a command displays, with the running server's port, or the configured port if no
 * server is running.
 */
export function runningDashboardUrl(config: Config): string {
  const server = runningServer(config);
  return dashboardUrl(config, server === undefined ? config.PORT : Number(new URL(server).port));
}

/**
 * Logs the startup message: the listening address, the base URL for short links, the data directory, and a new
 * installation's first key.
 * @param port the actual port
 */
export function announce({ firstKey, login }: Secrets, config: Config, port: number, log: Logger): void {
  const watched = process.stdout.isTTY;
  if (config.BASE_URL === null && !isLoopback(config.HOST)) {
    const facts = { host: config.HOST, url: baseUrlOf(config, port) };
    log.warn(
      facts,
      'BASE_URL is not set, so short URLs only work on this machine. Set BASE_URL to the public URL of this server.',
    );
  }
  const places = serviceAddresses(config, port);
  recordServer(config, places.here);
  log.info({ listening: places.listening, url: places.url, data: places.data }, 'ready');
  if (watched) process.stdout.write(bannerOf(places, firstKey, login));
}

interface ServiceAddresses {
  /** Address that the server listens on. `here` is the URL for clients on this machine. */
  readonly listening: string;
  readonly here: string;
  /** Base URL for short links. */
  readonly url: string;
  readonly data: string;
  /** File with the first key; undefined if the file does not exist. */
  readonly keyFile: string | undefined;
  /** Dashboard URL; undefined if the dashboard is disabled. */
  readonly dashboard: string | undefined;
}

function serviceAddresses(config: Config, port: number): ServiceAddresses {
  const keyFile = keyFileOf(config);
  return {
    listening: httpUrl(config.HOST, port),
    here: httpUrl(hostFromHere(config.HOST), port) + pathOfBase(config.BASE_URL),
    url: baseUrlOf(config, port),
    data: config.DATA_DIR,
    keyFile: existsSync(keyFile) ? keyFile : undefined,
    dashboard: config.DASHBOARD ? dashboardUrl(config, port) : undefined,
  };
}

function keyFileOf({ DATA_DIR }: Config): string {
  return join(DATA_DIR, 'first-key.txt');
}

function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Replaces a wildcard address, such as 0.0.0.0, with a loopback address that clients can connect to. */
function hostFromHere(host: string): string {
  return { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/**
 * Returns a function that writes the first key to a file that only this user can read, never to a log. Returns
 * undefined if the key is shown on a terminal.
 */
export function firstKeyWriter(config: Config, log: Logger): ((key: string) => void) | undefined {
  return process.stdout.isTTY ? undefined : (key) => writeFirstKey(key, config, log);
}

function writeFirstKey(key: string, config: Config, log: Logger): void {
  const path = keyFileOf(config);
  try {
    replaceFile(path, `${key}\n`);
  } catch (error) {
    const remedy = 'create another with: linkfold keys create --account default';
    log.error({ path, reason: reasonOf(error) }, `could not save the first API key; ${remedy}`);
    return;
  }
  const message = 'the first API key is in this file; store it elsewhere and delete the file';
  log.info({ path }, message);
  // Tells the operator where the key is, even if LOG_LEVEL hides the log line above.
  if (!log.isLevelEnabled('info')) process.stderr.write(`${path}: ${message}\n`);
}

function bannerOf(places: ServiceAddresses, firstKey: string | undefined, login: string | undefined): string {
  const { listening, here, url, data, keyFile, dashboard } = places;
  const facts = [
    ['Listens on', listening],
    ['Short URLs', `${url}/…`],
    ...(dashboard === undefined
      ? []
      : [['Dashboard', login === undefined ? dashboard : `${dashboard}/login#${login}`]]),
    ...(login === undefined
      ? []
      : [['', 'can be used once, expires after 30 minutes; for another link: linkfold login']]),
    ['Data', data],
    ...(keyFile === undefined ? [] : [['First key', `${keyFile} (store it elsewhere and delete the file)`]]),
    ...(firstKey === undefined ? [['More keys', 'linkfold keys create --account NAME']] : []),
  ];
  const lines = facts.map(([name = '', fact = '']) => `    ${name.padEnd(12)}${fact}\n`).join('');
  return `\n  Linkfold is running.\n\n${lines}\n${firstKey === undefined ? '' : welcomeOf(firstKey, here)}`;
}

function welcomeOf(key: string, here: string): string {
  return `\
  Your first API key, shown only this once (account "default"):

    ${key}

  Shorten your first link:

    curl -X POST '${here}/api/v1/shorten' \\
      -H 'Authorization: Bearer ${key}' \\
      -H 'Content-Type: application/json' \\
      -d '{"url":"https://example.com/"}'

`;
}
