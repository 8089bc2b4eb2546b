import { type Client, createClient } from '../../src/client/client.ts';
import { originOf } from './origins.ts';

/** The server that links are made on, with the key for it. It is kept on this device only. */
export interface Server {
  /** Such as `https://go.example.com`, without a slash at its end. */
  readonly url: string;
  readonly key: string;
}

/** What was chosen last, for the next link. */
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

/** Forgets server, key and what was chosen, and gives the access to the server back. */
export async function forgetServer({ url }: Server): Promise<void> {
  await chrome.storage.local.remove(['server', 'chosen']);
  // Access that an administrator gave stays.
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
 * What somebody typed as an address of a server. A key goes over https only, but for servers on the same machine.
 * @returns undefined when it is none
 */
export function serverUrl(typed: string): string | undefined {
  const origin = originOf(typed);
  if (origin === undefined) return undefined;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname) ? origin : undefined;
}

/** The pattern of a server's pages in permissions, in which Firefox knows no ports. */
function hostsOf(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

export function isHostAllowed(url: string): Promise<boolean> {
  return chrome.permissions.contains({ origins: [hostsOf(url)] });
}

/** Asks the person for access to this one server, in answer to a click. */
export function requestHostAccess(url: string): Promise<boolean> {
  return chrome.permissions.request({ origins: [hostsOf(url)] });
}

/**
 * A client that tells failures at once: somebody is looking. Browsers would add the cookie of the dashboard to what an
 * extension asks a server that it may reach, and the server takes one of key and session.
 */
export function clientFor({ url, key }: Server): Client {
  const withoutCookies: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });
  return createClient({ baseUrl: url, apiKey: key, fetch: withoutCookies, retries: 0, timeoutMs: 10_000 });
}

/** What the key may have to do for the extension. */
export const scopes = ['links:read', 'links:write'] as const;

/** Where the dashboard makes such a key. */
export function newKeyAddress(url: string, name: string): string {
  return `${url}/dashboard/keys?${new URLSearchParams({ key: scopes.join(','), title: name })}`;
}
