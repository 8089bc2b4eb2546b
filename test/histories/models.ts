// Sequential models of Linkfold's guarantees, one per kind of object.
import type { Model } from './checker.ts';

export interface Link {
  readonly url: string;
  readonly isDeleted: boolean;
  /** Null if no response has shown the revision since the last change. */
  readonly revision: number | null;
}
export type LinkInput =
  | { readonly do: 'create'; readonly url: string }
  | { readonly do: 'change'; readonly url: string; readonly ifMatch?: number }
  | { readonly do: 'delete' | 'restore' | 'follow' };
export type LinkOutput =
  | { readonly is: 'done'; readonly revision?: number }
  | { readonly is: 'redirect'; readonly url: string }
  | { readonly is: 'taken' | 'absent' | 'mismatch' };

/** A code as a register that is created, changed (also with `If-Match`), deleted, restored and followed. */
export const link: Model<Link | null, LinkInput, LinkOutput> = {
  initial: null,
  // Revisions only increase. A restore that returns the revision of a live link therefore cannot have changed the link
  // at a later time.
  isPassive: (input, output) =>
    output.is !== 'done' || (input.do === 'restore' && output.revision !== undefined),
  step(state, input, output) {
    const isLive = state !== null && !state.isDeleted;
    if (input.do === 'follow') {
      if (output === undefined) return state;
      return (isLive ? output.is === 'redirect' && output.url === state.url : output.is === 'absent')
        ? state
        : undefined;
    }
    const is = output?.is;
    if (input.do === 'create') {
      if (state !== null) return is === undefined || is === 'taken' ? state : undefined;
      return is === undefined || is === 'done'
        ? { url: input.url, isDeleted: false, revision: revisionOf(output) }
        : undefined;
    }
    if (state === null || (input.do !== 'restore' && state.isDeleted))
      return is === undefined || is === 'absent' ? state : undefined;
    if (input.do === 'change') return change(state, input, output);
    if (is !== undefined && is !== 'done') return undefined;
    const isDeleted = input.do === 'delete';
    const revision = revisionAfter(state.revision, isDeleted === state.isDeleted ? 0 : 1, output);
    if (revision === undefined) return undefined;
    return isDeleted === state.isDeleted && revision === state.revision
      ? state
      : { ...state, isDeleted, revision };
  },
};

/**
 * Returns the revision after this number of changes. Null if the revision is unknown, undefined if the response shows a
 * different one.
 */
function revisionAfter(
  before: number | null,
  changes: number,
  output: LinkOutput | undefined,
): number | null | undefined {
  const shown = revisionOf(output);
  if (before === null || shown === null) return shown ?? (before === null ? null : before + changes);
  return shown === before + changes ? shown : undefined;
}

function revisionOf(output: LinkOutput | undefined): number | null {
  return output?.is === 'done' ? (output.revision ?? null) : null;
}

function change(
  state: Link,
  { url, ifMatch }: { readonly url: string; readonly ifMatch?: number },
  output: LinkOutput | undefined,
): Link | undefined {
  const mayMatch = ifMatch === undefined || state.revision === null || state.revision === ifMatch;
  const mayDiffer = ifMatch !== undefined && state.revision !== ifMatch;
  if (output === undefined && !mayMatch) return state;
  if (output?.is === 'mismatch') return mayDiffer ? state : undefined;
  if ((output !== undefined && output.is !== 'done') || !mayMatch) return undefined;
  const revision = revisionAfter(state.revision ?? ifMatch ?? null, 1, output);
  return revision === undefined ? undefined : { ...state, url, revision };
}

/** `maxClicks` as a counter with a limit. Visitors are rejected once all clicks are used up, and not before. */
export function clickLimit(max: number): Model<number, 'visit', 'redirect' | 'refused'> {
  return {
    initial: 0,
    isPassive: (_, output) => output === 'refused',
    step(used, _, output) {
      if (output === undefined) return Math.min(used + 1, max);
      if (output === 'refused') return used === max ? used : undefined;
      return used < max ? used + 1 : undefined;
    },
  };
}

export interface Creation {
  /** Requests with the same body and idempotency key are treated as retries. */
  readonly body: string;
}
/** The ID of the link in the response, or `reused` if the key was used with another body. */
export type Created = string;
interface UsedKey {
  readonly body: string;
  /** Empty if no response has shown the link's ID yet. */
  readonly id: string;
}

/** An `Idempotency-Key`. Every response to the same body returns the same link, and another body is rejected. */
export const idempotencyKey: Model<UsedKey | null, Creation, Created> = {
  initial: null,
  step(used, { body }, output) {
    if (used !== null && used.body !== body)
      return output === undefined || output === 'reused' ? used : undefined;
    if (output === undefined) return used ?? { body, id: '' };
    const isRight = output !== 'reused' && (used === null || used.id === '' || used.id === output);
    return isRight ? { body, id: output } : undefined;
  },
};

export interface ExternalInput {
  readonly do: 'create' | 'put' | 'delete' | 'read';
}
export type ExternalOutput =
  | { readonly is: 'created' | 'existing'; readonly id: string }
  | { readonly is: 'deleted' | 'absent' | 'taken' };

/**
 * An `externalId`, which only one live link can have at a time. The state is the ID of that link. It is empty if no
 * response has shown the ID, and null if there is no such link. `PUT` may restore a deleted link.
 */
export const externalId: Model<string | null, ExternalInput, ExternalOutput> = {
  initial: null,
  isPassive: (_, output) => output.is !== 'created' && output.is !== 'deleted',
  step(holder, input, output) {
    if (output === undefined) {
      if (input.do === 'read') return holder;
      return input.do === 'delete' ? null : (holder ?? '');
    }
    const isHolder = 'id' in output && holder !== null && (holder === '' || holder === output.id);
    switch (output.is) {
      case 'created':
        return holder === null ? output.id : undefined;
      case 'existing':
        return isHolder ? output.id : undefined;
      case 'taken':
        return holder === null ? undefined : holder;
      case 'deleted':
        return holder === null ? undefined : null;
      case 'absent':
        return holder === null ? null : undefined;
    }
  },
};

export type FolderInput =
  | { readonly do: 'move'; readonly link: string; readonly to: string | null }
  | { readonly do: 'delete' | 'restore'; readonly link: string; readonly to?: undefined }
  | { readonly do: 'delete folder' | 'restore folder'; readonly folder: string }
  | { readonly do: 'count' };
/** `linkCount` of each live folder, by folder. */
type Counts = Readonly<Record<string, number>>;
export type FolderOutput = 'done' | 'absent' | { readonly counts: Counts };

interface Folders {
  readonly isDeleted: Readonly<Record<string, boolean>>;
  readonly links: Readonly<Record<string, { readonly in: string | null; readonly isDeleted: boolean }>>;
}

function countsOf({ isDeleted, links }: Folders): Counts {
  const live = Object.values(links).filter((link) => !link.isDeleted);
  const counts = Object.keys(isDeleted).map((name) => [name, live.filter((link) => link.in === name).length]);
  return Object.fromEntries(counts.filter(([name]) => !isDeleted[name as string]));
}

/** Folders, and the links that move between them. A folder that is deleted and restored gets its links back. */
export function folders(
  names: readonly string[],
  links: readonly string[],
): Model<Folders, FolderInput, FolderOutput> {
  const initial: Folders = {
    isDeleted: Object.fromEntries(names.map((name) => [name, false])),
    links: Object.fromEntries(links.map((name) => [name, { in: null, isDeleted: false }])),
  };
  return {
    initial,
    isPassive: (_, output) => output !== 'done',
    step(state, input, output) {
      if (input.do === 'count') {
        if (output === undefined) return state;
        const { counts } = output as { readonly counts: Counts };
        const expected = Object.entries(countsOf(state));
        const agrees = expected.every(([name, count]) => counts[name] === count);
        return agrees && Object.keys(counts).length === expected.length ? state : undefined;
      }
      const after = afterChange(state, input);
      if (output === 'absent') return after === undefined ? state : undefined;
      return after ?? (output === undefined ? state : undefined);
    },
  };
}

/** Returns the state after an operation, or undefined if the link or the folder is absent. */
function afterChange(state: Folders, input: Exclude<FolderInput, { do: 'count' }>): Folders | undefined {
  const { isDeleted, links } = state;
  if ('folder' in input) {
    const deletes = input.do === 'delete folder';
    if (deletes && isDeleted[input.folder]) return undefined;
    return { ...state, isDeleted: { ...isDeleted, [input.folder]: deletes } };
  }
  const link = links[input.link] ?? { in: null, isDeleted: false };
  if (input.do === 'restore')
    return { ...state, links: { ...links, [input.link]: { ...link, isDeleted: false } } };
  if (link.isDeleted) return undefined;
  if (input.to === undefined)
    return { ...state, links: { ...links, [input.link]: { ...link, isDeleted: true } } };
  if (input.to !== null && isDeleted[input.to]) return undefined;
  const from = link.in !== null && isDeleted[link.in] ? null : link.in;
  if (from === input.to) return state;
  return { ...state, links: { ...links, [input.link]: { ...link, in: input.to } } };
}

export type MoveInput =
  | { readonly do: 'move' | 'remove alias' | 'follow'; readonly host: string }
  | { readonly do: 'delete' | 'restore'; readonly host?: undefined };
export type MoveOutput = 'done' | 'absent' | 'redirect';

interface Moved {
  readonly host: string;
  readonly aliases: readonly string[];
  readonly isDeleted: boolean;
}

/**
 * A link that moves between domains with its code. Its previous code remains as an alias until the alias is removed.
 */
export function moves(host: string): Model<Moved, MoveInput, MoveOutput> {
  return {
    initial: { host, aliases: [], isDeleted: false },
    isPassive: (_, output) => output !== 'done',
    step(state, input, output) {
      if (input.do === 'follow') {
        if (output === undefined) return state;
        const leadsOn = !state.isDeleted && [state.host, ...state.aliases].includes(input.host);
        return leadsOn === (output === 'redirect') ? state : undefined;
      }
      const after = afterMove(state, input);
      if (output === 'absent') return after === undefined ? state : undefined;
      return after ?? (output === undefined ? state : undefined);
    },
  };
}

/** Returns the state after an operation, or undefined if the link or the alias is absent. */
function afterMove(state: Moved, input: MoveInput): Moved | undefined {
  if (input.do === 'restore') return { ...state, isDeleted: false };
  if (state.isDeleted) return undefined;
  if (input.host === undefined) return { ...state, isDeleted: true };
  const others = state.aliases.filter((alias) => alias !== input.host);
  if (input.do === 'remove alias')
    return others.length < state.aliases.length ? { ...state, aliases: others } : undefined;
  if (input.host === state.host) return state;
  return { ...state, host: input.host, aliases: [...others, state.host].sort() };
}
