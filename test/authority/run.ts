import assert from 'node:assert/strict';
import { createKey, scopes } from '../../src/model/accounts/keys.ts';
import type { World } from '../model/world.ts';
import type { Answer } from '../support/http/ask.ts';
import type { Random } from '../support/random/random.ts';
import { type Attempt, describe, type Numbers, parsed, type Run, send, type TakeAct } from './attempts.ts';
import { keyActs } from './keys.ts';
import { inviteAttempt, memberActs } from './members.ts';
import {
  allScopes,
  type Credential,
  holderOf,
  isLive,
  type Key,
  type Role,
  roles,
  scopesNow,
} from './reference.ts';
import { wayInActs } from './ways-in.ts';

const acts = { ...memberActs, ...keyActs, ...wayInActs };

/** An action, with the numbers that select its actor and target. */
export interface Step extends Numbers {
  readonly act: keyof typeof acts;
}

/** Relative frequency of each action. */
const weights: Readonly<Record<Step['act'], number>> = {
  invite: 5,
  accept: 5,
  changeRole: 9,
  remove: 3,
  createKey: 5,
  rotateKey: 3,
  revokeKey: 1,
  endSession: 1,
  endOtherSessions: 1,
  createLink: 4,
  createOwnLink: 1,
  linkByOperator: 3,
  openLink: 6,
  addPasskey: 4,
  signInByPasskey: 4,
  signInByKey: 1,
  approveDevice: 1,
  fetchDeviceKey: 1,
  becomeOperator: 1,
  wait: 3,
};
const choices = Object.entries(weights).flatMap(([act, weight]) => Array<string>(weight).fill(act));

export function anyStep(random: Random): Step {
  const [by, on, how] = [random.below(1_000), random.below(1_000), random.below(1_000)];
  return { act: random.pick(choices) as Step['act'], by, on, how };
}

/** The first steps in every account: an owner and an admin accept invitations from the operator. */
export const firstSteps: readonly Step[] = [
  { act: 'invite', by: 0, on: 0, how: 3 },
  { act: 'accept', by: 0, on: 0, how: 0 },
  { act: 'invite', by: 0, on: 0, how: 2 },
  { act: 'accept', by: 0, on: 0, how: 0 },
  { act: 'linkByOperator', by: 0, on: 1, how: 0 },
  { act: 'openLink', by: 0, on: 0, how: 0 },
  { act: 'linkByOperator', by: 0, on: 0, how: 0 },
  { act: 'openLink', by: 0, on: 0, how: 0 },
];

/** Runs a step and compares its result with the reference. */
export async function take(run: Run, { act, ...numbers }: Step): Promise<void> {
  const { state, log } = run;
  const live = state.credentials.filter((one) => isLive(state.now, one));
  const attemptBy = (at: number) =>
    (acts[act] as TakeAct)(run, live[at % live.length] ?? run.rescue, numbers);
  // For two of three actions, picks the first of five candidate actors who is allowed to perform the action, if any is.
  const actors = [0, 1, 2, 3, 4].map((further) => numbers.by + 7 * further);
  const isEntitled = (at: number) => attemptBy(at)?.isAllowed === true;
  const chosen = numbers.by % 3 === 0 ? undefined : actors.find(isEntitled);
  const attempt = attemptBy(chosen ?? numbers.by);
  if (attempt === undefined) return;
  await compare(run, attempt);
  for (const credential of state.credentials) {
    const isOver = !isLive(state.now, credential) && !live.includes(credential);
    if (!isOver) await probe(run, credential, `after ${log.at(-1)}`);
  }
}

async function compare({ log }: Run, { sentence, isAllowed, send, record }: Attempt): Promise<void> {
  const answer = await send();
  const json = parsed(answer.text);
  log.push(`${sentence}: ${answer.status} ${json?.error?.code ?? ''}`.trim());
  assert.ok(answer.status < 500, `${sentence}: the service failed.\n${answer.text}`);
  const isDone = answer.status < 300;
  assert.ok(!isDone || isAllowed, `ALLOWED, though it exceeds the actor: ${sentence}`);
  assert.ok(isDone || !isAllowed, `REFUSED, though the actor may: ${sentence}\n${answer.text}`);
  if (isDone) record?.(json?.data, answer);
}

/** Requests a credential's scopes, and compares them with the reference. */
async function probe({ world, state }: Run, credential: Credential, after: string): Promise<void> {
  const { status, text } = await send(world, credential, 'GET', '/me');
  const shown = describe(state.now, credential);
  if (!isLive(state.now, credential)) return assert.equal(status, 401, `STILL ALIVE: ${shown}, ${after}`);
  assert.equal(status, 200, `LOST A WAY IN: ${shown}, ${after}\n${text}`);
  if (credential.kind === 'session') credential.lastUsedAt = state.now;
  const scopes = new Set<string>(parsed(text).data.scopes);
  const own = new Set(scopesNow(holderOf(credential)));
  const more = [...scopes].filter((scope) => !own.has(scope));
  const less = [...own].filter((scope) => !scopes.has(scope));
  assert.deepEqual(more, [], `MORE than was given: ${shown} has ${more}, ${after}`);
  assert.deepEqual(less, [], `LESS than was given: ${shown} lacks ${less}, ${after}`);
}

/**
 * Asserts at the end that removed members have no access, that everybody can grant exactly the roles that the rules
 * allow, and that the account has an owner.
 */
export async function finish(run: Run): Promise<void> {
  const { world, state, rescue } = run;
  for (const credential of state.credentials) await probe(run, credential, 'at the end');
  for (const actor of [...state.credentials]) {
    if (!isLive(state.now, actor)) continue;
    for (const role of roles) {
      await compare(run, {
        ...inviteAttempt(run, actor, role, false),
        record: () => undefined,
        send: () => inviteAndWithdraw(world, rescue, actor, role),
      });
    }
  }
  const listed = await send(world, rescue, 'GET', '/members');
  assert.equal(listed.status, 200, listed.text);
  const members = parsed(listed.text).data;
  const isOwner = (one: { role: string; domains: unknown }) => one.role === 'owner' && one.domains === null;
  assert.ok(members.some(isOwner), 'NO OWNER without restrictions is left.');
}

async function inviteAndWithdraw(world: World, rescue: Key, actor: Credential, role: Role): Promise<Answer> {
  const answer = await send(world, actor, 'POST', '/invitations', { role });
  if (answer.status === 201)
    await send(world, rescue, 'DELETE', `/invitations/${parsed(answer.text).data.id}`);
  return answer;
}

let accounts = 0;

/** Creates an account with the operator's key. */
async function begin(world: World): Promise<Run> {
  const { storage, randomBytes } = world.tools;
  const account = `authority-${++accounts}`;
  const wanted = { account, plan: 'enterprise', scopes, name: 'rescue', expiresAt: null } as const;
  const { token, key } = await createKey(storage, wanted, world.now(), randomBytes);
  const rescue = {
    kind: 'key' as const,
    hasEnded: false as const,
    name: 'the operator’s key',
    id: key.id,
    token,
    given: allScopes,
    ceiling: null,
    owner: null,
    isReplaced: false,
    expiresAt: Number.POSITIVE_INFINITY,
  };
  const records = { members: [], invitations: [], links: [], passkeys: [], approvals: [] };
  return { world, rescue, log: [], state: { now: world.now(), credentials: [rescue], ...records } };
}

/**
 * Runs steps in a new account.
 * @returns the run, and the error if one occurred
 */
export async function follow(world: World, steps: readonly Step[]): Promise<{ run: Run; error?: Error }> {
  const run = await begin(world);
  try {
    for (const step of [...firstSteps, ...steps]) await take(run, step);
    await finish(run);
    return { run };
  } catch (error) {
    return { run, error: error as Error };
  }
}
