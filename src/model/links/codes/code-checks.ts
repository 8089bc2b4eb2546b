import type { Context } from '../../context.ts';
import {
  codeKey,
  couldBeCode,
  drawCode,
  firstSegment,
  generatedCodeLength,
  isReserved,
  longestCode,
} from './codes.ts';

/** Whether an account can have a code. `yours`: a live link of it has the code. */
export const codeStates = ['free', 'yours', 'taken', 'reserved'] as const;
export type CodeState = (typeof codeStates)[number];

export interface CodeCheck {
  readonly state: CodeState;
  /** The link that has the code, when it is the account's own. */
  readonly linkId: string | null;
  /** Codes that are free now and look like the wished one; none when that is free itself. */
  readonly suggestions: readonly string[];
}

const maxSuggestions = 3;

/** Tells whether an account can have a code now in the space of a domain; another request may take it a moment later. */
export async function checkCode(
  context: Context,
  accountId: number,
  space: string,
  code: string,
): Promise<CodeCheck> {
  const { state, linkId } = await stateOf(context, accountId, space, code);
  if (state === 'free') return { state, linkId, suggestions: [] };
  const alike = codesLike(context, space, code);
  return { state, linkId, suggestions: await freeOf(context, accountId, space, alike) };
}

/** Codes as the service draws them, free now. */
export function freeCodes(context: Context, accountId: number, space: string): Promise<string[]> {
  const drawn = Array.from({ length: maxSuggestions }, () =>
    drawCode(generatedCodeLength, context.randomBytes),
  );
  return freeOf(context, accountId, space, drawn);
}

async function stateOf({ storage }: Context, accountId: number, space: string, code: string) {
  if (isReserved(code, space)) return { state: 'reserved' as const, linkId: null };
  const holder = await storage.holderOfCode(accountId, codeKey(space, code));
  // A deleted link's code is free for its own account alone.
  if (holder === undefined || (holder.isOwn && holder.linkId === null))
    return { state: 'free' as const, linkId: null };
  return { state: holder.isOwn ? ('yours' as const) : ('taken' as const), linkId: holder.linkId };
}

async function freeOf(
  context: Context,
  accountId: number,
  space: string,
  codes: readonly string[],
): Promise<string[]> {
  const free: string[] = [];
  for (const code of codes) {
    if (free.length === maxSuggestions) break;
    if ((await stateOf(context, accountId, space, code)).state === 'free') free.push(code);
  }
  return free;
}

/** Codes that a reader would take for the wished one: numbered, of this year, and in the end with drawn symbols. */
function codesLike({ now, randomBytes }: Context, space: string, code: string): string[] {
  // Behind a reserved first segment nothing is free, so that one gets the end.
  const varied = isReserved(code, space) ? firstSegment(code) : code;
  const rest = code.slice(varied.length);
  const room = longestCode - rest.length - 1;
  const year = new Date(now()).getUTCFullYear();
  const drawn = Array.from({ length: 4 }, () => drawCode(3, randomBytes));
  return ['2', '3', String(year), '4', '5', ...drawn]
    .map((end) => `${varied.slice(0, room - end.length).replace(/\/$/, '')}-${end}${rest}`)
    .filter(couldBeCode);
}
