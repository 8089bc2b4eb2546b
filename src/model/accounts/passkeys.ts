import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { idText, isId } from '../ids.ts';
import { personAs } from './actors.ts';
import type { By } from './authority.ts';
import type { ApiKey } from './keys.ts';
import { digestOf } from './keys.ts';
import { drawSecret, drawSession, type Session, sessionOf } from './sessions.ts';

/** What a person signs in with: a key pair whose private half never leaves their device, or their devices. */
export interface Passkey {
  readonly id: string;
  readonly memberId: string;
  readonly name: string;
  /** Whether it is on several devices of the person. */
  readonly isSynced: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** A passkey with what proves that an answer is its own. */
export interface Credential extends Passkey {
  /** As the authenticator calls it, base64url. */
  readonly credential: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  /** Whether it was added in a session that somebody else may have begun. */
  readonly isHelped: boolean;
}

/** What was asked of somebody, to be answered once. */
export interface Challenge {
  readonly digest: Uint8Array;
  /** The person who is to answer; null for whoever signs in. */
  readonly memberId: string | null;
  /** What else has to be as it was, as JSON. */
  readonly data: string;
  readonly expiresAt: number;
}

/** Where a ceremony takes place: the host that passkeys are bound to, and the origin of the page. */
export interface Place {
  readonly host: string;
  readonly origin: string;
}

/** What of a ceremony needs cryptography, and so a package that is loaded when the first person needs it. */
export interface Ceremonies {
  /** What a browser is to make a passkey by. */
  creation(
    place: Place,
    of: {
      readonly challenge: string;
      readonly memberId: string;
      readonly name: string;
      readonly known: readonly string[];
    },
  ): Promise<Record<string, unknown>>;
  /** What a browser is to find a passkey by. */
  request(place: Place, challenge: string): Promise<Record<string, unknown>>;
  /** @returns undefined when the answer proves nothing */
  verifyCreation(
    place: Place,
    challenge: string,
    answer: Answer,
  ): Promise<Pick<Credential, 'credential' | 'publicKey' | 'counter' | 'isSynced'> | undefined>;
  /** @returns the counter, undefined when the answer proves nothing */
  verifyUse(place: Place, challenge: string, answer: Answer, known: Credential): Promise<number | undefined>;
}

/** What a browser answers, as it gives it to its page: not trusted in any part. */
export type Answer = Readonly<Record<string, unknown>>;

/** How long a person has to touch the key, ms. */
export const challengeLifetimeMs = 5 * 60_000;
/** Most passkeys of a person. */
export const maxPasskeys = 20;

type Tools = Pick<Context, 'storage' | 'writes' | 'now' | 'randomBytes'>;

function refused(): Failure {
  return new Failure('PASSKEY_REFUSED');
}

/** Draws a challenge and remembers it. @param memberId who is to answer it; null for whoever signs in */
async function newChallenge({ writes, now, randomBytes }: Tools, memberId: string | null): Promise<string> {
  const challenge = drawSecret('', randomBytes);
  const expiresAt = now() + challengeLifetimeMs;
  await writes.createChallenge({ digest: digestOf(challenge), memberId, data: '', expiresAt });
  return challenge;
}

/**
 * The challenge that an answer is to, used up by this.
 * @throws Failure PASSKEY_REFUSED when it was never asked of this person, or was answered before, or too long ago
 */
async function takeChallenge(
  { writes, now }: Tools,
  answer: Answer,
  memberId: string | null,
): Promise<string> {
  const challenge = challengeIn(answer);
  const asked = challenge && (await writes.takeChallenge(digestOf(challenge), now()));
  if (!asked || asked.memberId !== memberId) throw refused();
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

/** Asks a person's browser for a new passkey. */
export async function beginPasskey(context: Tools, ceremonies: Ceremonies, place: Place, key: ApiKey) {
  const { id: memberId, name } = personOf(key);
  const known = (await context.storage.credentials(memberId)).map(({ credential }) => credential);
  const challenge = await newChallenge(context, memberId);
  return ceremonies.creation(place, { challenge, memberId, name, known });
}

function personOf({ member }: ApiKey): NonNullable<ApiKey['member']> {
  if (member?.isSelf !== true)
    throw new Failure('INSUFFICIENT_SCOPE', 'Only a person who is signed in has passkeys.');
  return member;
}

/** Keeps a new passkey of a person. @throws Failure PASSKEY_REFUSED, LIMIT_REACHED */
export async function addPasskey(
  context: Tools,
  ceremonies: Ceremonies,
  place: Place,
  { key, session }: By,
  { name, answer }: { readonly name: string; readonly answer: Answer },
): Promise<Passkey> {
  const { id: memberId } = personOf(key);
  const challenge = await takeChallenge(context, answer, memberId);
  const proven = await ceremonies.verifyCreation(place, challenge, answer);
  if (proven === undefined) throw refused();
  const passkey = {
    ...proven,
    id: idText(context.randomBytes(16)),
    memberId,
    name,
    createdAt: context.now(),
    lastUsedAt: null,
    isHelped: session?.start === 'helped',
  };
  if (!(await context.writes.createPasskey(passkey, session?.id))) throw refused();
  return passkey;
}

/** The passkeys of a person, the oldest first. */
export async function passkeysOf(
  { storage }: Pick<Context, 'storage'>,
  key: ApiKey,
): Promise<readonly Passkey[]> {
  return storage.credentials(personOf(key).id);
}

/** @throws Failure PASSKEY_NOT_FOUND, also for one of somebody else */
export async function removePasskey(
  { writes }: Pick<Context, 'writes'>,
  key: ApiKey,
  id: string,
): Promise<void> {
  if (!isId(id) || !(await writes.deletePasskey(personOf(key).id, id.toLowerCase())))
    throw new Failure('PASSKEY_NOT_FOUND');
}

/** @throws Failure PASSKEY_NOT_FOUND */
export async function renamePasskey(
  { storage, writes }: Pick<Context, 'writes' | 'storage'>,
  key: ApiKey,
  id: string,
  name: string,
): Promise<Passkey> {
  const { id: memberId } = personOf(key);
  const isNamed = isId(id) && (await writes.renamePasskey(memberId, id.toLowerCase(), name));
  const found = isNamed
    ? (await storage.credentials(memberId)).find((one) => one.id === id.toLowerCase())
    : undefined;
  if (found === undefined) throw new Failure('PASSKEY_NOT_FOUND');
  return found;
}

/** Asks any browser for a passkey of this installation. The same for everybody: it tells of nobody. */
export async function askForPasskey(context: Tools, ceremonies: Ceremonies, place: Place) {
  return ceremonies.request(place, await newChallenge(context, null));
}

/** Whom an answer is about, to count failures by: a passkey that nobody has is counted too, so that nothing tells them apart. */
export async function personMeant({ storage }: Pick<Context, 'storage'>, { id }: Answer): Promise<string> {
  if (typeof id !== 'string') return '';
  return (await storage.findCredential(id))?.credential.memberId ?? digestOf(id).toHex();
}

/**
 * Signs a person in.
 * @param agent as `startSession` has it
 * @throws Failure PASSKEY_REFUSED, the same for whatever is wrong
 */
export async function signInByPasskey(
  context: Tools,
  ceremonies: Ceremonies,
  place: Place,
  { answer, agent }: { readonly answer: Answer; readonly agent: string },
): Promise<{ token: string; session: Session }> {
  const { storage, now, randomBytes } = context;
  const challenge = await takeChallenge(context, answer, null);
  const known = typeof answer['id'] === 'string' ? await storage.findCredential(answer['id']) : undefined;
  const counter = known && (await ceremonies.verifyUse(place, challenge, answer, known.credential));
  if (known === undefined || counter === undefined || known.key.accountSuspended) throw refused();
  const { key, credential } = known;
  const createdAt = now();
  const { token, row } = drawSession(
    {
      accountId: key.accountId,
      keyId: key.id,
      agent,
      createdAt,
      start: credential.isHelped ? 'helped' : 'own',
    },
    randomBytes,
  );
  const writes = storage.writesBy(personAs(credential.memberId, key.name, createdAt));
  if (!(await writes.usePasskey(credential.id, { counter, at: createdAt }, row))) throw refused();
  return { token, session: sessionOf(row, key) };
}
