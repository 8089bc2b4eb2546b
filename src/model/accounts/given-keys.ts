import type { Context } from '../context.ts';
import { Failure, type Problem } from '../failures.ts';
import { expiryProblem, formatTimestamp, parseTimestamp } from '../timestamps.ts';
import {
  type By,
  endOf,
  isLive,
  isPowerful,
  requireActOn,
  requireFresh,
  requireScopes,
  roleOf,
} from './authority.ts';
import { type ApiKey, createKey, isScope, rotateKey, type Scope } from './keys.ts';
import { type Plan, plans } from './plans.ts';
import { type Bounds, type BoundsWanted, boundScopes, boundsProblems } from './reach.ts';

/** Most live keys of an account that keys may make. Operators may make more. */
const maxLiveKeys = 200;

/** What a request asks of a new key; what it leaves out is as the giving key has it. */
export interface KeyWishes {
  readonly name: string;
  readonly scopes?: readonly Scope[] | undefined;
  readonly plan?: Plan | undefined;
  /** Null for a key that does not expire. */
  readonly expiresAt?: string | null | undefined;
  readonly domains?: BoundsWanted['domains'];
  readonly folders?: BoundsWanted['folders'];
}

/** What keeps a key from giving another one: a key never gives more than it has. Scopes are told apart, by `giveKey`. */
export function wishProblems(giver: ApiKey, wishes: Partial<KeyWishes>, now: number): Problem[] {
  const { scopes, plan, expiresAt } = wishes;
  const found: (Problem | undefined)[] = [
    scopes?.length === 0
      ? notAllowed('scopes', 'scopes must name at least one; leave it out for all that this key may do.')
      : undefined,
    plan !== undefined && plans.indexOf(plan) > plans.indexOf(giver.plan)
      ? notAllowed('plan', `plan must not be above that of the key in hand, ${giver.plan}.`)
      : undefined,
    typeof expiresAt === 'string' ? expiryProblem(expiresAt, now) : undefined,
    isBound(wishes) && scopes?.some((scope) => !canBeBound(scope))
      ? notAllowed(
          'scopes',
          `scopes must be of ${boundScopes.join(', ')} for a key that is bound to domains or folders; all others are about the whole account.`,
        )
      : undefined,
    ...boundsProblems(wishes),
  ];
  const problems = found.flatMap((problem) => problem ?? []);
  if (problems.length === 0 && wishedEnd(giver, expiresAt) > endOf(giver))
    problems.push(
      notAllowed(
        'expiresAt',
        `expiresAt must not be after the end of the key in hand, ${formatTimestamp(endOf(giver))}.`,
      ),
    );
  return problems;
}

function isBound({ domains, folders }: BoundsWanted): boolean {
  return domains != null || folders != null;
}

function canBeBound(scope: Scope): boolean {
  return (boundScopes as readonly Scope[]).includes(scope);
}

function notAllowed(field: string, message: string): Problem {
  return { field, reason: 'not_allowed', message, code: 'VALIDATION_ERROR' };
}

function wishedEnd(giver: ApiKey, wished: string | null | undefined): number {
  if (wished === undefined) return endOf(giver);
  return (wished === null ? undefined : parseTimestamp(wished)) ?? Number.POSITIVE_INFINITY;
}

/**
 * Creates a key of the giver's account, which never exceeds the role that the giver has now.
 * @param wishes without problems, by `wishProblems`
 * @param bounds those of the wishes, as they are kept
 * @throws Failure INSUFFICIENT_SCOPE when the giver lacks a scope, REAUTHENTICATION_REQUIRED, LIMIT_REACHED, DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export async function giveKey(
  { writes, now, randomBytes }: Context,
  by: By,
  wishes: KeyWishes,
  bounds: Bounds | undefined,
) {
  const giver = by.key;
  const end = wishedEnd(giver, wishes.expiresAt);
  const all = giver.scopes.filter(isScope);
  const scopes = wishes.scopes ?? (isBound(wishes) ? all.filter(canBeBound) : all);
  requireScopes(giver, scopes);
  if (isPowerful(scopes)) requireFresh(by, now());
  return createKey(
    writes,
    {
      account: giver.account,
      plan: wishes.plan ?? giver.plan,
      scopes: [...new Set(scopes)],
      name: wishes.name,
      expiresAt: Number.isFinite(end) ? end : null,
      memberId: giver.member?.id,
      ceiling: roleOf(giver),
      bounds,
    },
    now(),
    randomBytes,
    maxLiveKeys,
  );
}

/** @throws Failure KEY_NOT_FOUND when the account has no such live key; INSUFFICIENT_SCOPE when it may do more than who asks */
async function requireKeyBelow({ storage, now }: Context, { key: own }: By, id: string): Promise<void> {
  const key = await storage.findKey(id);
  if (key?.accountId !== own.accountId || key.member?.isSelf || !isLive(key, now())) throw noSuchKey();
  requireActOn(own, key);
}

function noSuchKey(): Failure {
  return new Failure('KEY_NOT_FOUND');
}

/** Revokes a key at once. @throws Failure KEY_NOT_FOUND, INSUFFICIENT_SCOPE */
export async function revokeKey(context: Context, by: By, id: string): Promise<void> {
  await requireKeyBelow(context, by, id);
  if (!(await context.writes.revokeKey(id, context.now()))) throw noSuchKey();
}

/**
 * Replaces a key of the giver's account by one with the same rights, which must be no more than the giver's.
 * @throws Failure KEY_NOT_FOUND, also when it was replaced already; INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED
 */
export async function replaceKey(context: Context, by: By, id: string, graceMs: number) {
  await requireKeyBelow(context, by, id);
  try {
    return await rotateKey(context.writes, id, graceMs, context.now(), context.randomBytes, by);
  } catch (error) {
    if (error instanceof Failure && error.code.endsWith('_API_KEY')) throw noSuchKey();
    throw error;
  }
}
