import type { MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './keys.ts';
import type { NewMember } from './members.ts';
import type { MemberIdentity } from './own-identities.ts';
import type { Role } from './roles.ts';
import type { NewSession } from './sessions.ts';
import type { Subject } from './single-sign-on.ts';

/** An identity (OpenID Connect: issuer and subject) linked to a member. */
export interface Identity {
  /** The member's internal key. */
  readonly key: ApiKey;
  /** Whether a group rule created the membership. Such a membership ends when the person leaves the group. */
  readonly isByGroup: boolean;
  /** Whether the identity was linked in a session that another person may have started. */
  readonly isHelped: boolean;
}

/** Read operations for identities. */
export interface IdentityReads {
  /** Lists the members, across all accounts, who have linked this identity, most recently used first. */
  identities(subject: Subject): MaybePromise<readonly Identity[]>;
  /** Lists a member's identities, most recently used first. */
  identitiesOf(memberId: string): MaybePromise<readonly MemberIdentity[]>;
  accountByName(
    name: string,
  ): MaybePromise<{ readonly id: number; readonly suspendedAt: number | null } | undefined>;
}

/** Write operations for identities. */
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
   * Links an identity to a member.
   * @returns false when the member already has an identity from this issuer, or another member of the account already
   * has this identity
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
  /** Unlinks all of a member's identities. @returns true if there were any */
  disconnectIdentities(accountId: number, memberId: string): Promise<boolean>;
  /**
   * Starts a session for a member who signed in with an identity. Also updates their role, unless they are the last
   * owner.
   * @param use `role` is undefined if no group grants a role; `email` is null if there is no verified address
   * @returns the member's key; undefined when the member was removed
   */
  useIdentity(
    of: Subject & { readonly accountId: number },
    use: { readonly role: Role | undefined; readonly email: string | null; readonly at: number },
    session: NewSession,
  ): Promise<ApiKey | undefined>;
}
