import { expiryOfNewLink } from '../accounts/plans.ts';
import type { Context } from '../context.ts';
import type { LinkDomain } from '../domains/hosts.ts';
import { Failure, refused } from '../failures.ts';
import { isId } from '../ids.ts';
import { parseTimestamp } from '../timestamps.ts';
import { type CodeRequest, generateCode, isReserved } from './codes/codes.ts';
import { codeReserved } from './conflicts.ts';
import { isProblem } from './destinations/destinations.ts';
import { readTarget } from './destinations/templates.ts';
import { codeProblemsOn, domainFor } from './domains.ts';
import { folderNotFound } from './folders.ts';
import { inputsOf } from './link-field-values.ts';
import { storedInputs } from './link-inputs.ts';
import type { DuplicateCheck, NewLink } from './link-records.ts';
import type { Caller, LinkDraft } from './links.ts';
import { tagChoice } from './tags.ts';

// The first generated code is nearly always free. After a collision, several codes are tried at a time.
const firstCandidates = 1;
const furtherCandidates = 4;
const longestGenerated = 16;

const inputsOfDraft = inputsOf('shorten');

/** Runs the write for a new link. Without a custom code, generates codes and repeats the write until a code is free. */
export async function writeWithFreeCode<T>(
  context: Context,
  caller: Caller,
  draft: LinkDraft,
  write: (link: NewLink) => Promise<T>,
): Promise<T> {
  const domain = await domainFor(context, caller, draft.domain);
  const problems = codeProblemsOn(domain?.space ?? '', draft, context);
  if (problems.length > 0) throw refused(problems);
  const link = linkWithoutCodes(context, caller, draft, domain);
  const reserved = reservedIn(draft, domain);
  if (reserved !== undefined) throw (await missingFolder(context, caller, link)) ?? reserved;
  if (typeof draft.customCode === 'string') return write({ ...link, codes: [draft.customCode] });

  const isPlain = !draft.prefix && !draft.length;
  let length = draft.length ?? context.generatedLength.now();
  for (let candidates = firstCandidates; ; candidates = furtherCandidates) {
    try {
      return await write({ ...link, codes: generateCodes(context, draft, candidates, length) });
    } catch (error) {
      const crowded = error instanceof Failure && error.code === 'CUSTOM_CODE_TAKEN';
      if (!crowded || length >= longestGenerated) throw error;
      if (candidates === furtherCandidates) length += 1;
      if (isPlain) context.generatedLength.grow(length);
    }
  }
}

function generateCodes(
  { randomBytes }: Context,
  { prefix }: CodeRequest,
  codes: number,
  length: number,
): string[] {
  return Array.from({ length: codes }, () => `${prefix ?? ''}${generateCode(length, randomBytes)}`);
}

/** Returns the check for an existing link; undefined if a new link is created regardless. */
export function duplicateCheckFor(context: Context, draft: LinkDraft): DuplicateCheck | undefined {
  const { ifExists, customCode } = draft;
  if (ifExists !== 'reuse' && ifExists !== 'fail') return undefined;
  return { ifExists, customCode: customCode ?? undefined, now: context.now() };
}

/**
 * Creates a new link's record, without codes.
 * @throws Failure for a draft that is invalid regardless of stored data
 */
function linkWithoutCodes(
  context: Context,
  caller: Caller,
  draft: LinkDraft,
  domain: LinkDomain | undefined,
): Omit<NewLink, 'codes'> {
  const destination = readTarget(draft.url, context.destinations, draft.template === true);
  if (isProblem(destination)) throw refused([destination]);
  const { folderId } = draft;
  if (typeof folderId === 'string' && !isId(folderId)) throw folderNotFound();

  const { id, createdAt } = context.stamp();
  return {
    ...storedInputs(inputsOfDraft, draft, context.destinations),
    id,
    destination: destination.url,
    location: destination.location,
    expiresAt: expiryOfNewLink(caller.plan, createdAt, timeIn(draft.expiresAt)),
    folderId: folderId?.toLowerCase() ?? caller.folderId ?? null,
    createdAt,
    quota: context.linkQuotas[caller.plan],
    tags: draft.tags ? tagChoice(context, draft.tags) : undefined,
    domain,
  };
}

/**
 * Creates a new link's record for a bulk write, with candidate codes. The password in the draft must already be hashed,
 * and its domain resolved.
 * @throws the same failures as {@link shorten}, except for failures that only storage can detect
 */
export function newLinkOf(
  context: Context,
  caller: Caller,
  draft: LinkDraft,
  domain: LinkDomain | undefined,
): NewLink {
  const { customCode } = draft;
  const problems = codeProblemsOn(domain?.space ?? '', draft, context);
  if (problems.length > 0) throw refused(problems);
  const reserved = reservedIn(draft, domain);
  if (reserved !== undefined) throw reserved;
  const codes =
    typeof customCode === 'string'
      ? [customCode]
      : generateCodes(context, draft, furtherCandidates, draft.length ?? context.generatedLength.now());
  return { ...linkWithoutCodes(context, caller, draft, domain), codes };
}

/** Parses a time to ms since the epoch. Returns null if the time is missing or invalid. */
export function timeIn(text: string | null | undefined): number | null {
  return typeof text === 'string' ? (parseTimestamp(text) ?? null) : null;
}

/**
 * Returns the failure for a folder that does not exist. The folder is checked before the code, because missing records
 * are reported before conflicts (CONTRACT §1.4).
 */
async function missingFolder(
  { storage }: Context,
  { accountId }: Caller,
  { folderId }: Pick<NewLink, 'folderId'>,
): Promise<Failure | undefined> {
  if (folderId == null || (await storage.folder(accountId, folderId)) !== undefined) return undefined;
  return folderNotFound();
}

/** Returns the failure for a reserved code, or for a prefix that makes every code reserved. */
function reservedIn(
  { customCode, prefix }: CodeRequest,
  domain: LinkDomain | undefined,
): Failure | undefined {
  const space = domain?.space ?? '';
  if (typeof customCode === 'string')
    return isReserved(customCode, space) ? codeReserved(customCode) : undefined;
  if (typeof prefix !== 'string' || !prefix.includes('/')) return undefined;
  return isReserved(prefix, space) ? codeReserved(prefix, 'prefix') : undefined;
}
