import type { LinkDomain } from '../domains/hosts.ts';
import { Failure, type Problem, problem } from '../failures.ts';

/** What a bound key can be of use for: all else is about the whole account. */
export const boundScopes = ['links:read', 'links:write', 'analytics:read'] as const;

/** Most domains, and most folders, that one key is bound to. */
export const maxBound = 100;

/** The part of an account's links that a key is bound to: what lies outside is nonexistent to it (decision 0092). */
export interface Reach {
  /** The domains as they were named, by their hosts; empty for the shared one. Undefined where any domain will do. */
  readonly hosts?: readonly string[] | undefined;
  /** Those of them that the account has now, in the same order. */
  readonly domains?: readonly LinkDomain[] | undefined;
  /** Ids of folders in the order in which they were named. Undefined where any folder, or none, will do. */
  readonly folders?: readonly string[] | undefined;
}

/** What a new key is bound to: hosts of domains, empty for the shared one, and ids of folders. Absent for no bound. */
export type Bounds = Pick<Reach, 'hosts' | 'folders'>;

/** What is asked of a key, or an invitation: hosts of domains, and ids of folders; null is the same as nothing. */
export interface BoundsWanted {
  readonly domains?: readonly string[] | null | undefined;
  readonly folders?: readonly string[] | null | undefined;
}

/** What is wrong with bounds beyond their types. */
export function boundsProblems({ domains, folders }: BoundsWanted): Problem[] {
  return Object.entries({ domains, folders }).flatMap(([field, names]) => {
    if (names == null || (names.length > 0 && names.length <= maxBound)) return [];
    const message = `${field} must name 1 to ${maxBound}; leave it out to bind to none.`;
    return [problem(field, 'out_of_range', message)];
  });
}

/** Bounds as they are shown: null where there is none. */
export function shownBounds(sharedHost: string, bounds: Bounds | undefined) {
  const { hosts, folders } = bounds ?? {};
  return {
    domains: hosts === undefined ? null : hosts.map((host) => host || sharedHost),
    folders: folders === undefined ? null : [...folders],
  };
}

/** How many live links lie within a reach; what has none is in no map. */
export interface CountsWithin {
  /** By the id of their folder; those in none are left out. */
  readonly folders: ReadonlyMap<string, number>;
  /** By the id of each of their tags. */
  readonly tags: ReadonlyMap<string, number>;
  /** By the space of their domain. */
  readonly spaces: ReadonlyMap<string, number>;
}

/** What decides whether a link lies within. */
export interface Place {
  readonly space: string;
  readonly folderId: string | null;
}

export function hasSpace({ domains }: Reach, space: string): boolean {
  return domains === undefined || domains.some((one) => one.space === space);
}

/** @param folderId null for no folder */
export function hasFolder({ folders }: Reach, folderId: string | null): boolean {
  return folders === undefined || (folderId !== null && folders.includes(folderId));
}

/** Whether links on the shared domain may lie within. */
export function hasShared(reach: Reach | undefined): boolean {
  return reach === undefined || hasSpace(reach, '');
}

/** Whether a link lies within a reach; everything does where there is none. */
export function isWithin(reach: Reach | undefined, { space, folderId }: Place): boolean {
  return reach === undefined || (hasSpace(reach, space) && hasFolder(reach, folderId));
}

/** The domain where a bound key makes links that name none: the account's default one, else the first that it is bound to. */
export function defaultDomain({ domains }: Reach, ofAccount: LinkDomain | undefined): LinkDomain | undefined {
  if (domains === undefined || domains.some(({ space }) => space === (ofAccount?.space ?? '')))
    return ofAccount;
  const [first] = domains;
  return first === undefined || first.space === '' ? undefined : first;
}

/** To a bound key, for what is about the whole account. */
export function outOfReach(): Failure {
  return new Failure(
    'INSUFFICIENT_SCOPE',
    'This API key is bound to domains or folders, and this is about the whole account. Ask with a key that is bound to nothing.',
  );
}
