import { choosesExpiry, type Plan } from '../accounts/plans.ts';
import type { Context } from '../context.ts';
import type { LinkDomain } from '../domains/hosts.ts';
import { Failure, type Problem, problem, refused } from '../failures.ts';
import type { IfMatch } from '../history/revisions.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { expiryProblem, msPerHour } from '../timestamps.ts';
import { type CodeRequest, type CodeRules, codeProblems } from './codes/codes.ts';
import { isProblem } from './destinations/destinations.ts';
import { readTarget } from './destinations/templates.ts';
import { domainFor, domainNamed, keyIn } from './domains.ts';
import { type InputOf, inputsOf } from './link-field-values.ts';
import { type FieldInputs, inputProblems, storedInputs } from './link-inputs.ts';
import type { ifExistsActions, Link, LinkChange, StoredLink, UpsertedLink } from './link-records.ts';
import { duplicateCheckFor, timeIn, writeWithFreeCode } from './new-links.ts';
import { withHashedPassword } from './passwords.ts';
import { tagChoice, tagsProblem } from './tags.ts';

/** The account that makes a request, and the plan of the key that it uses. */
export interface Caller {
  readonly accountId: number;
  readonly plan: Plan;
  /** Default domain for new links; undefined for the shared domain. */
  readonly domain?: LinkDomain;
  /** Default folder for new links. Set for keys that are restricted to folders. */
  readonly folderId?: string;
}

interface WithTags {
  /** Tag names. Missing tags are created. */
  readonly tags?: readonly string[] | null | undefined;
}

/** A client's request for a new link. A null field means the same as an omitted field. */
export type LinkDraft = {
  readonly url: string;
  /** Action if the account has a link with this destination; `new` by default. */
  readonly ifExists?: (typeof ifExistsActions)[number] | null | undefined;
  /** Host of the link's domain. */
  readonly domain?: string | null | undefined;
} & CodeRequest &
  FieldInputs<InputOf<'shorten'>> &
  WithTags;

/** A client's changes to a link. Omitted fields stay unchanged; null clears a field. */
export type LinkEdit = FieldInputs<InputOf<'updateLink'>> & WithTags & { readonly url?: string | undefined };

/** A validated edit with the body that the client sent. */
interface EditInput {
  readonly body: LinkEdit;
  /** The body as sent, including fields that PATCH accepts only with their current value (CONTRACT §4, PATCH). */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly ifMatch: IfMatch;
}

const inputsOfDraft = inputsOf('shorten');
const inputsOfEdit = inputsOf('updateLink');

export function linkNotFound(): Failure {
  return new Failure('LINK_NOT_FOUND');
}

const reusesPassword = problem(
  'ifExists',
  'not_allowed',
  'ifExists must be "fail" or "new" if you set a password: "reuse" would not change the password of the existing link.',
);

/** The rules that a draft is checked against. */
export type DraftRules = CodeRules & Pick<Context, 'destinations' | 'now'>;

/** Returns the validation errors in a draft that schema validation does not catch. */
export function draftProblems(
  context: DraftRules,
  draft: { readonly [K in keyof LinkDraft]?: LinkDraft[K] | undefined },
): Problem[] {
  const { url, expiresAt, tags, template } = draft;
  const destination =
    url === undefined ? undefined : readTarget(url, context.destinations, template === true);
  return [
    destination !== undefined && isProblem(destination) ? destination : undefined,
    // If the request names a domain, the code is checked later, once the domain has been looked up.
    ...(draft.domain == null ? codeProblems(draft, context) : []),
    typeof expiresAt === 'string' ? expiryProblem(expiresAt, context.now()) : undefined,
    tagsProblem(tags),
    ...inputProblems(inputsOfDraft, draft, context.destinations),
    typeof draft.password === 'string' && draft.ifExists === 'reuse' ? reusesPassword : undefined,
  ].filter((problem) => problem !== undefined);
}

/**
 * Creates a short link (interface document §4.1) or, with `ifExists: reuse`, returns the existing link with this
 * destination.
 * @throws Failure INVALID_URL and the other destination failures, CUSTOM_CODE_TAKEN, CUSTOM_CODE_RESERVED,
 * INVALID_CUSTOM_CODE, DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE, EXTERNAL_ID_TAKEN, FOLDER_NOT_FOUND, LIMIT_REACHED,
 * LINK_EXISTS
 */
export async function shorten(context: Context, caller: Caller, given: LinkDraft): Promise<UpsertedLink> {
  const draft = await withHashedPassword(context.passwords, caller.accountId, given);
  const duplicateCheck = duplicateCheckFor(context, draft);
  return writeWithFreeCode(context, caller, draft, async (link) =>
    duplicateCheck === undefined
      ? { link: await context.writes.createLink(caller.accountId, link), isNew: true }
      : context.writes.createUnlessExists(caller.accountId, link, duplicateCheck),
  );
}

/**
 * Creates a link with an externalId, or updates the existing link with this externalId. An update does not change the
 * code.
 * @throws Failure IMMUTABLE_FIELD when the link's code differs from the requested code; also the failures of
 * {@link shorten}
 */
export async function upsertLink(
  context: Context,
  caller: Caller,
  externalId: string,
  given: Omit<LinkDraft, 'externalId'>,
): Promise<UpsertedLink> {
  const draft = await withHashedPassword(context.passwords, caller.accountId, given);
  const existing = {
    customCode: draft.customCode ?? undefined,
    domain:
      draft.domain == null
        ? undefined
        : ((await domainNamed(context, caller.accountId, draft.domain)) ?? null),
    keepsExpiry: !choosesExpiry(caller.plan),
    now: context.now(),
  };
  return writeWithFreeCode(context, caller, { ...draft, tags: draft.tags ?? [], externalId }, (link) =>
    context.writes.upsertLink(caller.accountId, { ...link, externalId }, existing),
  );
}

/** Returns a link with all of its clicks, including clicks that are not in storage yet. */
export function withClicks<L extends StoredLink>(context: Context, link: L, appliedTo: number): L {
  const unapplied = context.unapplied.of(link.row, appliedTo);
  if (unapplied === 0) return link;
  // Unapplied clicks are at most about a second old, so the current hour is used as the hour of the last click.
  const thisHour = Math.floor(context.now() / msPerHour) * msPerHour;
  return { ...link, clicks: link.clicks + unapplied, lastClickAt: Math.max(link.lastClickAt ?? 0, thisHour) };
}

/** Returns the link that storage found. @throws Failure LINK_NOT_FOUND if storage found no link */
async function requireLink(
  context: Context,
  read: MaybePromise<{ readonly link: StoredLink; readonly appliedTo: number } | undefined>,
): Promise<Link> {
  const found = await read;
  if (found === undefined) throw linkNotFound();
  return withClicks(context, found.link, found.appliedTo);
}

/** @throws Failure LINK_NOT_FOUND, also for another account's link (interface document §5.5) */
export function getLink(context: Context, accountId: number, id: string): Promise<Link> {
  return requireLink(context, context.storage.link(accountId, id));
}

/**
 * Returns a live link by its code, even if it has expired.
 * @param host host of the link's domain; the account's default domain if omitted
 * @throws Failure LINK_NOT_FOUND, also for another account's code; DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE
 */
export async function getLinkByCode(context: Context, caller: Caller, code: string, host?: string) {
  const key = keyIn(await domainFor(context, caller, host), code);
  return requireLink(
    context,
    key === undefined ? undefined : context.storage.linkByCode(caller.accountId, key),
  );
}

/** Returns a live link by its externalId. @throws Failure LINK_NOT_FOUND */
export function getLinkByExternalId(context: Context, accountId: number, externalId: string): Promise<Link> {
  return requireLink(context, context.storage.linkByExternalId(accountId, externalId));
}

/**
 * Updates a link's metadata. With a Free key, the expiry stays unchanged (interface document §4.1).
 * @throws Failure LINK_NOT_FOUND, IMMUTABLE_FIELD, EXTERNAL_ID_TAKEN
 */
export async function updateLink(
  context: Context,
  caller: Caller,
  id: string,
  { body, sent, ifMatch }: EditInput,
): Promise<Link> {
  const { accountId } = caller;
  requireMutable(await getLink(context, accountId, id), sent);
  const change = changeOf(context, caller, await withHashedPassword(context.passwords, accountId, body));
  return requireUpdated(await context.writes.updateLink(accountId, id, change, context.now(), ifMatch));
}

/**
 * Updates the link with an externalId, including its destination. The write looks up the externalId again, so that it
 * cannot change a link that no longer has this externalId.
 * @throws Failure INVALID_URL and the other destination failures; also the failures of {@link updateLink}
 */
export async function updateLinkByExternalId(
  context: Context,
  caller: Caller,
  externalId: string,
  { body, sent: { url: _mutable, ...sent }, ifMatch }: EditInput,
): Promise<Link> {
  const { accountId } = caller;
  requireMutable(await getLinkByExternalId(context, accountId, externalId), sent);
  const change = changeOf(context, caller, await withHashedPassword(context.passwords, accountId, body));
  const { writes, now } = context;
  return requireUpdated(await writes.updateByExternalId(accountId, externalId, change, now(), ifMatch));
}

function requireUpdated(link: Link | undefined): Link {
  if (link === undefined) throw linkNotFound();
  return link;
}

/**
 * Converts an edit to a change for storage. The password in the edit must already be hashed. With a Free key, the
 * expiry stays unchanged.
 */
export function changeOf(context: Context, caller: Caller, edit: LinkEdit): LinkChange {
  return {
    ...storedInputs(inputsOfEdit, edit, context.destinations),
    ...(edit.url !== undefined && destinationChange(context, edit.url, edit.template === true)),
    ...(edit.tags !== undefined && { tags: tagChoice(context, edit.tags) }),
    ...(edit.expiresAt !== undefined && choosesExpiry(caller.plan) && { expiresAt: timeIn(edit.expiresAt) }),
  };
}

/** Maps each immutable field to its current value, which a client may send unchanged. */
const immutableFields: Readonly<Record<string, (link: Link) => unknown>> = {
  url: (link) => link.destination,
  destinationUrl: (link) => link.destination,
  shortCode: (link) => link.code,
  customCode: (link) => link.code,
  folderId: (link) => link.folderId,
  managedBy: (link) => link.managedBy,
};

/** Names of {@link immutableFields}. */
export const immutableNames: readonly string[] = Object.keys(immutableFields);

/** @throws Failure IMMUTABLE_FIELD for an immutable field whose value differs from the link's value */
function requireMutable(link: Link, sent: Readonly<Record<string, unknown>>): void {
  const problems = Object.entries(immutableFields).flatMap(([field, stored]) => {
    const given = sent[field];
    const value = field === 'folderId' && typeof given === 'string' ? given.toLowerCase() : given;
    return !Object.hasOwn(sent, field) || value === stored(link) ? [] : [immutableProblem(field)];
  });
  if (problems.length > 0) throw refused(problems);
}

export function immutableProblem(field: string): Problem {
  return problem(field, 'immutable', `${field} cannot be changed here.`, 'IMMUTABLE_FIELD');
}

/**
 * Changes a link's destination (CONTRACT §4, extension of PATCH).
 * @throws Failure LINK_NOT_FOUND, INVALID_URL and the other destination failures
 */
export async function repointLink(
  context: Context,
  caller: Caller,
  id: string,
  { url, template }: Pick<LinkEdit, 'url' | 'template'> & { readonly url: string },
  ifMatch?: IfMatch,
): Promise<Link> {
  const change = destinationChange(context, url, template === true);
  return requireUpdated(
    await context.writes.updateLink(caller.accountId, id, change, context.now(), ifMatch),
  );
}

/** @throws Failure INVALID_URL and the other destination failures */
function destinationChange(context: Context, url: string, isTemplate: boolean): LinkChange {
  const destination = readTarget(url, context.destinations, isTemplate);
  if (isProblem(destination)) throw refused([destination]);
  // Whether braces are placeholders depends on the link after the update, so storage serializes the URL.
  if (/[{}]/.test(url)) return { destination: destination.url };
  return { destination: destination.url, location: destination.location };
}
