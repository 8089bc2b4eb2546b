import { problem, refused } from '../failures.ts';
import { refusalFrom } from '../links/bulk.ts';
import { codeTaken } from '../links/conflicts.ts';
import { comparedFields } from '../links/link-field-values.ts';
import { linkFields } from '../links/link-fields.ts';
import type { Link, LinkChange, NewLink } from '../links/link-records.ts';
import { tagKey } from '../links/tags.ts';
import {
  type AbsentAction,
  type CodeHolder,
  type ManifestAction,
  type ManifestCounts,
  type ManifestWrite,
  manifestActions,
  type PlannedLink,
  type RefusedLink,
  type SeenLink,
} from './manifests.ts';

/** A link as a manifest describes it. */
export interface DesiredLink {
  /** Index in the manifest. */
  readonly at: number;
  /** `codeKey` of the link's code. */
  readonly key: string;
  readonly link: NewLink;
  /** Key of the link's previous code. Set if the link is to get a new code. */
  readonly movedFrom?: string | undefined;
  /** The failure for an expiry in the past. A link that already has this expiry stays unchanged. */
  readonly isOver?: RefusedLink['refused'] | undefined;
}

/** The existing links that a manifest affects. */
export interface ManifestState {
  /** Live links that the manifest manages. */
  readonly managed: readonly PlannedLink[];
  /** Links by code key: managed links, links to adopt, and deleted links that the manifest managed. */
  readonly byKey: ReadonlyMap<string, PlannedLink>;
  /** Owners of all other codes in the manifest, by key. */
  readonly holders: ReadonlyMap<string, CodeHolder>;
}

export interface PlanOptions {
  readonly name: string;
  readonly absent: AbsentAction;
  /** Whether the manifest may take over links that no manifest manages. */
  readonly adopt: boolean;
  /** Whether the requesting key's plan allows `expiresAt`. The Free plan does not. */
  readonly choosesExpiry: boolean;
}

/** A field's current and desired values, as stored. */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export interface PlannedChange {
  readonly action: ManifestAction;
  /** The current link; undefined for a new link. */
  readonly link?: PlannedLink;
  readonly wanted?: DesiredLink;
  readonly fields: Readonly<Record<string, FieldChange>>;
}

export interface Plan {
  readonly changes: readonly PlannedChange[];
  readonly counts: ManifestCounts;
  readonly refused: readonly RefusedLink[];
  /** All existing links that were compared with the manifest, with their revisions. */
  readonly seen: readonly (SeenLink & { readonly code: string })[];
  readonly writes: readonly ManifestWrite[];
}

/** Returns the fields that differ from the manifest. A manifest contains no password, so passwords stay unchanged. */
function differences(link: PlannedLink, wanted: NewLink, { choosesExpiry }: PlanOptions) {
  const fields: Record<string, FieldChange> = {};
  for (const name of comparedFields) {
    if (name === 'expiresAt' && !choosesExpiry) continue;
    const to = wanted[name] ?? (linkFields[name].kind === 'flag' ? 0 : null);
    if (link[name] !== to) fields[name] = { from: link[name], to };
  }
  const folderId = wanted.folderId ?? null;
  if (link.folderId !== folderId) fields['folderId'] = { from: link.folderId, to: folderId };
  const tags = wanted.tags?.tags.map(({ name }) => name) ?? [];
  const keys = (names: readonly string[]): string => names.map(tagKey).sort().join('\n');
  if (keys(link.tags) !== keys(tags)) fields['tags'] = { from: link.tags, to: tags };
  return fields;
}

function codeOf({ codes: [code = ''] }: NewLink): string {
  return code;
}

/** Computes the changes that a manifest would make to an account's links. */
export function createPlan(wanted: readonly DesiredLink[], state: ManifestState, options: PlanOptions): Plan {
  const changes: PlannedChange[] = [];
  const refusals: RefusedLink[] = [];
  const writes: ManifestWrite[] = [];
  const seen = new Map<string, SeenLink & { readonly code: string }>();
  let unchanged = 0;
  const note = ({ id, revision, code }: Link): void => void seen.set(id, { id, revision, code });
  for (const one of wanted) {
    const link = linkFor(one, state, options, (refusal) => refusals.push({ at: one.at, refused: refusal }));
    if (link === 'refused') continue;
    if (link !== undefined) note(link);
    const change = changeTo(one, link, options);
    if (change === undefined) unchanged += 1;
    else if (one.isOver !== undefined && (link === undefined || change.fields['expiresAt'] !== undefined))
      refusals.push({ at: one.at, refused: one.isOver });
    else {
      changes.push(change);
      writes.push(writeOf(one, change, options));
    }
  }
  for (const link of state.managed) {
    if (seen.has(link.id)) continue;
    note(link);
    changes.push({ action: options.absent, link, fields: {} });
    const { id, revision } = link;
    if (options.absent === 'delete') writes.push({ kind: 'delete', id, revision });
    if (options.absent === 'release')
      writes.push({ kind: 'change', id, revision, isDeleted: false, change: { managedBy: null } });
  }
  const counts = Object.fromEntries(
    manifestActions.map((action) => [action, changes.filter((one) => one.action === action).length]),
  ) as Record<ManifestAction, number>;
  return { changes, counts: { ...counts, unchanged }, refused: refusals, seen: [...seen.values()], writes };
}

/**
 * Returns the link to change; undefined to create a link; `refused` if neither is possible.
 * @param refuse called with the reason before `refused` is returned
 */
function linkFor(
  { key, link: { codes }, movedFrom }: DesiredLink,
  { byKey, holders }: ManifestState,
  { name, adopt }: PlanOptions,
  refuse: (why: RefusedLink['refused']) => void,
): PlannedLink | undefined | 'refused' {
  const taken = (advice: string): 'refused' => {
    refuse(refusalFrom(codeTaken(codes, advice)));
    return 'refused';
  };
  const moved = movedFrom === undefined ? undefined : liveOnly(byKey.get(movedFrom));
  const there = byKey.get(key);
  if (moved !== undefined && liveOnly(there) !== undefined && there?.id !== moved.id)
    return taken(`Another link has this code, so the link "${moved.code}" cannot get it.`);
  const holder = holders.get(key);
  const found = moved ?? there;
  if (holder?.kind === 'other') return taken('Choose another customCode.');
  if (holder?.kind === 'alias' && holder.id !== moved?.id)
    return taken('The code is an alias of another link in this account.');
  if (found === undefined) return undefined;
  if (found.managedBy === name) return found;
  if (found.managedBy !== null)
    return taken(
      `The manifest "${found.managedBy}" manages this link. Use release to remove the link from that manifest first.`,
    );
  return adopt
    ? found
    : taken('The code belongs to a link that no manifest manages. Use adopt to take over that link.');
}

/** Returns undefined for a deleted link, because it cannot get another code and does not block a code. */
function liveOnly(link: PlannedLink | undefined): PlannedLink | undefined {
  return link !== undefined && 'deletedAt' in link ? undefined : link;
}

function changeTo(
  wanted: DesiredLink,
  link: PlannedLink | undefined,
  options: PlanOptions,
): PlannedChange | undefined {
  if (link === undefined) return { action: 'create', wanted, fields: {} };
  const fields = differences(link, wanted.link, options);
  const code = codeOf(wanted.link);
  // A code that differs only in case is also a change.
  if (link.code !== code) fields['code'] = { from: link.code, to: code };
  if ('deletedAt' in link) return { action: 'restore', link, wanted, fields };
  if (link.managedBy !== options.name) return { action: 'adopt', link, wanted, fields };
  return Object.keys(fields).length === 0 ? undefined : { action: 'update', link, wanted, fields };
}

function writeOf(
  { at, link: wanted }: DesiredLink,
  { action, link, fields }: PlannedChange,
  { name }: PlanOptions,
): ManifestWrite {
  if (link === undefined) return { kind: 'create', at, link: { ...wanted, managedBy: name } };
  const { folderId, tags, code, destination, ...rest } = fields;
  const change: LinkChange = {
    ...Object.fromEntries(Object.entries(rest).map(([field, { to }]) => [field, to])),
    ...(destination !== undefined && { destination: wanted.destination, location: wanted.location }),
    ...(tags !== undefined && { tags: wanted.tags ?? { tags: [], at: wanted.createdAt, limit: 0 } }),
    ...(link.managedBy !== name && { managedBy: name }),
  };
  return {
    kind: 'change',
    at,
    id: link.id,
    revision: link.revision,
    isDeleted: action === 'restore',
    ...(code !== undefined && { code: { code: codeOf(wanted), domain: wanted.domain ?? null } }),
    ...(folderId !== undefined && { folderId: wanted.folderId ?? null }),
    change,
    quota: wanted.quota,
  };
}

/** Returns the failure for a link with the same code as another link in the manifest. */
export function repeatedCode(code: string): RefusedLink['refused'] {
  const message = `customCode "${code}" appears twice in the manifest.`;
  return refusalFrom(refused([problem('customCode', 'repeated', message)]));
}
