import { digestOf } from '../accounts/keys.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { recordId } from '../ids.ts';
import { folderNotFound } from '../links/folders.ts';
import { linkNotFound } from '../links/links.ts';
import { isValidProof, proofOf, withHashedPassword } from '../links/passwords.ts';
import { tagNotFound } from '../links/tags.ts';
import { randomSymbols } from '../random-symbols.ts';
import type { RecordFields, RecordOf } from '../record-fields.ts';
import type { SharedSubject } from './shared-subjects.ts';

/** Fields of a share, a public link to statistics. Does not include the secret. */
export const shareFields = {
  id: { kind: 'id', about: 'Identifier of the share.', example: '0198c5a0-6666-7b3a-9c41-3f0f6f2f8a10' },
  createdAt: { kind: 'time', about: 'When the share was created.', example: '2027-03-01T09:00:00.000Z' },
  expiresAt: { kind: 'time', nullable: true, about: 'When the share expires; null if never.' },
} as const satisfies RecordFields;
export type Share = RecordOf<typeof shareFields>;

export interface NewShare extends Share {
  /** Digest of the secret, which is never stored. */
  readonly digest: Uint8Array;
}

/** A share that compares up to four subjects. */
export interface Report extends Share {
  readonly subjects: readonly SharedSubject[];
  readonly hasPassword: boolean;
}

export interface NewReport extends NewShare {
  readonly subjects: readonly SharedSubject[];
  /** Password hash; null if the share has no password. */
  readonly password: string | null;
}

/** A share found by its secret, with the subjects that it gives access to. */
export interface Shared {
  readonly shareId: string;
  readonly accountId: number;
  readonly password: string | null;
  readonly subjects: readonly SharedSubject[];
  /** Set if the share is for one link. */
  readonly link:
    | {
        readonly code: string;
        /** Host of the link's domain; null for the shared domain. */
        readonly host: string | null;
        readonly title: string | null;
        readonly destination: string;
      }
    | undefined;
}

/** Maximum number of unexpired shares per link. Also the maximum number of multi-subject shares per account. */
export const maxShares = 100;

const secretLength = 32;
/** Matches a secret, optionally followed by a dot and a proof that its holder entered the password. */
const secretShape = /^(lfs_[0-9A-Za-z]{32})(?:\.([1-9]\d*\.[\w-]{43}))?$/;
/** How long a password proof is valid, in seconds. */
const proofSeconds = 86_400;

function shareNotFound(): Failure {
  return new Failure('SHARE_NOT_FOUND');
}

function newShare(context: Context, expiresAt: number | null): NewShare & { readonly secret: string } {
  const { id, createdAt } = context.stamp();
  const secret = `lfs_${randomSymbols(secretLength, context.randomBytes)}`;
  return { id, createdAt, expiresAt, digest: digestOf(secret), secret };
}

/**
 * Creates a public share of a link's statistics. The secret is returned only once.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED
 */
export async function shareLink(
  context: Context,
  accountId: number,
  linkId: string,
  expiresAt: number | null,
): Promise<{ share: Share; secret: string }> {
  const { secret, ...made } = newShare(context, expiresAt);
  const share = await context.writes.shareLink(accountId, linkId, made);
  return { share, secret };
}

/** Lists a link's shares, oldest first, including expired ones. @throws Failure LINK_NOT_FOUND */
export async function listShares(
  { storage }: Context,
  accountId: number,
  linkId: string,
): Promise<readonly Share[]> {
  const found = await storage.shares(accountId, linkId);
  if (found === undefined) throw linkNotFound();
  return found;
}

/** Revokes a share immediately. @throws Failure SHARE_NOT_FOUND, also for another account's share */
export async function revokeShare({ writes }: Context, accountId: number, id: string): Promise<void> {
  if (!(await writes.revokeShare(accountId, id))) throw shareNotFound();
}

/**
 * Creates a public share of statistics for several subjects.
 * @throws Failure LINK_NOT_FOUND, FOLDER_NOT_FOUND, TAG_NOT_FOUND, LIMIT_REACHED, OVERLOADED
 */
export async function createShare(
  context: Context,
  accountId: number,
  given: Pick<Report, 'subjects' | 'expiresAt'> & { readonly password?: string | null | undefined },
): Promise<{ share: Report; secret: string }> {
  for (const subject of given.subjects)
    if ((await nameOf(context, accountId, subject)) === undefined) throw notFound[subject.kind]();
  const { password } = await withHashedPassword(context.passwords, accountId, given);
  const { secret, ...made } = newShare(context, given.expiresAt);
  const subjects = given.subjects.map(({ kind, id }) => ({
    kind,
    id: kind === 'campaign' ? id : recordId(id),
  }));
  const share = await context.writes.createShare(accountId, {
    ...made,
    subjects,
    password: password ?? null,
  });
  return { share, secret };
}

const notFound = { link: linkNotFound, folder: folderNotFound, tag: tagNotFound, campaign: shareNotFound };

/** Returns a shared subject's display name; undefined if the subject was deleted. */
export async function nameOf(
  { storage }: Context,
  accountId: number,
  { kind, id }: SharedSubject,
): Promise<string | undefined> {
  if (kind === 'campaign') return id;
  if (kind !== 'link') return (await storage[kind](accountId, recordId(id)))?.name;
  const found = await storage.link(accountId, recordId(id));
  return found && (found.link.title || found.link.code);
}

/**
 * Finds a share and its subjects by the share's token.
 * @throws Failure SHARE_NOT_FOUND, also when the share has expired, its link is deleted or its account is suspended;
 * PASSWORD_REQUIRED
 */
export async function findShared(context: Context, token: string): Promise<Shared> {
  const { proof, shared } = await findUnverified(context, token);
  const { password, shareId } = shared;
  if (
    password !== null &&
    !isValidProof(proof, Buffer.from(shareId), password, Math.floor(context.now() / 1_000))
  )
    throw new Failure('PASSWORD_REQUIRED');
  return shared;
}

/** Finds a share by the secret in a token. Also returns the token's password proof, without checking the proof. */
async function findUnverified({ storage, now }: Context, token: string) {
  const [, secret, proof = ''] = secretShape.exec(token) ?? [];
  const shared = secret === undefined ? undefined : await storage.shared(digestOf(secret), now());
  if (secret === undefined || shared === undefined) throw shareNotFound();
  return { secret, proof, shared };
}

/**
 * Checks a share's password.
 * @param counting runs the check and counts it if it fails, for rate limiting
 * @returns the secret with a password proof
 * @throws Failure SHARE_NOT_FOUND, WRONG_PASSWORD
 */
export async function openShare(
  context: Context,
  token: string,
  typed: string,
  counting: (shareId: string, work: () => Promise<void>) => Promise<void>,
): Promise<string> {
  const { secret, shared } = await findUnverified(context, token);
  const { password, shareId, accountId } = shared;
  if (password === null) return secret;
  await counting(shareId, async () => {
    const requester = { group: accountId, member: shareId };
    if (!(await context.passwords.isRight(requester, typed, password))) throw new Failure('WRONG_PASSWORD');
  });
  const until = Math.floor(context.now() / 1_000) + proofSeconds;
  return `${secret}.${proofOf(Buffer.from(shareId), password, until)}`;
}
