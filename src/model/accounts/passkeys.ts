import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { idText } from '../ids.ts';
import type { RecordFields, RecordOf } from '../record-fields.ts';
import { personAuthor } from './actors.ts';
import type { By } from './authority.ts';
import type { ApiKey } from './keys.ts';
import { digestOf } from './keys.ts';
import { createSessionSecret, generateSecret, type Session, sessionOf } from './sessions.ts';

/** Fields of a passkey: a key pair whose private key never leaves the person's devices. */
export const passkeyFields = {
  id: { kind: 'id', about: 'Identifier of the passkey.', example: '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e62' },
  memberId: { kind: 'text', isInternal: true },
  name: { kind: 'name', example: 'Ada’s phone' },
  isSynced: { kind: 'flag', about: 'Whether the passkey is synced between devices.', example: true },
  createdAt: { kind: 'time', about: 'When the passkey was added.', example: '2027-03-01T08:00:00.000Z' },
  lastUsedAt: {
    kind: 'time',
    nullable: true,
    about: 'When the passkey was last used to sign in; null if never.',
  },
} as const satisfies RecordFields;
export type Passkey = RecordOf<typeof passkeyFields>;

/** A passkey with its public key. */
export interface Credential extends Passkey {
  /** The WebAuthn credential id, encoded as base64url. */
  readonly credential: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  /** Whether the passkey was added in a session that another person may have started. */
  readonly isHelped: boolean;
}

/** A one-time challenge for a passkey, a sign-in at the identity provider, or a device authorization. */
export interface Challenge {
  readonly digest: Uint8Array;
  /** Id of the member who must respond; null if anybody may respond, for example in a sign-in. */
  readonly memberId: string | null;
  /** Additional data in a format that depends on the challenge's purpose. Empty for passkeys. */
  readonly data: string;
  readonly expiresAt: number;
}

/** The relying party in a WebAuthn ceremony: the host that passkeys are bound to, and the origin of the page. */
export interface RelyingParty {
  readonly host: string;
  readonly origin: string;
}

/** The cryptographic part of WebAuthn. The WebAuthn package is loaded on first use. */
export interface Ceremonies {
  /** Returns options for creating a passkey in the browser. */
  creation(
    party: RelyingParty,
    of: {
      readonly challenge: string;
      readonly memberId: string;
      readonly name: string;
      readonly known: readonly string[];
    },
  ): Promise<Record<string, unknown>>;
  /** Returns options for requesting a passkey from the browser. */
  request(party: RelyingParty, challenge: string): Promise<Record<string, unknown>>;
  /** @returns undefined when verification fails */
  verifyCreation(
    party: RelyingParty,
    challenge: string,
    answer: Answer,
  ): Promise<Pick<Credential, 'credential' | 'publicKey' | 'counter' | 'isSynced'> | undefined>;
  /** @returns the signature counter; undefined when verification fails */
  verifyUse(
    party: RelyingParty,
    challenge: string,
    answer: Answer,
    known: Credential,
  ): Promise<number | undefined>;
}

/** The browser's WebAuthn response, as the page sends it. Untrusted. */
export type Answer = Readonly<Record<string, unknown>>;

/** How long a person has to respond to a challenge, in ms. */
export const challengeLifetimeMs = 5 * 60_000;
/** Maximum number of passkeys per person. */
export const maxPasskeys = 20;

type Tools = Pick<Context, 'storage' | 'writes' | 'now' | 'randomBytes'>;

function passkeyRefused(): Failure {
  return new Failure('PASSKEY_REFUSED');
}

/** Generates and stores a challenge. @param memberId the member who must respond; null for a sign-in */
async function newChallenge({ writes, now, randomBytes }: Tools, memberId: string | null): Promise<string> {
  const challenge = generateSecret('', randomBytes);
  const expiresAt = now() + challengeLifetimeMs;
  await writes.createChallenge({ digest: digestOf(challenge), memberId, data: '', expiresAt });
  return challenge;
}

/**
 * Consumes the challenge in a response.
 * @throws Failure PASSKEY_REFUSED when the challenge was not issued to this person, was already used or has expired
 */
async function consumeChallenge(
  { writes, now }: Tools,
  answer: Answer,
  memberId: string | null,
): Promise<string> {
  const challenge = challengeIn(answer);
  const asked = challenge && (await writes.takeChallenge(digestOf(challenge), now()));
  if (!asked || asked.memberId !== memberId) throw passkeyRefused();
  return challenge;
}

function challengeIn({ response }: Answer): string | undefined {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string };
    const { challenge } = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(clientDataJSON, { alphabet: 'base64url' })),
    ) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the registration of a passkey. */
export async function beginPasskey(context: Tools, ceremonies: Ceremonies, party: RelyingParty, key: ApiKey) {
  const { id: memberId, name } = requireMember(key);
  const known = (await context.storage.credentials(memberId)).map(({ credential }) => credential);
  const challenge = await newChallenge(context, memberId);
  return ceremonies.creation(party, { challenge, memberId, name, known });
}

/** Returns the signed-in member. @throws Failure INSUFFICIENT_SCOPE unless the key is a member's internal key */
export function requireMember({ member }: ApiKey): NonNullable<ApiKey['member']> {
  if (member?.isSelf !== true)
    throw new Failure(
      'INSUFFICIENT_SCOPE',
      'Passkeys require a signed-in member. API keys are not accepted.',
    );
  return member;
}

/** Stores a new passkey. @throws Failure PASSKEY_REFUSED, LIMIT_REACHED */
export async function addPasskey(
  context: Tools,
  ceremonies: Ceremonies,
  party: RelyingParty,
  { key, session }: By,
  { name, answer }: { readonly name: string; readonly answer: Answer },
): Promise<Passkey> {
  const { id: memberId } = requireMember(key);
  const challenge = await consumeChallenge(context, answer, memberId);
  const proven = await ceremonies.verifyCreation(party, challenge, answer);
  if (proven === undefined) throw passkeyRefused();
  const passkey = {
    ...proven,
    id: idText(context.randomBytes(16)),
    memberId,
    name,
    createdAt: context.now(),
    lastUsedAt: null,
    isHelped: session?.start === 'helped',
  };
  if (!(await context.writes.createPasskey(passkey, session?.id))) throw passkeyRefused();
  return passkey;
}

/** @throws Failure PASSKEY_NOT_FOUND, also for another member's passkey */
export async function removePasskey(
  { writes }: Pick<Context, 'writes'>,
  key: ApiKey,
  id: string,
): Promise<void> {
  if (!(await writes.deletePasskey(requireMember(key).id, id))) throw new Failure('PASSKEY_NOT_FOUND');
}

/** @throws Failure PASSKEY_NOT_FOUND */
export async function renamePasskey(
  { storage, writes }: Pick<Context, 'writes' | 'storage'>,
  key: ApiKey,
  id: string,
  name: string,
): Promise<Passkey> {
  const { id: memberId } = requireMember(key);
  const isNamed = await writes.renamePasskey(memberId, id, name);
  const found = isNamed && (await storage.credentials(memberId)).find((passkey) => passkey.id === id);
  if (!found) throw new Failure('PASSKEY_NOT_FOUND');
  return found;
}

/**
 * Starts a sign-in with a passkey. The options are the same for every browser, so they do not reveal which members
 * exist.
 */
export async function askForPasskey(context: Tools, ceremonies: Ceremonies, party: RelyingParty) {
  return ceremonies.request(party, await newChallenge(context, null));
}

/**
 * Returns the name under which failed attempts are counted. Attempts with unknown passkeys are counted too, so that the
 * rate limit does not reveal which passkeys exist.
 */
export async function attemptNameOf({ storage }: Pick<Context, 'storage'>, { id }: Answer): Promise<string> {
  if (typeof id !== 'string') return '';
  return (await storage.findCredential(id))?.credential.memberId ?? digestOf(id).toHex();
}

/**
 * Signs a member in with a passkey.
 * @param agent see `startSession`
 * @throws Failure PASSKEY_REFUSED, regardless of the reason
 */
export async function signInByPasskey(
  context: Tools,
  ceremonies: Ceremonies,
  party: RelyingParty,
  { answer, agent }: { readonly answer: Answer; readonly agent: string },
): Promise<{ token: string; session: Session }> {
  const { storage, now, randomBytes } = context;
  const challenge = await consumeChallenge(context, answer, null);
  const known = typeof answer['id'] === 'string' ? await storage.findCredential(answer['id']) : undefined;
  const counter = known && (await ceremonies.verifyUse(party, challenge, answer, known.credential));
  if (known === undefined || counter === undefined || known.key.accountSuspended) throw passkeyRefused();
  const { key, credential } = known;
  const createdAt = now();
  const { token, row } = createSessionSecret(
    {
      accountId: key.accountId,
      keyId: key.id,
      agent,
      createdAt,
      start: credential.isHelped ? 'helped' : 'own',
    },
    randomBytes,
  );
  const writes = storage.writesBy(personAuthor(credential.memberId, key.name, createdAt));
  if (!(await writes.usePasskey(credential.id, { counter, at: createdAt }, row))) throw passkeyRefused();
  return { token, session: sessionOf(row, key) };
}
