import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import { randomSymbols } from '../random-symbols.ts';
import { formatTimestamp } from '../timestamps.ts';
import { type Actor, actorOf } from './actors.ts';
import { createKeyFor } from './api-created-keys.ts';
import { requireRecentAuth } from './authority.ts';
import { digestOf } from './keys.ts';
import { couldBeSecret, generateSecret } from './sessions.ts';

// The device authorization grant (RFC 8628): a program without a browser signs a person in through another device.
// Requests and responses are stored as challenges, so that each can be used only once.

/** Lifetime of a device code in ms: how long a person has to approve or deny the sign-in. */
export const deviceLifetimeMs = 10 * 60_000;
/** Polling interval for the program, in seconds. */
export const pollSeconds = 5;
/** Lifetime of the issued key, in ms. */
const keyLifetimeMs = 90 * 86_400_000;

const prefix = 'lfd_';
/** Letters in user codes: no vowels, which could form words, and no letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;

function notFound(): Failure {
  return new Failure('DEVICE_CODE_NOT_FOUND');
}

const userCodeDigest = (userCode: string) =>
  digestOf(`device code ${userCode.toUpperCase().replace(/[^A-Z]/g, '')}`);
const answerDigest = (device: string) => digestOf(`answer to device ${device}`);

/** A sign-in request, as shown to the person who approves or denies it. */
export interface DeviceAuthorization {
  readonly name: string;
  readonly expiresAt: number;
}

/** @param name the program's name, shown to the person */
export async function beginDevice(
  { writes, now, randomBytes }: Pick<Context, 'writes' | 'now' | 'randomBytes'>,
  name: string,
): Promise<{ deviceCode: string; userCode: string }> {
  const [deviceCode, userCode] = [
    generateSecret(prefix, randomBytes),
    randomSymbols(codeLength, randomBytes, letters),
  ];
  const digest = digestOf(deviceCode);
  const expiresAt = now() + deviceLifetimeMs;
  await writes.createChallenge({ digest, memberId: null, data: name, expiresAt });
  const data = JSON.stringify({ device: digest.toHex(), name });
  await writes.createChallenge({ digest: userCodeDigest(userCode), memberId: null, data, expiresAt });
  return { deviceCode, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` };
}

/** @throws Failure DEVICE_CODE_NOT_FOUND */
export async function describeDevice(
  { storage, now }: Pick<Context, 'storage' | 'now'>,
  userCode: string,
): Promise<DeviceAuthorization> {
  const found = await storage.findChallenge(userCodeDigest(userCode));
  if (found === undefined || found.expiresAt <= now()) throw notFound();
  return { name: (JSON.parse(found.data) as { name: string }).name, expiresAt: found.expiresAt };
}

/**
 * Approves or denies a device authorization. Each authorization can be approved or denied only once.
 * @throws Failure DEVICE_CODE_NOT_FOUND, REAUTHENTICATION_REQUIRED when approving
 */
export async function answerDevice(
  { writes, now }: Pick<Context, 'writes' | 'now'>,
  by: Pick<Actor, 'key' | 'session'>,
  userCode: string,
  isApproved: boolean,
): Promise<void> {
  if (isApproved) requireRecentAuth(by, now());
  const asked = await writes.takeChallenge(userCodeDigest(userCode), now());
  if (asked === undefined) throw notFound();
  const { device } = JSON.parse(asked.data) as { device: string };
  const data = isApproved ? by.key.id : '';
  // The approval is tied to the member, so that removing the member or changing their role also cancels it.
  const memberId = by.key.member?.id ?? null;
  const answer = { digest: answerDigest(device), memberId, data, expiresAt: asked.expiresAt };
  await writes.createChallenge(answer, by.session?.id);
}

/**
 * Returns the state of a device authorization and, once it is approved, a new key. The key is valid for 90 days and has
 * the member's permissions, limited by their current role.
 * @throws Failure DEVICE_CODE_NOT_FOUND when the code is unknown, expired or already used; LIMIT_REACHED
 */
export async function redeemDeviceCode(
  context: Context,
  deviceCode: string,
): Promise<
  { status: 'pending' | 'denied' } | ({ status: 'approved' } & Awaited<ReturnType<typeof createKeyFor>>)
> {
  const { storage, writes, now } = context;
  const digest = digestOf(deviceCode);
  const waiting = couldBeSecret(prefix, deviceCode) ? await storage.findChallenge(digest) : undefined;
  if (waiting === undefined || waiting.expiresAt <= now()) throw notFound();
  const answer = await writes.takeChallenge(answerDigest(digest.toHex()), now());
  if (answer === undefined) return { status: 'pending' };
  await writes.takeChallenge(digest, now());
  if (answer.data === '') return { status: 'denied' };
  const giver = await storage.findKey(answer.data);
  // Checks again, because the member may have been removed or restricted, or the account suspended, since the approval.
  if (giver === undefined || giver.accountSuspended || giver.restrictions !== undefined) throw notFound();
  const { kind, id, name } = actorOf(giver);
  const byPerson = storage.writesBy({ kind, id, name, requestId: null, at: now() });
  const wishes = { name: waiting.data, expiresAt: formatTimestamp(now() + keyLifetimeMs) };
  return {
    status: 'approved',
    ...(await createKeyFor({ ...context, writes: byPerson }, { key: giver }, wishes, undefined)),
  };
}
