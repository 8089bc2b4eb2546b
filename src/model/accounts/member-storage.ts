import type { MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './keys.ts';
import type { Invitation, LeftKeys, Member, NewInvitation, NewMember } from './members.ts';
import type { Role } from './roles.ts';
import type { NewSession } from './sessions.ts';
import type { Subject } from './single-sign-on.ts';

/** Reads of the people of an account. */
export interface MemberReads {
  /** The oldest first. */
  members(accountId: number): MaybePromise<readonly Member[]>;
  member(accountId: number, id: string): MaybePromise<Member | undefined>;
  /** Those that wait, the newest first. */
  invitations(accountId: number, now: number): MaybePromise<readonly Invitation[]>;
  /** By the digest of its token; whether it is too old is for the caller to see. */
  findInvitation(digest: Uint8Array): MaybePromise<Invitation | undefined>;
}

/** Writes of the people of an account. */
export interface MemberWrites {
  /** @throws Failure LIMIT_REACHED */
  createInvitation(invitation: NewInvitation): Promise<Invitation>;
  /** @returns whether there was one */
  deleteInvitation(accountId: number, id: string): Promise<boolean>;
  /**
   * Makes a member by an invitation, which is used up, and begins their session.
   * @param subject who they are at a provider, where they came by it
   * @returns the key with which they act; undefined when the invitation is used up or withdrawn already, or too old
   */
  acceptInvitation(
    digest: Uint8Array,
    member: NewMember,
    session: NewSession,
    subject?: Subject,
  ): Promise<ApiKey | undefined>;
  /** @throws Failure MEMBER_NOT_FOUND, LAST_OWNER */
  updateMember(
    accountId: number,
    id: string,
    change: { readonly name?: string | undefined; readonly role?: Role | undefined },
  ): Promise<Member>;
  /**
   * @param left what becomes of the person's keys, and whose they are from then on: a member's id, or nobody's
   * @returns the keys that the person had made
   * @throws Failure MEMBER_NOT_FOUND, LAST_OWNER, MEMBER_HAS_KEYS
   */
  deleteMember(
    accountId: number,
    id: string,
    left: { readonly keys: LeftKeys | undefined; readonly heir: string | null },
    now: number,
  ): Promise<Member['keys']>;
}
