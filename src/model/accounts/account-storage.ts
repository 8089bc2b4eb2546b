import type { MaybePromise } from '../maybe-promise.ts';
import type { Account, AccountSettings, AccountSettingsChange } from './accounts.ts';
import type { By } from './authority.ts';
import type { BrandingReads, BrandingWrites } from './branding.ts';
import type { IdentityReads, IdentityWrites } from './identity-storage.ts';
import type { ApiKey, NewKey, RotatedKey, StoredKey } from './keys.ts';
import type { LimitUse } from './limits.ts';
import type { Invitation, Member, MemberChange } from './member-fields.ts';
import type { MemberKeyAction, NewInvitation, NewMember } from './members.ts';
import type { OperatorReads, OperatorWrites } from './operators.ts';
import type { Challenge, Credential } from './passkeys.ts';
import type { Preferences } from './preferences.ts';
import type { Role } from './roles.ts';
import type { LoginLink, NewSession, Session } from './sessions.ts';
import type { Subject } from './single-sign-on.ts';

/** Read operations for accounts, their keys, sessions, members and branding. */
export interface AccountReads extends BrandingReads, MemberReads, PasskeyReads, IdentityReads, OperatorReads {
  findKey(id: string): MaybePromise<StoredKey | undefined>;
  usage(accountId: number): MaybePromise<{ links: number; folders: number }>;
  /** Lists an account's newest 1,000 keys, newest first. */
  keysOf(accountId: number): MaybePromise<readonly ApiKey[]>;
  /** Lists the keys of one account, or of all accounts, for operator commands. */
  keys(account?: string): MaybePromise<readonly ApiKey[]>;
  /** Finds a session by the digest of its token. The caller must check whether the session has expired. */
  findSession(digest: Uint8Array): MaybePromise<Session | undefined>;
  /** Lists the sessions of an account, or of one of its keys, most recently used first. */
  sessions(accountId: number, keyId?: string): MaybePromise<readonly Session[]>;
  /** Returns the stored dashboard preferences of an account or a member; undefined if there are none. */
  preferences(accountId: number, memberId?: string): MaybePromise<Preferences | undefined>;
  findLoginLink(digest: Uint8Array): MaybePromise<LoginLink | undefined>;
  accountSettings(accountId: number): MaybePromise<AccountSettings>;
  accounts(): MaybePromise<readonly (Account & { links: number })[]>;
  /** Returns true if any key exists in the installation. */
  hasKeys(): MaybePromise<boolean>;
}

/** Write operations for accounts, keys, sessions and rate-limit counters. */
export interface AccountWrites
  extends BrandingWrites,
    MemberWrites,
    PasskeyWrites,
    IdentityWrites,
    OperatorWrites {
  /** @returns undefined when the name is taken (case-insensitive) */
  createAccount(name: string, now: number): Promise<Account | undefined>;
  /** @returns all settings after the change */
  setAccount(accountId: number, change: AccountSettingsChange, now: number): Promise<AccountSettings>;
  /** @returns true if the account exists */
  suspendAccount(name: string, at: number | null): Promise<boolean>;
  /**
   * Creates a key, and its account if the account does not exist yet.
   * @param maxLive maximum number of live keys in the account, including the new key; undefined for no limit
   * @throws Failure VALIDATION_ERROR when the account name differs only in case from an existing one; LIMIT_REACHED
   */
  createKey(key: NewKey, maxLive?: number): Promise<ApiKey>;
  /** Creates the installation's first key. Changes nothing and returns undefined if a key already exists. */
  createFirstKey(key: NewKey): Promise<ApiKey | undefined>;
  /** @returns true if the key was live */
  revokeKey(id: string, now: number): Promise<boolean>;
  /**
   * Replaces a key with a new key that has the same permissions and expiry. The old key expires at `oldExpiresAt` or
   * earlier.
   * @param by the requester, who must have all of the old key's permissions; undefined for the operator
   * @throws Failure INVALID_API_KEY when the key does not exist, is revoked or was already rotated; EXPIRED_API_KEY;
   * INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED
   */
  rotateKey(
    id: string,
    next: { id: string; digest: Uint8Array; createdAt: number; oldExpiresAt: number },
    by?: By,
  ): Promise<RotatedKey>;
  touchKeys(uses: readonly { id: string; at: number }[]): Promise<void>;
  /**
   * @param login digest of a one-time sign-in link
   * @returns the session id; undefined when the link was already used or has expired
   */
  createSession(session: NewSession, login?: Uint8Array): Promise<{ id: string } | undefined>;
  /** @param keyId restricts the call to sessions of this key @returns true if the session existed */
  endSession(accountId: number, id: string, keyId?: string): Promise<boolean>;
  /**
   * Ends an account's sessions.
   * @param except id of the session to preserve; an empty string ends all sessions
   * @param keyId restricts the call to sessions of this key
   * @returns the number of ended sessions
   */
  endSessions(accountId: number, except: string, keyId?: string): Promise<number>;
  touchSessions(uses: readonly { id: string; at: number }[]): Promise<void>;
  putPreferences(accountId: number, value: string, now: number, memberId?: string): Promise<void>;
  /**
   * Creates a one-time sign-in link.
   * @param role the role that the member must currently have; undefined to skip this check
   * @returns the link's id: the first characters of its digest
   * @throws Failure MEMBER_NOT_FOUND when the member has a different role or is an operator
   */
  createLoginLink(link: LoginLink, role?: Role): Promise<{ readonly id: string }>;
  /** Deletes expired sessions, sign-in links and challenges. */
  deleteExpiredSessions(now: number): Promise<void>;
  /**
   * Stores this node's counts per limit for the minute that starts at `since`, and returns the other nodes' counts.
   * @param node a number unique to this process
   * @returns the other nodes' total for each name in `uses`; names that no other node has counted are omitted
   */
  shareUses(node: number, since: number, uses: readonly LimitUse[]): Promise<readonly LimitUse[]>;
  /** Deletes counts for minutes that began before the given time. */
  deleteOldUses(before: number): Promise<void>;
}

/** Read operations for members and invitations. */
interface MemberReads {
  /** Lists members, oldest first. */
  members(accountId: number): MaybePromise<readonly Member[]>;
  member(accountId: number, id: string): MaybePromise<Member | undefined>;
  /** Lists pending invitations, newest first. */
  invitations(accountId: number, now: number): MaybePromise<readonly Invitation[]>;
  /** Finds an invitation by the digest of its token. The caller must check whether the invitation has expired. */
  findInvitation(digest: Uint8Array): MaybePromise<Invitation | undefined>;
}

/** Write operations for members and invitations. */
interface MemberWrites {
  /** @throws Failure LIMIT_REACHED */
  createInvitation(invitation: NewInvitation): Promise<Invitation>;
  /** @returns true if the invitation existed */
  deleteInvitation(accountId: number, id: string): Promise<boolean>;
  /**
   * Accepts an invitation: creates the member and starts their session.
   * @param subject the OIDC identity, if the person signed in at the provider
   * @returns the member's key; undefined when the invitation was used or withdrawn, or has expired
   */
  acceptInvitation(
    digest: Uint8Array,
    member: NewMember,
    session: NewSession,
    subject?: Subject,
  ): Promise<ApiKey | undefined>;
  /**
   * @throws Failure MEMBER_NOT_FOUND, LAST_OWNER; VALIDATION_ERROR when a restricted member would manage the account
   */
  updateMember(accountId: number, id: string, change: MemberChange): Promise<Member>;
  /**
   * Removes a member.
   * @param left what to do with the member's keys. `heir` is the id of the member who becomes their owner, or null for
   * no owner
   * @returns the keys that the member had created
   * @throws Failure MEMBER_NOT_FOUND, LAST_OWNER, MEMBER_HAS_KEYS
   */
  deleteMember(
    accountId: number,
    id: string,
    left: { readonly keys: MemberKeyAction | undefined; readonly heir: string | null },
    now: number,
  ): Promise<Member['keys']>;
}

/** Read operations for passkeys. */
interface PasskeyReads {
  /** Lists a member's passkeys, oldest first. */
  credentials(memberId: string): MaybePromise<readonly Credential[]>;
  /** Returns a challenge, even if it has expired. */
  findChallenge(digest: Uint8Array): MaybePromise<Challenge | undefined>;
  /** Finds a passkey by its WebAuthn credential id. Also returns the member's internal key. */
  findCredential(
    credential: string,
  ): MaybePromise<{ readonly credential: Credential; readonly key: ApiKey } | undefined>;
}

/** Write operations for passkeys. */
interface PasskeyWrites {
  /**
   * @param sessionId id of the session that makes the request; the session must not have ended
   * @throws Failure INVALID_SESSION
   */
  createChallenge(challenge: Challenge, sessionId?: string): Promise<void>;
  /** Consumes a challenge. @returns undefined when the challenge does not exist or has expired */
  takeChallenge(digest: Uint8Array, now: number): Promise<Challenge | undefined>;
  /** @returns false when the credential id is in use @throws Failure INVALID_SESSION, LIMIT_REACHED */
  createPasskey(passkey: Credential, sessionId: string | undefined): Promise<boolean>;
  /** @returns whether the member has this passkey */
  renamePasskey(memberId: string, id: string, name: string): Promise<boolean>;
  /** @returns whether the member had this passkey */
  deletePasskey(memberId: string, id: string): Promise<boolean>;
  /** Starts a session with a passkey. @returns false when the passkey was deleted concurrently */
  usePasskey(
    id: string,
    use: { readonly counter: number; readonly at: number },
    session: NewSession,
  ): Promise<boolean>;
}
