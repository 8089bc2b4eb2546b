// Sequential models of what Linkfold promises, one object each.
import type { Model } from './checker.ts';

export interface Link {
  readonly url: string;
  readonly isDeleted: boolean;
  /** Null if no response has shown it since the last change. */
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

/** A code as a register: created, changed (also with `If-Match`), deleted, restored and followed. */
export const link: Model<Link | null, LinkInput, LinkOutput> = {
  initial: null,
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
    return is === undefined || is === 'done'
      ? { ...state, isDeleted: input.do === 'delete', revision: revisionOf(output) }
      : undefined;
  },
};

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
  if (output === undefined) {
    if (!mayMatch) return state;
    return { ...state, url, revision: state.revision === null ? null : state.revision + 1 };
  }
  if (output.is === 'mismatch') return mayDiffer ? state : undefined;
  if (output.is !== 'done' || !mayMatch) return undefined;
  const before = state.revision ?? ifMatch ?? null;
  const revision = revisionOf(output);
  if (before !== null && revision !== null && revision !== before + 1) return undefined;
  return { ...state, url, revision };
}

/** `maxClicks` as a counter with a bound: visitors are refused once all visits are used up, and not before. */
export function clickLimit(max: number): Model<number, 'visit', 'redirect' | 'refused'> {
  return {
    initial: 0,
    step(used, _, output) {
      if (output === undefined) return Math.min(used + 1, max);
      if (output === 'refused') return used === max ? used : undefined;
      return used < max ? used + 1 : undefined;
    },
  };
}

/** An `Idempotency-Key`: every response to it names the same link. An empty text is a link that no response has named. */
export const idempotencyKey: Model<string | null, 'create', string> = {
  initial: null,
  step(id, _, output) {
    if (output === undefined) return id ?? '';
    return id === null || id === '' || id === output ? output : undefined;
  },
};

/** An `externalId`: one live link has it at a time. */
export const externalId: Model<boolean, 'create' | 'delete', boolean> = {
  initial: false,
  step(isUsed, input, succeeded) {
    const can = input === 'create' ? !isUsed : isUsed;
    if (succeeded !== undefined && succeeded !== can) return undefined;
    return can ? !isUsed : isUsed;
  },
};

export type FolderInput = { readonly do: 'add' | 'remove'; readonly link: string } | { readonly do: 'count' };

/** A folder: its links as a set, and `linkCount` as the size of the set. Adding and removing are repeatable. */
export const folder: Model<readonly string[], FolderInput, number> = {
  initial: [],
  step(links, input, output) {
    if (input.do === 'count') return output === undefined || output === links.length ? links : undefined;
    const others = links.filter((one) => one !== input.link);
    return input.do === 'add' ? [...others, input.link].sort() : others;
  },
};
