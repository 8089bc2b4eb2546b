import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { isId } from '../../model/ids.ts';
import { couldBeCode, couldBeExactCode } from '../../model/links/codes/codes.ts';
import { exits, Stop } from './exits.ts';

/** A client, and the server on which it looks up references. */
export interface ServerConnection {
  readonly client: Client;
  readonly server: string;
}

/** A link with all fields. */
export type FullLink = Awaited<ReturnType<Client['getLinkByCode']>>;

/** Help text for arguments that {@link findLink} accepts. */
export const aboutLink = 'code, short URL or ID of the link, or external: and its external ID';

/** Prefix of an external ID. Only case-sensitive codes can contain a colon. */
const externalMark = 'external:';

/**
 * Finds a link by its code, its short URL, its ID, or its external ID with the prefix `external:`.
 * @throws Stop if the argument has none of these forms, or is a short URL from another service; ApiError if there is no
 * such link
 */
export async function findLink(connection: ServerConnection, text: string): Promise<FullLink> {
  const { client } = connection;
  if (text.startsWith(externalMark)) return client.getLinkByExternalId(text.slice(externalMark.length));
  if (isId(text)) {
    const { includable } = await import('../../client/client.ts');
    return (await client.getLink(text, { include: includable })) as FullLink;
  }
  return withCode(
    withoutPath(connection, text),
    async (reference) => (await byCode(connection, text, reference)).link,
  );
}

interface LinkOnDomain {
  readonly link: FullLink;
  /** Host of the short URL, if the argument contains one. */
  readonly domain?: string;
}

/**
 * Looks up a code on the domain of the short URL's host. If the account has no such domain, looks it up on the default
 * domain, because the server may also be reachable under other host names.
 */
async function byCode(
  connection: ServerConnection,
  text: string,
  { code, host }: Reference,
): Promise<LinkOnDomain> {
  const { client } = connection;
  if (host === undefined) return { link: await client.getLinkByCode(code) };
  const domain = new URL(`http://${host}`).hostname;
  try {
    return { link: await client.getLinkByCode(code, { domain }), domain };
  } catch (error) {
    if (!isNoDomain(error)) throw error;
    const link = await client.getLinkByCode(code);
    requireHost(connection, text, host, link.shortUrl);
    return { link };
  }
}

/**
 * Calls `ask` with the code that an argument contains.
 * @throws Stop if the argument contains no code, or is a short URL from another service; ApiError from `ask`
 */
export function withOwnCode(
  connection: ServerConnection,
  text: string,
  ask: (code: string, domain?: string) => Promise<void>,
): Promise<string> {
  return withCode(withoutPath(connection, text), async (reference) => {
    const { code, host } = reference;
    await ask(code, host === undefined ? undefined : (await byCode(connection, text, reference)).domain);
    return code;
  });
}

/** Returns the ID of a link. @throws the errors of {@link findLink} */
export async function linkId(connection: ServerConnection, text: string): Promise<string> {
  return isId(text) ? text : (await findLink(connection, text)).id;
}

/**
 * Returns the ID of a deleted link.
 * @throws Stop if the link is not deleted, no deleted link has the code, or the argument is a short URL from another
 * service
 */
export async function deletedLinkId(connection: ServerConnection, text: string): Promise<string> {
  if (isId(text)) {
    const live = await connection.client.getLink(text).catch(absent);
    if (live !== undefined) throw notDeleted(live);
    return text;
  }
  if (text.startsWith(externalMark)) {
    const externalId = text.slice(externalMark.length);
    const [gone] = (await connection.client.listLinks({ status: 'deleted', externalId, limit: 1 })).data;
    if (gone === undefined) throw notDeleted(await findLink(connection, text));
    return gone.id;
  }
  return withCode(withoutPath(connection, text), async (reference) => {
    const { code, host } = reference;
    const domain = host === undefined ? {} : { domain: new URL(`http://${host}`).hostname };
    const deleted = await connection.client
      .listLinks({ status: 'deleted', code, ...domain })
      .catch((error: unknown) =>
        isNoDomain(error) ? connection.client.listLinks({ status: 'deleted', code }) : Promise.reject(error),
      );
    const [gone] = deleted.data;
    const live = gone ? undefined : await byCode(connection, text, reference).catch(absent);
    if (live !== undefined) throw notDeleted(live.link);
    if (gone === undefined)
      throw new Stop(
        exits.refused,
        `No deleted link has the code "${code}". To list deleted links: linkfold links list --deleted.`,
      );
    requireHost(connection, text, host, gone.shortUrl);
    return gone.id;
  });
}

function notDeleted({ shortUrl }: Pick<FullLink, 'shortUrl'>): Stop {
  return new Stop(exits.refused, `${shortUrl} is not deleted.`);
}

function absent(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'LINK_NOT_FOUND') throw error;
  return undefined;
}

function isNoDomain(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'DOMAIN_NOT_FOUND';
}

/** Removes the server's base path from a short URL. */
function withoutPath({ server }: ServerConnection, text: string): string {
  const [, path = ''] = /^https?:\/\/[^/]*(.*?)\/*$/.exec(server) ?? [];
  const [, start = '', rest = ''] = /^((?:https?:\/\/)?[^/]*)(\/.*)$/i.exec(text) ?? [];
  return path !== '' && rest.startsWith(`${path}/`) ? start + rest.slice(path.length) : text;
}

/** A code, and the host if the argument is a short URL. */
interface Reference {
  readonly code: string;
  readonly host?: string | undefined;
}

/**
 * Calls `ask` with the code that an argument contains. An argument such as `go/sale` may be a code with segments, or a
 * short URL whose host has no dots. It is tried as a code first, then as a short URL.
 * @throws Stop if the argument is neither; the error for the code if neither exists
 */
export async function withCode<T>(text: string, ask: (reference: Reference) => Promise<T>): Promise<T> {
  const [first, other] = referencesIn(text);
  if (first === undefined)
    throw new Stop(exits.refused, `"${text}" is not a link. Specify a code, a short URL or an ID.`);
  if (other === undefined) return ask(first);
  try {
    return await ask(first);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // If neither the code nor the short URL exists, the error for the code is reported, because the code is what the
    // user typed.
    return ask(other).catch((second) => Promise.reject(isMissing(second) ? error : second));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Stop || (error instanceof ApiError && error.status === 404);
}

/**
 * Returns the possible meanings of an argument: the argument itself as a code, and the code in a short URL with or
 * without a scheme.
 */
export function referencesIn(text: string): Reference[] {
  const found: Reference[] = couldBeCode(text) ? [{ code: text }] : [];
  const url = text.includes('/') ? URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`) : null;
  const code = decoded((url?.pathname ?? '').replace(/^\/|\/$/g, ''));
  if (url !== null && (couldBeCode(code) || couldBeExactCode(code))) found.push({ code, host: url.host });
  return found.length === 0 && couldBeExactCode(text) ? [{ code: text }] : found;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

/** Rejects a short URL from another service, because its code may also exist here. */
function requireHost(
  { server }: ServerConnection,
  text: string,
  host: string | undefined,
  shortUrl: string,
): void {
  const ours = [URL.parse(shortUrl)?.host, URL.parse(server)?.host];
  if (host === undefined || ours.includes(host)) return;
  throw new Stop(
    exits.refused,
    `${text} is not a short URL of this server. Its short URLs begin with ${new URL(shortUrl).origin}/.`,
  );
}
