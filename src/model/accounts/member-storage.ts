import type { MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './keys.ts';
import type { Invitation, Member, MemberChange } from './member-fields.ts';
import type { MemberKeyAction, NewInvitation, NewMember } from './members.ts';
import type { NewSession } from './sessions.ts';
import type { Subject } from './single-sign-on.ts';

/** Reads of members and invitations. */
export interface MemberReads {
  /** Lists members, oldest first. */
  members(accountId: number): MaybePromise<readonly Member[]>;
  member(accountId: number, id: string): MaybePromise<Member | undefined>;
  /** Pending invitations, newest first. */
  invitations(accountId: number, now: number): MaybePromise<readonly Invitation[]>;
  /** Finds an invitation by the digest of its token. The caller must check whether it has expired. */
  findInvitation(digest: Uint8Array): MaybePromise<Invitation | undefined>;
}

/** Writes of members and invitations. */
export interface MemberWrites {
  /** @throws Failure LIMIT_REACHED */
  createInvitation(invitation: NewInvitation): Promise<Invitation>;
  /** @returns whether there was one */
  deleteInvitation(accountId: number, id: string): Promise<boolean>;
  /**
   * Accepts an invitation: creates the member and starts their session.
   * @param subject the OIDC identity, if the person signed in at the provider
   * @returns the member's key; undefined when the invitation was used, withdrawn or has expired
   */
  acceptInvitation(
    digest: Uint8Array,
    member: NewMember,
    session: NewSession,
    subject?: Subject,
  ): Promise<ApiKey | undefined>;
  /** @throws Failure MEMBER_NOT_FOUND, LAST_OWNER */
  updateMember(accountId: number, id: string, change: MemberChange): Promise<Member>;
  /**
   * Removes a member.
   * @param left what to do with the member's keys, and the id of their new owner or null
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
