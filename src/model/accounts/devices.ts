import type { Context } from '../context.ts';
import { drawSymbols } from '../drawn-symbols.ts';
import { Failure } from '../failures.ts';
import { formatTimestamp } from '../timestamps.ts';
import { type Actor, actorOf } from './actors.ts';
import { requireFresh } from './authority.ts';
import { giveKey } from './given-keys.ts';
import { digestOf } from './keys.ts';
import { couldBeSecret, drawSecret } from './sessions.ts';

// A program without a browser signs a person in by one elsewhere, as RFC 8628 has it. What is begun, asked and answered are
// challenges, so that each counts once.

/** How long a person has to answer, ms. */
export const deviceLifetimeMs = 10 * 60_000;
/** How long the program waits between two questions, seconds. */
export const pollSeconds = 5;
/** How long the key lasts, ms. */
const keyLifetimeMs = 90 * 86_400_000;

const prefix = 'lfd_';
/** No vowels, which would make words, and none that looks like another one. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;

function notFound(): Failure {
  return new Failure('DEVICE_CODE_NOT_FOUND');
}

const askedBy = (userCode: string) =>
  digestOf(`device code ${userCode.toUpperCase().replace(/[^A-Z]/g, '')}`);
const answerTo = (device: string) => digestOf(`answer to device ${device}`);

/** What a person is asked. */
export interface Asked {
  readonly name: string;
  readonly expiresAt: number;
}

/** @param name what the program calls itself, for the person */
export async function beginDevice(
  { writes, now, randomBytes }: Pick<Context, 'writes' | 'now' | 'randomBytes'>,
  name: string,
): Promise<{ deviceCode: string; userCode: string }> {
  const [deviceCode, userCode] = [
    drawSecret(prefix, randomBytes),
    drawSymbols(codeLength, randomBytes, letters),
  ];
  const digest = digestOf(deviceCode);
  const expiresAt = now() + deviceLifetimeMs;
  await writes.createChallenge({ digest, memberId: null, data: name, expiresAt });
  const data = JSON.stringify({ device: digest.toHex(), name });
  await writes.createChallenge({ digest: askedBy(userCode), memberId: null, data, expiresAt });
  return { deviceCode, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` };
}

/** @throws Failure DEVICE_CODE_NOT_FOUND */
export async function describeDevice(
  { storage, now }: Pick<Context, 'storage' | 'now'>,
  userCode: string,
): Promise<Asked> {
  const found = await storage.findChallenge(askedBy(userCode));
  if (found === undefined || found.expiresAt <= now()) throw notFound();
  return { name: (JSON.parse(found.data) as { name: string }).name, expiresAt: found.expiresAt };
}

/**
 * Answers for a person, once.
 * @throws Failure DEVICE_CODE_NOT_FOUND, REAUTHENTICATION_REQUIRED for what gives a key away
 */
export async function answerDevice(
  { writes, now }: Pick<Context, 'writes' | 'now'>,
  by: Pick<Actor, 'key' | 'session'>,
  userCode: string,
  isApproved: boolean,
): Promise<void> {
  if (isApproved) requireFresh(by, now());
  const asked = await writes.takeChallenge(askedBy(userCode), now());
  if (asked === undefined) throw notFound();
  const { device } = JSON.parse(asked.data) as { device: string };
  const data = isApproved ? by.key.id : '';
  // So that it ends when they are removed or get more rights.
  const memberId = by.key.member?.id ?? null;
  const answer = { digest: answerTo(device), memberId, data, expiresAt: asked.expiresAt };
  await writes.createChallenge(answer, by.session?.id);
}

/**
 * What has become of it. The key that is given acts as the person, bounded by their role, for 90 days.
 * @throws Failure DEVICE_CODE_NOT_FOUND when it is unknown, too old or was answered before; LIMIT_REACHED
 */
export async function takeDeviceKey(
  context: Context,
  deviceCode: string,
): Promise<
  { status: 'pending' | 'denied' } | ({ status: 'approved' } & Awaited<ReturnType<typeof giveKey>>)
> {
  const { storage, writes, now } = context;
  const digest = digestOf(deviceCode);
  const waiting = couldBeSecret(prefix, deviceCode) ? await storage.findChallenge(digest) : undefined;
  if (waiting === undefined || waiting.expiresAt <= now()) throw notFound();
  const answer = await writes.takeChallenge(answerTo(digest.toHex()), now());
  if (answer === undefined) return { status: 'pending' };
  await writes.takeChallenge(digest, now());
  if (answer.data === '') return { status: 'denied' };
  const giver = await storage.findKey(answer.data);
  // They were removed, or suspended, or bound to a part, meanwhile.
  if (giver === undefined || giver.accountSuspended || giver.reach !== undefined) throw notFound();
  const { kind, id, name } = actorOf(giver);
  const byPerson = storage.writesBy({ kind, id, name, requestId: null, at: now() });
  const wishes = { name: waiting.data, expiresAt: formatTimestamp(now() + keyLifetimeMs) };
  return {
    status: 'approved',
    ...(await giveKey({ ...context, writes: byPerson }, { key: giver }, wishes, undefined)),
  };
}
