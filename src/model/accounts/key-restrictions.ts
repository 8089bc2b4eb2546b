import type { LinkDomain } from '../domains/hosts.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import type { RecordFields } from '../record-fields.ts';

/** Scopes that a restricted key can have. All other scopes apply to the whole account. */
export const restrictedScopes = ['links:read', 'links:write', 'analytics:read'] as const;

/** Maximum number of domains in a key's restrictions. The same limit applies to folders. */
export const maxRestrictionEntries = 100;

/** A key's restrictions. Links outside the restrictions are hidden from the key (docs/decisions/api.md). */
export interface ResolvedRestrictions {
  /** Hosts of the allowed domains; empty string for the shared domain. Undefined if all domains are allowed. */
  readonly hosts?: readonly string[] | undefined;
  /** The allowed domains that the account currently has, in the order of `hosts`. */
  readonly domains?: readonly LinkDomain[] | undefined;
  /** Ids of the allowed folders, in the requested order. Undefined if links may be in any folder or in no folder. */
  readonly folders?: readonly string[] | undefined;
}

/**
 * Restrictions to store: hosts of domains (empty string for the shared domain), and ids of folders. Undefined means no
 * restriction.
 */
export type KeyRestrictions = Pick<ResolvedRestrictions, 'hosts' | 'folders'>;

/**
 * Requested restrictions for a key or an invitation: hosts of domains and ids of folders. Null means no restriction.
 */
export interface RequestedRestrictions {
  readonly domains?: readonly string[] | null | undefined;
  readonly folders?: readonly string[] | null | undefined;
}

/** Response fields for the restrictions of a key or member. */
export const restrictionFields = {
  domains: {
    kind: 'texts',
    nullable: true,
    isComputed: true,
    about:
      'Hosts of the domains that the key is restricted to; other links are hidden from it. Null for all domains.',
  },
  folders: {
    kind: 'texts',
    nullable: true,
    isComputed: true,
    about:
      'IDs of the folders that the key is restricted to; other links are hidden from it. Null for all folders and links without a folder.',
  },
} as const satisfies RecordFields;

/** Returns the validation errors in restrictions that schema validation does not catch. */
export function restrictionProblems({ domains, folders }: RequestedRestrictions): Problem[] {
  return Object.entries({ domains, folders }).flatMap(([field, names]) => {
    if (names == null || (names.length > 0 && names.length <= maxRestrictionEntries)) return [];
    const message = `${field} must have 1–${maxRestrictionEntries} items. Omit it for no restriction.`;
    return [problem(field, 'out_of_range', message)];
  });
}

/** Converts restrictions to their API representation, where null means no restriction. */
export function apiRestrictions(sharedHost: string, bounds: KeyRestrictions | undefined) {
  const { hosts, folders } = bounds ?? {};
  return {
    domains: hosts === undefined ? null : hosts.map((host) => host || sharedHost),
    folders: folders === undefined ? null : [...folders],
  };
}

/** Number of live links within a key's restrictions, per folder, tag and domain. Entries without links are omitted. */
export interface LinkCounts {
  /** Counts by folder id. Links without a folder are not counted. */
  readonly folders: ReadonlyMap<string, number>;
  /** Counts by tag id. */
  readonly tags: ReadonlyMap<string, number>;
  /** Counts by the domain's code space. */
  readonly spaces: ReadonlyMap<string, number>;
}

/** The link fields that determine whether a link is within restrictions. */
export interface LinkLocation {
  readonly space: string;
  readonly folderId: string | null;
}

export function hasSpace({ domains }: ResolvedRestrictions, space: string): boolean {
  return domains === undefined || domains.some((one) => one.space === space);
}

/** @param folderId null for a link without a folder */
export function hasFolder({ folders }: ResolvedRestrictions, folderId: string | null): boolean {
  return folders === undefined || (folderId !== null && folders.includes(folderId));
}

/** Returns true if the restrictions allow the shared domain. */
export function allowsSharedDomain(restrictions: ResolvedRestrictions | undefined): boolean {
  return restrictions === undefined || hasSpace(restrictions, '');
}

/** Returns true if the restrictions allow a link, or if there are no restrictions. */
export function isWithin(
  restrictions: ResolvedRestrictions | undefined,
  { space, folderId }: LinkLocation,
): boolean {
  return restrictions === undefined || (hasSpace(restrictions, space) && hasFolder(restrictions, folderId));
}

/**
 * Returns the domain for a restricted key's new link when the request does not name a domain: the account's default
 * domain if it is allowed, else the first allowed domain.
 */
export function defaultDomain(
  { domains }: ResolvedRestrictions,
  ofAccount: LinkDomain | undefined,
): LinkDomain | undefined {
  if (domains === undefined || domains.some(({ space }) => space === (ofAccount?.space ?? '')))
    return ofAccount;
  const [first] = domains;
  return first === undefined || first.space === '' ? undefined : first;
}

/** Returns the failure for a restricted key that calls an account-wide endpoint. */
export function restrictedKeyFailure(): Failure {
  return new Failure(
    'INSUFFICIENT_SCOPE',
    'This API key is restricted to domains or folders, and this endpoint applies to the whole account. Use a key without restrictions.',
  );
}
