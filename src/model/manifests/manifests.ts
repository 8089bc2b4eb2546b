import type { LinkDomain } from '../domains/hosts.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import type { Refusal } from '../links/bulk.ts';
import type { DeletedLink, Link, LinkChange, NewLink } from '../links/link-records.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/**
 * Maximum number of links in a manifest. One request contains all links, and one transaction may write them all. Other
 * writers wait for that transaction.
 */
export const maxManifestLinks = 2_000;

/** Actions for links that a manifest manages but no longer lists. */
export const absentActions = ['keep', 'release', 'delete'] as const;
export type AbsentAction = (typeof absentActions)[number];

/** Actions for a link. `keep` leaves the link unchanged, although the manifest no longer lists it. */
export const manifestActions = ['create', 'update', 'adopt', 'restore', 'release', 'delete', 'keep'] as const;
export type ManifestAction = (typeof manifestActions)[number];

/** Number of links per action, and number of unchanged links. */
export type ManifestCounts = Readonly<Record<ManifestAction | 'unchanged', number>>;

/** A link that a plan affects, with its revision when the plan was created. */
export interface SeenLink {
  readonly id: string;
  readonly revision: number;
}

/** The owner of a code: another account, or a link in this account, which may have been deleted. */
export type CodeHolder =
  | { readonly kind: 'other' }
  | { readonly kind: 'alias' | 'live'; readonly id: string; readonly managedBy: string | null }
  | { readonly kind: 'gone'; readonly managedBy: string | null };

/**
 * The write for one link in a manifest. `at` is the link's index in the manifest; undefined if the manifest does not
 * list the link.
 */
export type ManifestWrite =
  | { readonly kind: 'create'; readonly at: number; readonly link: NewLink }
  | ({ readonly kind: 'delete'; readonly at?: undefined } & SeenLink)
  | ({
      readonly kind: 'change';
      readonly at?: number | undefined;
      /** Whether the link is deleted and must be restored first. */
      readonly isDeleted: boolean;
      /** The new code; undefined to leave it unchanged. */
      readonly code?: { readonly code: string; readonly domain: LinkDomain | null } | undefined;
      /** The new folder; undefined to leave it unchanged. */
      readonly folderId?: string | null | undefined;
      readonly change: LinkChange;
      readonly quota?: number | undefined;
    } & SeenLink);

/** All changes that a manifest makes in one transaction. */
export interface ManifestApply {
  readonly name: string;
  /** The live links that the manifest manages, with the revisions on which the writes are based. */
  readonly managed: readonly SeenLink[];
  /** Messages about links that changed since the client's plan. If there are any, no change is applied. */
  readonly drifted: readonly string[];
  readonly refused: readonly RefusedLink[];
  readonly writes: readonly ManifestWrite[];
  readonly counts: ManifestCounts;
  readonly maxDeletes: number;
  readonly now: number;
}

/** A link in a manifest that cannot be applied. `at` is the link's index in the manifest. */
export interface RefusedLink {
  readonly at: number;
  readonly refused: Refusal;
}

export interface ManifestReads {
  /**
   * Returns the owners of codes, by key (`codeKey`). Keys without an owner are omitted. A call must contain at most a
   * few hundred keys.
   */
  codeHolders(accountId: number, keys: readonly string[]): MaybePromise<ReadonlyMap<string, CodeHolder>>;
}

export interface ManifestWrites {
  /**
   * Applies all of a manifest's changes to an account's links, or none of them.
   * @throws Failure MANIFEST_DRIFTED, BULK_REFUSED, COUNT_DIFFERS
   */
  applyManifest(accountId: number, given: ManifestApply): Promise<ManifestCounts>;
}

/** A link that a plan may change: a live link, or a deleted link to restore. */
export type PlannedLink = Link | DeletedLink;

/** @param deletes number of links that the manifest would delete */
export function tooManyDeletes(deletes: number, maxDeletes: number): Failure {
  const message = `The manifest would delete ${deletes} links, but maxDeletes is ${maxDeletes}. Nothing was changed.`;
  return new Failure('COUNT_DIFFERS', message);
}

const maxListedDrifts = 20;

/** @param links one sentence per changed link */
export function manifestDrifted(links: readonly string[]): Failure {
  const problems: Problem[] = links
    .slice(0, maxListedDrifts)
    .map((message) => problem('seen', 'refused', message, 'MANIFEST_DRIFTED'));
  const many = links.length === 1 ? '1 link has' : `${links.length} links have`;
  const message = `Nothing was changed, because ${many} changed since the plan. ${problems[0]?.message} Create a new plan.`;
  return new Failure('MANIFEST_DRIFTED', message, { problems });
}

/** Returns one sentence for each link that was changed, added or removed since the plan. Matches links by id. */
export function findDrift(
  seen: readonly SeenLink[],
  found: readonly (SeenLink & { readonly code?: string })[],
): string[] {
  const left = new Map(seen.map(({ id, revision }) => [id, revision]));
  const drifted = found.flatMap(({ id, revision, code = id }) => {
    const known = left.get(id);
    left.delete(id);
    if (known === revision) return [];
    return known === undefined
      ? [`The link "${code}" now exists.`]
      : [`The link "${code}" now has revision ${revision}; in the plan it had ${known}.`];
  });
  return [...drifted, ...[...left.keys()].map((id) => `The link with the id ${id} no longer exists.`)];
}
