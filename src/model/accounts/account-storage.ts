import type { MaybePromise } from '../maybe-promise.ts';
import type { Account, AccountSettings } from './accounts.ts';
import type { By } from './authority.ts';
import type { BrandingReads, BrandingWrites } from './branding.ts';
import type { IdentityReads, IdentityWrites } from './identity-storage.ts';
import type { ApiKey, NewKey, RotatedKey, StoredKey } from './keys.ts';
import type { LimitUse } from './limits.ts';
import type { MemberReads, MemberWrites } from './member-storage.ts';
import type { OperatorReads, OperatorWrites } from './operators.ts';
import type { PasskeyReads, PasskeyWrites } from './passkey-storage.ts';
import type { Preferences } from './preferences.ts';
import type { Role } from './roles.ts';
import type { LoginLink, NewSession, Session } from './sessions.ts';

/** Reads of accounts, their keys and their sessions. */
export interface AccountReads extends BrandingReads, MemberReads, PasskeyReads, IdentityReads, OperatorReads {
  findKey(id: string): MaybePromise<StoredKey | undefined>;
  usage(accountId: number): MaybePromise<{ links: number; folders: number }>;
  /** The newest 1,000 keys of an account, the newest first. */
  keysOf(accountId: number): MaybePromise<readonly ApiKey[]>;
  /** Keys of one account, or of all: for the operator's tools. */
  keys(account?: string): MaybePromise<readonly ApiKey[]>;
  /** By the digest of its token; whether it has ended by itself is for the caller to see. */
  findSession(digest: Uint8Array): MaybePromise<Session | undefined>;
  /** Sessions of an account, or of one of its keys, the one last used first. */
  sessions(accountId: number, keyId?: string): MaybePromise<readonly Session[]>;
  /** What an account, or a person in it, has kept for the dashboard; undefined while that is nothing. */
  preferences(accountId: number, memberId?: string): MaybePromise<Preferences | undefined>;
  findLoginLink(digest: Uint8Array): MaybePromise<LoginLink | undefined>;
  accountSettings(accountId: number): MaybePromise<AccountSettings>;
  accounts(): MaybePromise<readonly (Account & { links: number })[]>;
  /** Whether any key exists at all. */
  hasKeys(): MaybePromise<boolean>;
}

/** Writes of accounts, their keys, their sessions and the use of their limits. */
export interface AccountWrites
  extends BrandingWrites,
    MemberWrites,
    PasskeyWrites,
    IdentityWrites,
    OperatorWrites {
  /** @returns undefined when the name is in use, in any case */
  createAccount(name: string, now: number): Promise<Account | undefined>;
  setAccount(accountId: number, settings: AccountSettings, now: number): Promise<void>;
  /** @returns whether there is such an account */
  suspendAccount(name: string, at: number | null): Promise<boolean>;
  /**
   * Creates the account as well when it does not exist.
   * @param maxLive most live keys of the account with this one; undefined for no limit
   * @throws Failure VALIDATION_ERROR when an account has its name in another case, LIMIT_REACHED
   */
  createKey(key: NewKey, maxLive?: number): Promise<ApiKey>;
  /** @returns undefined once any key exists, and does nothing then. A name in another case is the same account. */
  createFirstKey(key: NewKey): Promise<ApiKey | undefined>;
  /** @returns whether there was a live key */
  revokeKey(id: string, now: number): Promise<boolean>;
  /**
   * Makes a successor with the same rights and the same expiry; the old key ends with `oldExpiresAt`, or before.
   * @param by who asks for it, and must have all that the old key has; undefined for the operator
   * @throws Failure INVALID_API_KEY when there is no such key, or it is revoked or was rotated already; EXPIRED_API_KEY;
   *   INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED
   */
  rotateKey(
    id: string,
    next: { id: string; digest: Uint8Array; createdAt: number; oldExpiresAt: number },
    by?: By,
  ): Promise<RotatedKey>;
  touchKeys(uses: readonly { id: string; at: number }[]): Promise<void>;
  /**
   * @param login the digest of a login link, which is used up
   * @returns its id; undefined when the link is used up already, or too old
   */
  createSession(session: NewSession, login?: Uint8Array): Promise<{ id: string } | undefined>;
  /** @param keyId only when it is a session of this key @returns whether there was one */
  endSession(accountId: number, id: string, keyId?: string): Promise<boolean>;
  /** @param except the session that stays; empty for none @param keyId only those of this key @returns how many */
  endSessions(accountId: number, except: string, keyId?: string): Promise<number>;
  touchSessions(uses: readonly { id: string; at: number }[]): Promise<void>;
  putPreferences(accountId: number, value: string, now: number, memberId?: string): Promise<void>;
  /** @returns what a repetition of the request calls it: the beginning of its digest */
  /** @param role that the person must still have @throws Failure MEMBER_NOT_FOUND for another role, and for an operator */
  createLoginLink(link: LoginLink, role?: Role): Promise<{ readonly id: string }>;
  /** Removes sessions and login links that have ended by themselves. */
  forgetSessions(now: number): Promise<void>;
  /**
   * Reports how much a node has counted against each limit since the minute began, and reads what the others counted.
   * @param node a number that no other process has
   * @returns the others' sums of these names; without those that no other node counted
   */
  shareUses(node: number, since: number, uses: readonly LimitUse[]): Promise<readonly LimitUse[]>;
  /** Removes what was counted in minutes that began before the given time. */
  forgetUses(before: number): Promise<void>;
}
