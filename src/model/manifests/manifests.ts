import type { LinkDomain } from '../domains/hosts.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import type { Refusal } from '../links/bulk.ts';
import type { DeletedLink, Link, LinkChange, NewLink } from '../links/link-records.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/**
 * Maximum number of links of one manifest: one request holds them all, and one transaction may have to write them all, for which
 * other writers wait.
 */
export const maxManifestLinks = 2_000;

/** What becomes of links that a manifest keeps and no longer names. */
export const absentActions = ['keep', 'release', 'delete'] as const;
export type AbsentAction = (typeof absentActions)[number];

/** What is done to a link. `keep`: nothing, although the manifest no longer names it. */
export const manifestActions = ['create', 'update', 'adopt', 'restore', 'release', 'delete', 'keep'] as const;
export type ManifestAction = (typeof manifestActions)[number];

/** How many links there are to each action, and that are as they should be. */
export type ManifestCounts = Readonly<Record<ManifestAction | 'unchanged', number>>;

/** A link that a plan is about, and the revision that it had. */
export interface SeenLink {
  readonly id: string;
  readonly revision: number;
}

/** Who has a code: another account, or a link of the account, which may be deleted. */
export type CodeHolder =
  | { readonly kind: 'other' }
  | { readonly kind: 'alias' | 'live'; readonly id: string; readonly managedBy: string | null }
  | { readonly kind: 'gone'; readonly managedBy: string | null };

/** What storage does to one link of a manifest. `at`: the place of the link in the manifest; undefined for one that it does not name. */
export type ManifestWrite =
  | { readonly kind: 'create'; readonly at: number; readonly link: NewLink }
  | ({ readonly kind: 'delete'; readonly at?: undefined } & SeenLink)
  | ({
      readonly kind: 'change';
      readonly at?: number | undefined;
      /** It is deleted, and comes back first. */
      readonly isGone: boolean;
      /** The code that it gets; undefined for the one that it has. */
      readonly code?: { readonly code: string; readonly domain: LinkDomain | null } | undefined;
      /** Undefined for the folder that it is in. */
      readonly folderId?: string | null | undefined;
      readonly change: LinkChange;
      readonly quota?: number | undefined;
    } & SeenLink);

/** A whole manifest as one transaction applies it. */
export interface ManifestApply {
  readonly name: string;
  /** The live links that it keeps, as they were when the writes were made from them. */
  readonly kept: readonly SeenLink[];
  /** What is otherwise than the client's plan saw it; nothing is done then. */
  readonly drifted: readonly string[];
  readonly refused: readonly RefusedLink[];
  readonly writes: readonly ManifestWrite[];
  readonly counts: ManifestCounts;
  readonly maxDeletes: number;
  readonly now: number;
}

/** @param at its place in the manifest */
export interface RefusedLink {
  readonly at: number;
  readonly refused: Refusal;
}

export interface ManifestReads {
  /** Who has codes, by their keys (`codeKey`); keys that nobody has or had are not named. At most some hundred at a time. */
  codeHolders(accountId: number, keys: readonly string[]): MaybePromise<ReadonlyMap<string, CodeHolder>>;
}

export interface ManifestWrites {
  /**
   * Does everything that makes the links of an account those of a manifest, or nothing.
   * @throws Failure MANIFEST_DRIFTED, BULK_REFUSED, COUNT_DIFFERS
   */
  applyManifest(accountId: number, given: ManifestApply): Promise<ManifestCounts>;
}

/** A link that a plan may change: live, or deleted and to be brought back. */
export type PlannedLink = Link | DeletedLink;

/** @param deletes that the manifest would do */
export function tooManyDeletes(deletes: number, maxDeletes: number): Failure {
  const message = `The manifest would delete ${deletes} links, but maxDeletes is ${maxDeletes}. Nothing was changed.`;
  return new Failure('COUNT_DIFFERS', message);
}

const mostTold = 20;

/** @param links what became of each, as a sentence */
export function manifestDrifted(links: readonly string[]): Failure {
  const problems: Problem[] = links
    .slice(0, mostTold)
    .map((message) => problem('seen', 'refused', message, 'MANIFEST_DRIFTED'));
  const many = links.length === 1 ? '1 link has' : `${links.length} links have`;
  const message = `Nothing was changed, because ${many} changed since the plan. ${problems[0]?.message} Create a new plan.`;
  return new Failure('MANIFEST_DRIFTED', message, { problems });
}

/** What is otherwise than it was seen, of links by their ids. */
export function driftOf(
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
