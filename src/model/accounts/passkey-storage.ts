import type { MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './keys.ts';
import type { Challenge, Credential } from './passkeys.ts';
import type { NewSession } from './sessions.ts';

/** Reads of passkeys. */
export interface PasskeyReads {
  /** Passkeys of a member, oldest first. */
  credentials(memberId: string): MaybePromise<readonly Credential[]>;
  /** Returns a challenge, also an expired one. */
  findChallenge(digest: Uint8Array): MaybePromise<Challenge | undefined>;
  /** Finds a passkey by its credential id, with the member's key. */
  findCredential(
    credential: string,
  ): MaybePromise<{ readonly credential: Credential; readonly key: ApiKey } | undefined>;
}

/** Writes of passkeys. */
export interface PasskeyWrites {
  /** @param sessionId the requesting session, which must not have ended @throws Failure INVALID_SESSION */
  createChallenge(challenge: Challenge, sessionId?: string): Promise<void>;
  /** Consumes a challenge. @returns undefined when there is none or it has expired */
  takeChallenge(digest: Uint8Array, now: number): Promise<Challenge | undefined>;
  /** @returns false when the credential id is in use @throws Failure INVALID_SESSION, LIMIT_REACHED */
  createPasskey(passkey: Credential, sessionId: string | undefined): Promise<boolean>;
  /** @returns whether the member has this passkey */
  renamePasskey(memberId: string, id: string, name: string): Promise<boolean>;
  /** @returns whether the member had this passkey */
  deletePasskey(memberId: string, id: string): Promise<boolean>;
  /** Starts a session with a passkey. @returns false when the passkey was deleted in the meantime */
  usePasskey(
    id: string,
    use: { readonly counter: number; readonly at: number },
    session: NewSession,
  ): Promise<boolean>;
}
