import type { Context } from '../../context.ts';
import {
  codeKey,
  couldBeCode,
  firstSegment,
  generateCode,
  generatedCodeLength,
  isReserved,
  longestCode,
} from './codes.ts';

/** Availability of a code. `yours` means that one of the account's live links has the code. */
export const codeStates = ['free', 'yours', 'taken', 'reserved'] as const;
export type CodeState = (typeof codeStates)[number];

export interface CodeCheck {
  readonly state: CodeState;
  /** The link with the code, if it belongs to the account. */
  readonly linkId: string | null;
  /** Similar codes that are free; an empty list if the requested code is free. */
  readonly suggestions: readonly string[];
}

const maxSuggestions = 3;

/** Checks whether an account can currently use a code on a domain. Another request may claim the code afterwards. */
export async function checkCode(
  context: Context,
  accountId: number,
  space: string,
  code: string,
): Promise<CodeCheck> {
  const { state, linkId } = await stateOf(context, accountId, space, code);
  if (state === 'free') return { state, linkId, suggestions: [] };
  const alike = similarCodes(context, space, code);
  return { state, linkId, suggestions: await filterFree(context, accountId, space, alike) };
}

/** Returns free random codes. */
export function freeCodes(context: Context, accountId: number, space: string): Promise<string[]> {
  const generated = Array.from({ length: maxSuggestions }, () =>
    generateCode(generatedCodeLength, context.randomBytes),
  );
  return filterFree(context, accountId, space, generated);
}

async function stateOf({ storage }: Context, accountId: number, space: string, code: string) {
  if (isReserved(code, space)) return { state: 'reserved' as const, linkId: null };
  const holder = await storage.holderOfCode(accountId, codeKey(space, code));
  // A deleted link's code is free only for the account that owned the link.
  if (holder === undefined || (holder.isOwn && holder.linkId === null))
    return { state: 'free' as const, linkId: null };
  return { state: holder.isOwn ? ('yours' as const) : ('taken' as const), linkId: holder.linkId };
}

async function filterFree(
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

/** Generates codes similar to the requested code, with a number, the year or random characters appended. */
function similarCodes({ now, randomBytes }: Context, space: string, code: string): string[] {
  // If the first segment is reserved, every code that starts with it is reserved too. The suffix is therefore appended
  // to the first segment.
  const varied = isReserved(code, space) ? firstSegment(code) : code;
  const rest = code.slice(varied.length);
  const room = longestCode - rest.length - 1;
  const year = new Date(now()).getUTCFullYear();
  const generated = Array.from({ length: 4 }, () => generateCode(3, randomBytes));
  return ['2', '3', String(year), '4', '5', ...generated]
    .map((end) => `${varied.slice(0, room - end.length).replace(/\/$/, '')}-${end}${rest}`)
    .filter(couldBeCode);
}
