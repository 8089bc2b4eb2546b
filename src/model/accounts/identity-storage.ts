import type { MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './keys.ts';
import type { NewMember } from './members.ts';
import type { MemberIdentity } from './own-identities.ts';
import type { Role } from './roles.ts';
import type { NewSession } from './sessions.ts';
import type { Subject } from './single-sign-on.ts';

/** An identity (OpenID Connect: issuer and subject) linked to a member. */
export interface Identity {
  /** The member's key. */
  readonly key: ApiKey;
  /** Whether a group rule created the membership, which then ends when the person leaves the group. */
  readonly isByGroup: boolean;
  /** Whether it was linked in a session that somebody else may have started. */
  readonly isHelped: boolean;
}

/** Reads of identities. */
export interface IdentityReads {
  /** Members with this identity in all accounts, most recently used first. */
  identities(subject: Subject): MaybePromise<readonly Identity[]>;
  /** Identities of a member, most recently used first. */
  identitiesOf(memberId: string): MaybePromise<readonly MemberIdentity[]>;
  accountByName(
    name: string,
  ): MaybePromise<{ readonly id: number; readonly suspendedAt: number | null } | undefined>;
}

/** Writes of identities. */
export interface IdentityWrites {
  /**
   * Creates a member and starts their session.
   * @throws Failure OIDC_REFUSED when the member was created concurrently
   */
  joinByGroup(
    claims: Subject & { readonly email: string | null },
    member: NewMember & { readonly role: Role },
    session: NewSession,
  ): Promise<ApiKey>;
  /**
   * @returns false when the member already has an identity of the issuer, or another member has this one
   * @throws Failure INVALID_SESSION when the session has ended
   */
  connectIdentity(
    subject: Subject,
    of: {
      readonly memberId: string;
      readonly accountId: number;
      readonly at: number;
      readonly isHelped: boolean;
      /** The session that links the identity. */
      readonly sessionId: string | undefined;
    },
  ): Promise<boolean>;
  /** Unlinks all identities of a member. @returns true if there were any */
  disconnectIdentities(accountId: number, memberId: string): Promise<boolean>;
  /**
   * Starts a session. Sets the member's role to the given one, except for the last owner.
   * @param use without a role if no group grants one; without an email address if none is verified
   * @returns the member's key; undefined when the member was removed
   */
  useIdentity(
    of: Subject & { readonly accountId: number },
    use: { readonly role: Role | undefined; readonly email: string | null; readonly at: number },
    session: NewSession,
  ): Promise<ApiKey | undefined>;
}
