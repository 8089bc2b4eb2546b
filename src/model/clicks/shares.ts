import { hash } from 'node:crypto';
import type { Context } from '../context.ts';
import { drawSymbols } from '../drawn-symbols.ts';
import { Failure } from '../failures.ts';
import { isId } from '../ids.ts';
import { linkNotFound } from '../links/links.ts';

/** A public address of a link's statistics, without the secret that is in it. */
export interface Share {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Null for never. */
  readonly expiresAt: number | null;
}

export interface NewShare extends Share {
  /** Of the secret, which is kept nowhere. */
  readonly digest: Uint8Array;
}

/** What the holder of a share may ask about. */
export interface SharedLink {
  readonly shareId: string;
  readonly accountId: number;
  readonly linkId: string;
  readonly code: string;
  /** Of its domain; null for the shared one. */
  readonly host: string | null;
  readonly title: string | null;
  readonly destination: string;
}

/** The limit of shares of one link that have not expired. */
export const maxShares = 100;

const secretLength = 32;
const secretShape = /^lfs_[0-9A-Za-z]{32}$/;

function digestOf(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}

function shareNotFound(): Failure {
  return new Failure('SHARE_NOT_FOUND');
}

/**
 * Makes a public address for reading a link's statistics. The secret is returned once.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED
 */
export async function shareLink(
  context: Context,
  accountId: number,
  linkId: string,
  expiresAt: number | null,
): Promise<{ share: Share; secret: string }> {
  if (!isId(linkId)) throw linkNotFound();
  const { id, createdAt } = context.stamp();
  const secret = `lfs_${drawSymbols(secretLength, context.randomBytes)}`;
  const made = { id, createdAt, expiresAt, digest: digestOf(secret) };
  const share = await context.writes.shareLink(accountId, linkId.toLowerCase(), made);
  return { share, secret };
}

/** The shares of a link, oldest first, expired ones too. @throws Failure LINK_NOT_FOUND */
export async function listShares(
  { storage }: Context,
  accountId: number,
  linkId: string,
): Promise<readonly Share[]> {
  const found = isId(linkId) ? await storage.shares(accountId, linkId.toLowerCase()) : undefined;
  if (found === undefined) throw linkNotFound();
  return found;
}

/** Ends a share at once. @throws Failure SHARE_NOT_FOUND, also for another account's */
export async function revokeShare({ writes }: Context, accountId: number, id: string): Promise<void> {
  if (!isId(id) || !(await writes.revokeShare(accountId, id.toLowerCase()))) throw shareNotFound();
}

/**
 * Finds what a secret gives access to: a live link of an account that is not suspended.
 * @throws Failure SHARE_NOT_FOUND
 */
export async function findShared({ storage, now }: Context, secret: string): Promise<SharedLink> {
  const found = secretShape.test(secret) ? await storage.sharedLink(digestOf(secret), now()) : undefined;
  if (found === undefined) throw shareNotFound();
  return found;
}
