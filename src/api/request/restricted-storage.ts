import {
  hasFolder,
  hasSpace,
  isWithin,
  type ResolvedRestrictions,
  restrictedKeyFailure,
} from '../../model/accounts/key-restrictions.ts';
import type { Domain } from '../../model/domains/domains.ts';
import type { Folder } from '../../model/links/folders.ts';
import type { StoredLink } from '../../model/links/link-records.ts';
import { type Tag, tagKey } from '../../model/links/tags.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { Storage, Writes } from '../../model/storage.ts';

type Named = keyof Storage;
type AllowedStorage = { readonly [K in Named]?: Storage[K] };

/**
 * Read methods that need no restriction. They return no links, or only details of links that the caller has already
 * read.
 */
const unrestrictedReads = [
  ...([
    'sessions',
    'preferences',
    'branding',
    'accountSettings',
    'credentials',
    'identitiesOf',
    'utmTemplates',
  ] as const),
  ...(['findCredential', 'findSession'] as const),
  ...(['appFilesOf', 'certificatesOf', 'destinationChecks', 'clicksByBucket', 'excludedVisits'] as const),
  'findIdempotencyKey',
] as const satisfies readonly Named[];

/** Write methods that check that the changed records are within the restrictions (`Author.restrictions`). */
const linkWrites = [
  ...([
    'createLink',
    'createUnlessExists',
    'upsertLink',
    'updateByExternalId',
    'deleteByExternalId',
  ] as const),
  ...(['updateLink', 'moveLink', 'deleteLink', 'restoreLink', 'bulkLinks'] as const),
  'applyManifest',
  ...(['changeCode', 'addAlias', 'removeAlias', 'shareLink', 'revokeShare'] as const),
] as const satisfies readonly (keyof Writes)[];

/** Write methods for sessions, passkeys, identities and dashboard preferences. These methods do not affect links. */
const sessionWrites = [
  ...(['createSession', 'endSession', 'endSessions', 'putPreferences'] as const),
  ...(['createChallenge', 'takeChallenge', 'createPasskey', 'renamePasskey', 'deletePasskey'] as const),
  ...(['connectIdentity', 'disconnectIdentities'] as const),
] as const satisfies readonly (keyof Writes)[];

/**
 * Wraps storage for a restricted key and hides records outside the key's restrictions. Access is denied by default: a
 * new storage method is unavailable until it is listed in this file.
 */
export function restrictedStorage(storage: Storage, restrictions: ResolvedRestrictions): Storage {
  const writes = (of: Writes, names: readonly (keyof Writes)[]): Writes =>
    denyExcept(storage, pick(of, names)) as Writes;
  const every = [...linkWrites, ...sessionWrites];
  return denyExcept(storage, {
    ...pick(storage, unrestrictedReads),
    // Without an author, only session writes are allowed. All other writes need restrictions, and those are passed with
    // the author.
    ...pick(storage, sessionWrites),
    ...restrictLinkReads(storage, restrictions),
    ...restrictGroupReads(storage, restrictions),
    ...restrictClickReads(storage, restrictions),
    writesBy: (author) => writes(storage.writesBy({ ...author, restrictions }), every),
    idempotent: (once, write, by) =>
      storage.idempotent(
        once,
        (given) => write(writes(given, by === undefined ? sessionWrites : every)),
        by && { ...by, restrictions },
      ),
  });
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}

function denyExcept(storage: Storage, open: AllowedStorage): Storage {
  const closed = Object.keys(storage).map((name) => [
    name,
    () => {
      throw restrictedKeyFailure();
    },
  ]);
  return { ...Object.fromEntries(closed), ...open } as Storage;
}

type LinkResult<L> = { readonly link: L } | undefined;

function restrictLinkReads(storage: Storage, restrictions: ResolvedRestrictions): AllowedStorage {
  const within = async <L extends StoredLink, F extends LinkResult<L>>(found: MaybePromise<F>) => {
    const known = await found;
    return known !== undefined && isWithin(restrictions, known.link) ? known : undefined;
  };
  const isLink = async (accountId: number, id: string): Promise<boolean> =>
    (await within(storage.link(accountId, id))) !== undefined;
  return {
    link: (...asked) => within(storage.link(...asked)),
    linkByCode: (...asked) => within(storage.linkByCode(...asked)),
    linkByExternalId: (...asked) => within(storage.linkByExternalId(...asked)),
    deletedLinkByCode: (...asked) => within(storage.deletedLinkByCode(...asked)),
    deletedLinks: (accountId, limit, after, externalId) =>
      storage.deletedLinks(accountId, limit, after, externalId, restrictions),
    findLinks: (accountId, search) => storage.findLinks(accountId, { ...search, restrictions }),
    async links(accountId, folder, limit, offset) {
      const order = { sort: 'createdAt', order: 'desc', total: 'always' } as const;
      const found = await storage.findLinks(accountId, {
        folder,
        words: [],
        now: 0,
        limit,
        offset,
        restrictions,
        ...order,
      });
      const appliedTo = found.links[0]?.appliedTo ?? 0;
      return { links: found.links.map(({ link }) => link), total: found.total ?? 0, appliedTo };
    },
    async aliases(accountId, id) {
      if (!(await isLink(accountId, id))) return undefined;
      const found = await storage.aliases(accountId, id);
      return found?.filter(({ host }) => hasHost(restrictions, host ?? ''));
    },
    async shares(accountId, id) {
      return (await isLink(accountId, id)) ? storage.shares(accountId, id) : undefined;
    },
    async codeHolders(accountId, keys) {
      const holders = await storage.codeHolders(accountId, keys);
      const seen = [...holders].map(async ([key, holder]) => {
        if (holder.kind === 'other') return [key, holder] as const;
        const isSeen =
          holder.kind === 'gone'
            ? (await within(storage.deletedLinkByCode(accountId, key))) !== undefined
            : await isLink(accountId, holder.id);
        return [key, isSeen ? holder : ({ kind: 'other' } as const)] as const;
      });
      return new Map(await Promise.all(seen));
    },
    async holderOfCode(accountId, key) {
      const holder = await storage.holderOfCode(accountId, key);
      const isSeen = holder?.linkId == null || (await isLink(accountId, holder.linkId));
      return isSeen ? holder : { isOwn: false, linkId: null };
    },
  };
}

function hasHost({ domains }: ResolvedRestrictions, host: string): boolean {
  return domains === undefined || domains.some((one) => one.host === host);
}

/**
 * Returns read methods for folders, tags and domains that apply the restrictions. Counts include only links within the
 * restrictions.
 */
function restrictGroupReads(storage: Storage, restrictions: ResolvedRestrictions): AllowedStorage {
  let counted: ReturnType<Storage['countLinksWithin']> | undefined;
  // Counts links at most once per request, because each request has its own wrapper.
  const counts = async (accountId: number) => {
    counted ??= storage.countLinksWithin(accountId, restrictions);
    return counted;
  };
  const folder = async (accountId: number, id: string): Promise<Folder | undefined> => {
    const found = hasFolder(restrictions, id) ? await storage.folder(accountId, id) : undefined;
    return found && { ...found, linkCount: (await counts(accountId)).folders.get(id) ?? 0 };
  };
  const tag = async (accountId: number, found: Tag | undefined): Promise<Tag | undefined> => {
    const linkCount = found && (await counts(accountId)).tags.get(found.id);
    return found && linkCount !== undefined ? { ...found, linkCount } : undefined;
  };
  const domain = async (accountId: number, found: Domain | undefined): Promise<Domain | undefined> => {
    if (found === undefined || !hasSpace(restrictions, found.space)) return undefined;
    return { ...found, linkCount: (await counts(accountId)).spaces.get(found.space) ?? 0 };
  };
  const known = async <T>(found: readonly Promise<T | undefined>[]): Promise<T[]> =>
    (await Promise.all(found)).filter((one) => one !== undefined) as T[];
  return {
    folder,
    async folders(accountId, limit, after = '') {
      if (restrictions.folders === undefined)
        return known((await storage.folders(accountId, limit, after)).map(({ id }) => folder(accountId, id)));
      const ids = [...new Set(restrictions.folders)].sort().filter((id) => id > after);
      return (await known(ids.map((id) => folder(accountId, id)))).slice(0, limit);
    },
    tag: async (accountId, id) => tag(accountId, await storage.tag(accountId, id)),
    async tags(accountId, limit, after) {
      // Keeps reading until the page is full, because tags outside the restrictions are skipped.
      const page: Tag[] = [];
      for (let behind = after; page.length < limit; ) {
        const some = await storage.tags(accountId, limit, behind);
        page.push(...(await known(some.map((one) => tag(accountId, one)))));
        const last = some.at(-1);
        if (some.length < limit || last === undefined) break;
        behind = tagKey(last.name);
      }
      return page.slice(0, limit);
    },
    domain: async (accountId, id) => domain(accountId, await storage.domain(accountId, id)),
    domainByHost: async (accountId, host) => domain(accountId, await storage.domainByHost(accountId, host)),
    domains: async (accountId) =>
      known((await storage.domains(accountId)).map((one) => domain(accountId, one))),
    async usage(accountId) {
      const { folders, spaces } = await counts(accountId);
      const links = [...spaces.values()].reduce((sum, count) => sum + count, 0);
      return {
        links,
        folders: restrictions.folders === undefined ? (await storage.usage(accountId)).folders : folders.size,
      };
    },
  };
}

function restrictClickReads(storage: Storage, restrictions: ResolvedRestrictions): AllowedStorage {
  return {
    statistics: (accountId, question) => storage.statistics(accountId, { ...question, restrictions }),
    clicks: (accountId, question) => storage.clicks(accountId, { ...question, restrictions }),
    clicksByGroup: (accountId, kind, range) => storage.clicksByGroup(accountId, kind, range, restrictions),
  };
}
