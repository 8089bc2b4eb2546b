import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { isId } from '../../model/ids.ts';
import { couldBeCode, couldBeExactCode } from '../../model/links/codes/codes.ts';
import { exits, Stop } from './exits.ts';

/** Where references are looked up: a client, and the server that it talks to. */
export interface Place {
  readonly client: Client;
  readonly server: string;
}

/** Everything about a link. */
export type WholeLink = Awaited<ReturnType<Client['getLinkByCode']>>;

/** How commands describe what {@link findLink} takes. */
export const aboutLink = 'code, short URL or id of the link, or external: and its external id';

/** What names a link by the name that another system has for it begins with this; no code has a colon. */
const externalMark = 'external:';

/**
 * Finds a link by its code, its short URL, its id, or as `external:` and what another system calls it.
 * @throws Stop when the text can be none of them; ApiError when there is no such link
 */
export async function findLink(place: Place, text: string): Promise<WholeLink> {
  const { client } = place;
  if (text.startsWith(externalMark)) return client.getLinkByExternalId(text.slice(externalMark.length));
  if (isId(text)) {
    const { includable } = await import('../../client/client.ts');
    return (await client.getLink(text, { include: includable })) as WholeLink;
  }
  return withCode(text, async (reference) => (await byCode(place, text, reference)).link);
}

interface Found {
  readonly link: WholeLink;
  /** Of the code that was asked by, when the text names it. */
  readonly domain?: string;
}

/** On the domain of the host; where there is none, on the default one: the server may have other names. */
async function byCode(place: Place, text: string, { code, host }: Reference): Promise<Found> {
  const { client } = place;
  if (host === undefined) return { link: await client.getLinkByCode(code) };
  const domain = new URL(`http://${host}`).hostname;
  try {
    return { link: await client.getLinkByCode(code, { domain }), domain };
  } catch (error) {
    if (!isNoDomain(error)) throw error;
    const link = await client.getLinkByCode(code);
    requireHost(place, text, host, link.shortUrl);
    return { link };
  }
}

/** The code in a text. @throws Stop when the text is none, or a short URL of another service; ApiError from `ask` */
export function withOwnCode(
  place: Place,
  text: string,
  ask: (code: string, domain?: string) => Promise<void>,
): Promise<string> {
  return withCode(text, async (reference) => {
    const { code, host } = reference;
    await ask(code, host === undefined ? undefined : (await byCode(place, text, reference)).domain);
    return code;
  });
}

/** The id of a link. @throws as {@link findLink} */
export async function linkId(place: Place, text: string): Promise<string> {
  return isId(text) ? text : (await findLink(place, text)).id;
}

/**
 * Returns the id of a deleted link.
 * @throws Stop if the link is not deleted, or no link has the code
 */
export async function deletedLinkId(place: Place, text: string): Promise<string> {
  if (isId(text)) {
    const live = await place.client.getLink(text).catch(absent);
    if (live !== undefined) throw notDeleted(live);
    return text;
  }
  if (text.startsWith(externalMark)) {
    const externalId = text.slice(externalMark.length);
    const [gone] = (await place.client.listLinks({ status: 'deleted', externalId, limit: 1 })).data;
    if (gone === undefined) throw notDeleted(await findLink(place, text));
    return gone.id;
  }
  return withCode(text, async (reference) => {
    const { code, host } = reference;
    const domain = host === undefined ? {} : { domain: new URL(`http://${host}`).hostname };
    const deleted = await place.client
      .listLinks({ status: 'deleted', code, ...domain })
      .catch((error: unknown) =>
        isNoDomain(error) ? place.client.listLinks({ status: 'deleted', code }) : Promise.reject(error),
      );
    const [gone] = deleted.data;
    const live = gone ? undefined : await byCode(place, text, reference).catch(absent);
    if (live !== undefined) throw notDeleted(live.link);
    if (gone === undefined)
      throw new Stop(
        exits.refused,
        `No deleted link has the code "${code}". All there are: linkfold links list --deleted.`,
      );
    requireHost(place, text, host, gone.shortUrl);
    return gone.id;
  });
}

function notDeleted({ shortUrl }: Pick<WholeLink, 'shortUrl'>): Stop {
  return new Stop(exits.refused, `${shortUrl} is not deleted.`);
}

function absent(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'LINK_NOT_FOUND') throw error;
  return undefined;
}

function isNoDomain(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'DOMAIN_NOT_FOUND';
}

/** A code that a text names, and the host when the text is a short URL. */
interface Reference {
  readonly code: string;
  readonly host?: string | undefined;
}

/**
 * Asks by the code that a text names. What could be a code of segments or a short URL of a host without dots (`go/sale`) is
 * taken for the code, and for the URL when there is no such code.
 * @throws Stop when the text is neither; what asking for the code throws when the URL leads to nothing either
 */
export async function withCode<T>(text: string, ask: (reference: Reference) => Promise<T>): Promise<T> {
  const [first, other] = referencesIn(text);
  if (first === undefined)
    throw new Stop(exits.refused, `"${text}" is not a link: give a short code, a short URL or an id.`);
  if (other === undefined) return ask(first);
  try {
    return await ask(first);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Of two that are not there the code is told, which stands there as it was typed.
    return ask(other).catch((second) => Promise.reject(isMissing(second) ? error : second));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Stop || (error instanceof ApiError && error.status === 404);
}

/** What a text can name: the text itself as a code, and the code of a short URL with or without its scheme. */
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

/** A short URL of another service may have the same code. */
function requireHost({ server }: Place, text: string, host: string | undefined, shortUrl: string): void {
  const ours = [URL.parse(shortUrl)?.host, URL.parse(server)?.host];
  if (host === undefined || ours.includes(host)) return;
  throw new Stop(
    exits.refused,
    `${text} is not a short URL of this server: those begin with ${new URL(shortUrl).origin}/.`,
  );
}
