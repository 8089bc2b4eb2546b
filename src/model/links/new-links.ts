import { expiryOfNewLink } from '../accounts/plans.ts';
import type { Context } from '../context.ts';
import type { LinkDomain } from '../domains/hosts.ts';
import { Failure, refused } from '../failures.ts';
import { isId } from '../ids.ts';
import { parseTimestamp } from '../timestamps.ts';
import { type CodeWish, generateCode, isReserved } from './codes/codes.ts';
import { codeReserved } from './conflicts.ts';
import { isProblem } from './destinations/destinations.ts';
import { readTarget } from './destinations/templates.ts';
import { codeProblemsOn, domainFor } from './domains.ts';
import { folderNotFound } from './folders.ts';
import { inputsOf } from './link-field-values.ts';
import { storedInputs } from './link-inputs.ts';
import type { NewLink, SameDestination } from './link-records.ts';
import type { Caller, LinkDraft } from './links.ts';
import { tagChoice } from './tags.ts';

// One code is nearly always free; after a failure several are offered at a time.
const firstDraw = 1;
const nextDraw = 4;
const longestGenerated = 16;

const inputsOfDraft = inputsOf('shorten');

/** Draws codes for a link without a custom code, until the write finds a free one. */
export async function resolveDomain<T>(
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
  let length = draft.length ?? context.drawnLength.now();
  for (let candidates = firstDraw; ; candidates = nextDraw) {
    try {
      return await write({ ...link, codes: drawn(context, draft, candidates, length) });
    } catch (error) {
      const crowded = error instanceof Failure && error.code === 'CUSTOM_CODE_TAKEN';
      if (!crowded || length >= longestGenerated) throw error;
      if (candidates === nextDraw) length += 1;
      if (isPlain) context.drawnLength.grow(length);
    }
  }
}

function drawn({ randomBytes }: Context, { prefix }: CodeWish, codes: number, length: number): string[] {
  return Array.from({ length: codes }, () => `${prefix ?? ''}${generateCode(length, randomBytes)}`);
}

/** What to look for before a link is made; undefined when it is made in any case. */
export function sameDestination(context: Context, draft: LinkDraft): SameDestination | undefined {
  const { ifExists, customCode } = draft;
  if (ifExists !== 'reuse' && ifExists !== 'fail') return undefined;
  return { ifExists, customCode: customCode ?? undefined, now: context.now() };
}

/** A new link without its code. @throws Failure when the draft cannot be one, whatever there is already */
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
 * A new link for a write of many, with codes to choose from; its password was hashed, and its domain found, before.
 * @throws Failure as {@link shorten}, but for what storage alone knows
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
      : drawn(context, draft, nextDraw, draft.length ?? context.drawnLength.now());
  return { ...linkWithoutCodes(context, caller, draft, domain), codes };
}

/** ms since the epoch; null for none, and for what is no time. */
export function timeIn(text: string | null | undefined): number | null {
  return typeof text === 'string' ? (parseTimestamp(text) ?? null) : null;
}

/** Existence comes before conflict (CONTRACT §1.4), so the folder is looked at before the code. */
async function missingFolder(
  { storage }: Context,
  { accountId }: Caller,
  { folderId }: Pick<NewLink, 'folderId'>,
): Promise<Failure | undefined> {
  if (folderId == null || (await storage.folder(accountId, folderId)) !== undefined) return undefined;
  return folderNotFound();
}

/** Why no account can have a wished code, or codes that begin with a prefix of segments. */
function reservedIn({ customCode, prefix }: CodeWish, domain: LinkDomain | undefined): Failure | undefined {
  const space = domain?.space ?? '';
  if (typeof customCode === 'string')
    return isReserved(customCode, space) ? codeReserved(customCode) : undefined;
  if (typeof prefix !== 'string' || !prefix.includes('/')) return undefined;
  return isReserved(prefix, space) ? codeReserved(prefix, 'prefix') : undefined;
}
