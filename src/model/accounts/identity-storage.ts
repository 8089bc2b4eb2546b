import type { MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './keys.ts';
import type { NewMember } from './members.ts';
import type { Role } from './roles.ts';
import type { NewSession } from './sessions.ts';
import type { Subject } from './single-sign-on.ts';
import type { OwnIdentity } from './ways-in.ts';

/** Somebody at a provider as a member of an account. */
export interface Identity {
  /** With which the member acts. */
  readonly key: ApiKey;
  /** Whether a group of the provider made them a member, so that they are one only while they are in it. */
  readonly isByGroup: boolean;
  /** Whether it was connected in a session that somebody else may have begun. */
  readonly isHelped: boolean;
}

/** Reads of who people are at a provider. */
export interface IdentityReads {
  /** In every account, the one last used first. */
  identities(subject: Subject): MaybePromise<readonly Identity[]>;
  /** Of a person, the one last used first. */
  identitiesOf(memberId: string): MaybePromise<readonly OwnIdentity[]>;
  accountByName(
    name: string,
  ): MaybePromise<{ readonly id: number; readonly suspendedAt: number | null } | undefined>;
}

/** Writes of who people are at a provider. */
export interface IdentityWrites {
  /**
   * Makes a member and begins their session.
   * @throws Failure OIDC_REFUSED when they are one meanwhile
   */
  joinByGroup(
    claims: Subject & { readonly email: string | null },
    member: NewMember & { readonly role: Role },
    session: NewSession,
  ): Promise<ApiKey>;
  /**
   * @returns false when the person has one of the issuer, or somebody in the account is this already
   * @throws Failure INVALID_SESSION when the session has ended
   */
  connectIdentity(
    subject: Subject,
    of: {
      readonly memberId: string;
      readonly accountId: number;
      readonly at: number;
      readonly isHelped: boolean;
      /** The session that connects it. */
      readonly sessionId: string | undefined;
    },
  ): Promise<boolean>;
  /** Removes what signs a person in at a provider. @returns whether there was any */
  disconnectIdentities(accountId: number, memberId: string): Promise<boolean>;
  /**
   * Begins a session. The role is as given from now on; the last owner stays one.
   * @param use without a role where no group gives one; without an address where none is verified
   * @returns the key with which the member acts; undefined when they are gone
   */
  useIdentity(
    of: Subject & { readonly accountId: number },
    use: { readonly role: Role | undefined; readonly email: string | null; readonly at: number },
    session: NewSession,
  ): Promise<ApiKey | undefined>;
}
