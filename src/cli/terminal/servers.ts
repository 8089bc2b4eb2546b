import { readFileSync } from 'node:fs';
import { runningServer } from '../../app/server-file.ts';
import { exits, Stop, unreadable } from './exits.ts';
import { readConfig } from './local.ts';
import { defaultProfile, profileNamed, readProfiles } from './profiles.ts';

const defaultServer = 'http://127.0.0.1:3000';

/** Options for the server and the API key. */
export interface ServerOptions {
  readonly server?: string;
  readonly keyFile?: string;
  readonly profile?: string;
}

/** The server that a command uses. */
export interface ChosenServer {
  readonly server: string;
  /** Source of the server's address, such as `LINKFOLD_URL`. */
  readonly from: string;
  /** Undefined if there is no key for the server. */
  readonly key: string | undefined;
}

let chosen: ChosenServer | undefined;

/**
 * Chooses the server and the key from the options, the environment, the user's profile or the local data directory, in
 * this order. The key in a profile is used only for the profile's server.
 * @throws Stop if a profile or a key cannot be read
 */
export function chooseServer({ server: given, keyFile, profile: named }: ServerOptions): ChosenServer {
  const { LINKFOLD_URL: variable } = process.env;
  const wanted = named === undefined ? undefined : profileNamed(readProfiles(), named);
  const key = keyFile === undefined ? wanted === undefined && keyOfEnvironment() : readKeyFile(keyFile);
  const profile = wanted ?? ((given || variable) && key ? undefined : defaultProfile());
  const { server, from }: Omit<ChosenServer, 'key'> =
    [
      { server: given, from: '--server' },
      { server: wanted?.server, from: `the profile ${named}` },
      { server: variable, from: 'LINKFOLD_URL' },
      { server: profile?.server, from: 'the current profile' },
    ].find(isNamed) ?? localServer();
  const ofProfile = profile !== undefined && isSame(profile.server, server) ? profile.key : undefined;
  chosen = { server, from, key: key || ofProfile };
  return chosen;
}

function isNamed(one: {
  readonly server: string | undefined;
  readonly from: string;
}): one is Omit<ChosenServer, 'key'> {
  return Boolean(one.server);
}

/** Returns the server running on the local data directory, or the default server. */
function localServer(): { readonly server: string; readonly from: string } {
  try {
    const config = readConfig();
    const server = runningServer(config);
    if (server !== undefined) return { server, from: `the data directory ${config.DATA_DIR}` };
    return { server: defaultServer, from: `the default, because no server uses ${config.DATA_DIR}` };
  } catch {
    // The server settings on this machine are invalid. They do not matter if the user only calls remote servers.
    return { server: defaultServer, from: 'the default' };
  }
}

/** Returns a hint for an unreachable server: the source of its address, and how to choose another server. */
export function unreachableHint(): string {
  if (chosen === undefined || chosen.from === '--server') return '';
  return ` This URL is from ${chosen.from}. To use another server, pass --server URL or --profile NAME, or set LINKFOLD_URL.`;
}

/** Returns the API key. @throws Stop if there is no key for the server */
export function requireKey({ server, key }: ChosenServer): string {
  if (key !== undefined) return key;
  throw new Stop(
    exits.usage,
    `No API key for ${server}. Sign in with: linkfold login ${server}. Or set LINKFOLD_API_KEY or LINKFOLD_API_KEY_FILE, or pass --key-file. On the server’s machine, create a key with: linkfold keys create --account NAME`,
  );
}

function isSame(server: string, other: string): boolean {
  return server.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}

function keyOfEnvironment(): string | undefined {
  const direct = process.env.LINKFOLD_API_KEY || undefined;
  const path = process.env.LINKFOLD_API_KEY_FILE || undefined;
  if (direct !== undefined && path !== undefined)
    throw new Stop(exits.usage, 'LINKFOLD_API_KEY and LINKFOLD_API_KEY_FILE are both set. Unset one.');
  return path === undefined ? direct?.trim() : readKeyFile(path);
}

function readKeyFile(path: string): string {
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw unreadable(`the key file ${path}`, error);
  }
  if (key === '') throw new Stop(exits.usage, `The key file ${path} is empty.`);
  return key;
}
