import { type Client, createClient } from '../../src/client/client.ts';
import { originOf } from './origins.ts';

/** The server on which links are created, with its key. Stored on this device only. */
export interface Server {
  /** URL such as `https://go.example.com`, without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

/** Last selection, used as the default for the next link. */
export interface Chosen {
  readonly domain?: string;
  readonly folder?: string;
}

export async function readServer(): Promise<Server | undefined> {
  const { server } = await chrome.storage.local.get(['server']);
  return server as Server | undefined;
}

export function keepServer(server: Server): Promise<void> {
  return chrome.storage.local.set({ server });
}

/** Deletes the server, key and last selection, and revokes the host permission. */
export async function forgetServer({ url }: Server): Promise<void> {
  await chrome.storage.local.remove(['server', 'chosen']);
  // Ignore a failure, because a permission granted by an administrator cannot be removed.
  await chrome.permissions.remove({ origins: [hostsOf(url)] }).catch(() => false);
}

export async function readChosen(): Promise<Chosen> {
  const { chosen } = await chrome.storage.local.get(['chosen']);
  return (chosen ?? {}) as Chosen;
}

export function keepChosen(chosen: Chosen): Promise<void> {
  return chrome.storage.local.set({ chosen });
}

/**
 * Parses a server URL that the user typed. Requires https to protect the key, except for servers on the same machine.
 * @returns undefined if the URL is invalid
 */
export function serverUrl(typed: string): string | undefined {
  const origin = originOf(typed);
  if (origin === undefined) return undefined;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname) ? origin : undefined;
}

/** Returns the match pattern for a server's pages, for permission requests. Firefox patterns have no port. */
function hostsOf(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

export function isHostAllowed(url: string): Promise<boolean> {
  return chrome.permissions.contains({ origins: [hostsOf(url)] });
}

/** Requests permission to access the server. Must be called in a click handler. */
export function requestHostAccess(url: string): Promise<boolean> {
  return chrome.permissions.request({ origins: [hostsOf(url)] });
}

/**
 * Creates a client that fails fast, because a user is waiting. Browsers send the dashboard's cookie to permitted hosts,
 * so the client omits cookies: the server accepts only one credential.
 */
export function clientFor({ url, key }: Server): Client {
  const withoutCookies: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });
  return createClient({ baseUrl: url, apiKey: key, fetch: withoutCookies, retries: 0, timeoutMs: 10_000 });
}

/** Scopes that the extension requires. */
export const scopes = ['links:read', 'links:write'] as const;

/** Returns the URL of the dashboard page that creates a key with the scopes that the extension needs. */
export function newKeyAddress(url: string, name: string): string {
  return `${url}/dashboard/keys?${new URLSearchParams({ key: scopes.join(','), title: name })}`;
}
