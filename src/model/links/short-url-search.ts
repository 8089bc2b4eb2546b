import type { Context } from '../context.ts';
import { hostIn } from '../domains/hosts.ts';
import { keyIn } from './domains.ts';
import { searchWords } from './link-search.ts';

/** A search query's words, after its short URLs have been resolved. */
export interface ResolvedWords {
  readonly words: readonly string[];
  /** Ids of the links that short URLs in the query belong to; undefined if there are none. */
  readonly ids?: readonly string[];
  /** Space of the domain in a short URL for which no link was found. */
  readonly space?: string;
}

interface PastedUrl {
  /** Host with port, in A-labels; undefined if the word has only a path. */
  readonly host: string | undefined;
  readonly hostname: string;
  readonly code: string;
}

/**
 * Resolves short URLs in a search query. Accepts them as copied from a message or a QR scanner: with or without a
 * scheme, `/code`, `code+` and `code?query`. If there is no link for a URL on the shared domain or one of the account's
 * domains, searches for its code on that domain, so that results appear while the user types. Other words are searched
 * for unchanged.
 */
export async function resolveWords(
  context: Context,
  accountId: number,
  search: string,
): Promise<ResolvedWords> {
  const words: string[] = [];
  const ids: string[] = [];
  let space: string | undefined;
  for (const word of new Set(search.split(/\s+/u))) {
    const pasted = pastedUrlIn(word);
    const spaces = pasted && (await spacesOf(context, accountId, pasted));
    if (pasted === undefined || spaces === undefined) {
      words.push(word);
      continue;
    }
    const code = codeBelow(pasted.code, spaces, context);
    const found = await linksWithCode(context, accountId, spaces, code);
    ids.push(...found);
    if (found.length > 0) continue;
    if (pasted.host === undefined) words.push(word);
    else {
      words.push(code);
      space = spaces[0];
    }
  }
  return {
    words: searchWords(words.join(' ')),
    ...(ids.length > 0 && { ids }),
    ...(space !== undefined && { space }),
  };
}

/** Removes the base path of the shared domain from a short URL's path. */
function codeBelow(
  path: string,
  spaces: readonly string[],
  { destinations: { ownPath = '' } }: Context,
): string {
  return spaces.includes('') && `/${path}`.startsWith(`${ownPath}/`) ? path.slice(ownPath.length) : path;
}

/** Parses a word as a short URL. Returns undefined if the word does not look like a URL. */
export function pastedUrlIn(word: string): PastedUrl | undefined {
  const hasScheme = /^https?:\/\//i.test(word);
  const hasHost = hasScheme || /^[^/?#+]+\/./.test(word);
  if (!hasHost && !/^\/|[^+]\+$|.[?#]/.test(word)) return undefined;
  const url = URL.parse(hasScheme ? word : hasHost ? `http://${word}` : `http://path/${word}`);
  if (url === null) return undefined;
  const code = decoded(url.pathname).replace(/^\/+|\/+$|\/*\+$/g, '');
  return code === '' ? undefined : { host: hasHost ? url.host : undefined, hostname: url.hostname, code };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the spaces that a pasted code may be in; undefined if the host is neither the shared domain nor the
 * account's.
 */
async function spacesOf(
  { storage, destinations }: Context,
  accountId: number,
  { host, hostname }: PastedUrl,
): Promise<readonly string[] | undefined> {
  if (host === undefined) return ['', ...(await storage.domains(accountId)).map(({ space }) => space)];
  const domain = await storage.domainByHost(accountId, hostIn(hostname) ?? hostname);
  if (domain !== undefined) return [domain.space];
  return destinations.ownHosts.has(host) ? [''] : undefined;
}

async function linksWithCode(
  { storage }: Context,
  accountId: number,
  spaces: readonly string[],
  code: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const space of spaces) {
    const key = keyIn({ space, host: '' }, code);
    const holder = key === undefined ? undefined : await storage.holderOfCode(accountId, key);
    if (holder?.isOwn && holder.linkId !== null) found.push(holder.linkId);
  }
  return found;
}
