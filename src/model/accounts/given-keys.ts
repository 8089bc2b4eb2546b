import type { Context } from '../context.ts';
import { Failure, type Problem } from '../failures.ts';
import { expiryProblem, formatTimestamp, parseTimestamp } from '../timestamps.ts';
import { type ApiKey, createKey, isScope, rotateKey, type Scope, type StoredKey } from './keys.ts';
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
  if (problems.length === 0 && endOf(giver, expiresAt) > lastOf(giver))
    problems.push(
      notAllowed(
        'expiresAt',
        `expiresAt must not be after the end of the key in hand, ${formatTimestamp(lastOf(giver))}.`,
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

function lastOf({ expiresAt }: Pick<ApiKey, 'expiresAt'>): number {
  return expiresAt ?? Number.POSITIVE_INFINITY;
}

function endOf(giver: ApiKey, wished: string | null | undefined): number {
  if (wished === undefined) return lastOf(giver);
  return (wished === null ? undefined : parseTimestamp(wished)) ?? Number.POSITIVE_INFINITY;
}

/**
 * Makes a key of the giver's account.
 * @param wishes without problems, by `wishProblems`
 * @param bounds those of the wishes, as they are kept
 * @throws Failure INSUFFICIENT_SCOPE when the giver lacks a scope, LIMIT_REACHED, DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export async function giveKey(
  { writes, now, randomBytes }: Context,
  giver: ApiKey,
  wishes: KeyWishes,
  bounds: Bounds | undefined,
) {
  const end = endOf(giver, wishes.expiresAt);
  const all = giver.scopes.filter(isScope);
  const scopes = wishes.scopes ?? (isBound(wishes) ? all.filter(canBeBound) : all);
  requireAll(giver, scopes);
  return createKey(
    writes,
    {
      account: giver.account,
      plan: wishes.plan ?? giver.plan,
      scopes: [...new Set(scopes)],
      name: wishes.name,
      expiresAt: Number.isFinite(end) ? end : null,
      memberId: giver.member?.id,
      bounds,
    },
    now(),
    randomBytes,
    maxLiveKeys,
  );
}

function requireAll(giver: Pick<ApiKey, 'scopes'>, scopes: readonly string[]): void {
  const lacking = scopes.find((scope) => !giver.scopes.includes(scope));
  if (lacking !== undefined)
    throw new Failure('INSUFFICIENT_SCOPE', `This API key lacks the scope ${lacking}, so it cannot give it.`);
}

/** Scopes by which a key lets others in, or more keys be made: a browser that was found open should not give them away. */
const letIn: readonly string[] = ['keys:write', 'people:write'] satisfies Scope[];

/** Whether a key with such scopes is given only to who has signed in lately. */
export function isAdminKey(scopes: readonly string[]): boolean {
  return scopes.some((scope) => letIn.includes(scope));
}

/** @throws Failure KEY_NOT_FOUND when the account has no such live key */
export async function liveKeyOf(
  { storage, now }: Context,
  accountId: number,
  id: string,
): Promise<StoredKey> {
  const key = await storage.findKey(id);
  const isLive =
    key?.accountId === accountId &&
    key.member?.isSelf !== true &&
    key.revokedAt === null &&
    (key.expiresAt === null || key.expiresAt > now());
  if (!isLive) throw noSuchKey();
  return key;
}

export function noSuchKey(): Failure {
  return new Failure('KEY_NOT_FOUND');
}

/** What a key has that is asked to give as much as another one has. */
type Rights = Pick<ApiKey, 'accountId' | 'scopes' | 'plan' | 'expiresAt'>;

/** @throws Failure KEY_NOT_FOUND for a key of another account; INSUFFICIENT_SCOPE when it has more than the giver */
export function requireNoMore(giver: Rights, key: Rights): void {
  if (key.accountId !== giver.accountId) throw noSuchKey();
  requireAll(giver, key.scopes);
  if (plans.indexOf(key.plan) > plans.indexOf(giver.plan) || lastOf(key) > lastOf(giver))
    throw new Failure(
      'INSUFFICIENT_SCOPE',
      'This key has a higher plan or a later expiry than the key in hand, which cannot give that.',
    );
}

/**
 * Replaces a key of the giver's account by one with the same rights, which must be no more than the giver's.
 * @throws Failure KEY_NOT_FOUND, also when it was replaced already; INSUFFICIENT_SCOPE
 */
export async function replaceKey(context: Context, giver: ApiKey, id: string, graceMs: number) {
  try {
    return await rotateKey(context.writes, id, graceMs, context.now(), context.randomBytes, giver);
  } catch (error) {
    if (error instanceof Failure && error.code.endsWith('_API_KEY')) throw noSuchKey();
    throw error;
  }
}
