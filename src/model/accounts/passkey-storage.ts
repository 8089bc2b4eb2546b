import type { MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './keys.ts';
import type { Challenge, Credential } from './passkeys.ts';
import type { NewSession } from './sessions.ts';

/** Reads of the passkeys of people. */
export interface PasskeyReads {
  /** Of a person, the oldest first. */
  credentials(memberId: string): MaybePromise<readonly Credential[]>;
  /** However old it is. */
  findChallenge(digest: Uint8Array): MaybePromise<Challenge | undefined>;
  /** By what its authenticator calls it, with the key of its person. */
  findCredential(
    credential: string,
  ): MaybePromise<{ readonly credential: Credential; readonly key: ApiKey } | undefined>;
}

/** Writes of the passkeys of people. */
export interface PasskeyWrites {
  /** @param sessionId that asks for it, if it must not have ended @throws Failure INVALID_SESSION */
  createChallenge(challenge: Challenge, sessionId?: string): Promise<void>;
  /** Uses a challenge up. @returns undefined when there is none, or it is too old */
  takeChallenge(digest: Uint8Array, now: number): Promise<Challenge | undefined>;
  /** @returns false when the authenticator's name for it is in use @throws Failure INVALID_SESSION, LIMIT_REACHED */
  createPasskey(passkey: Credential, sessionId: string | undefined): Promise<boolean>;
  /** @returns whether the person has it */
  renamePasskey(memberId: string, id: string, name: string): Promise<boolean>;
  /** @returns whether the person had it */
  deletePasskey(memberId: string, id: string): Promise<boolean>;
  /** Begins a session by a passkey. @returns false when it is gone meanwhile */
  usePasskey(
    id: string,
    use: { readonly counter: number; readonly at: number },
    session: NewSession,
  ): Promise<boolean>;
}
