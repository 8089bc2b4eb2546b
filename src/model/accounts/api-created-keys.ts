import type { Context } from '../context.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import { expiryProblem, formatTimestamp, parseTimestamp } from '../timestamps.ts';
import {
  type By,
  endOf,
  isLive,
  isPowerful,
  requireActOn,
  requireRecentAuth,
  requireScopes,
  roleOf,
} from './authority.ts';
import {
  type KeyRestrictions,
  type RequestedRestrictions,
  restrictedScopes,
  restrictionProblems,
} from './key-restrictions.ts';
import { type ApiKey, createKey, isScope, rotateKey, type Scope } from './keys.ts';
import { type Plan, plans } from './plans.ts';

/** Maximum number of live keys per account for keys created through the API. Operators can create more. */
const maxLiveKeys = 200;

/** Requested properties of a new key. Omitted properties are copied from the creating key. */
export interface KeyInput {
  readonly name: string;
  readonly scopes?: readonly Scope[] | undefined;
  readonly plan?: Plan | undefined;
  /** Null for a key that does not expire. */
  readonly expiresAt?: string | null | undefined;
  readonly domains?: RequestedRestrictions['domains'];
  readonly folders?: RequestedRestrictions['folders'];
}

/**
 * Returns the validation errors for a requested key, which must not have more permissions than the key that creates it.
 * Missing scopes are reported by `createKeyFor` instead.
 */
export function newKeyProblems(giver: ApiKey, input: Partial<KeyInput>, now: number): Problem[] {
  const { scopes, plan, expiresAt } = input;
  const found: (Problem | undefined)[] = [
    scopes?.length === 0
      ? problem(
          'scopes',
          'not_allowed',
          'scopes must not be empty. Omit it to grant all scopes of the current key.',
        )
      : undefined,
    plan !== undefined && plans.indexOf(plan) > plans.indexOf(giver.plan)
      ? problem(
          'plan',
          'not_allowed',
          `plan must not be higher than the plan of the current key, ${giver.plan}.`,
        )
      : undefined,
    typeof expiresAt === 'string' ? expiryProblem(expiresAt, now) : undefined,
    isRestricted(input) && scopes?.some((scope) => !canBeRestricted(scope))
      ? problem(
          'scopes',
          'not_allowed',
          `scopes of a key restricted to domains or folders must be among ${restrictedScopes.join(', ')}. Other scopes apply to the whole account.`,
        )
      : undefined,
    ...restrictionProblems(input),
  ];
  const problems = found.flatMap((problem) => problem ?? []);
  if (problems.length === 0 && newKeyExpiry(giver, expiresAt) > endOf(giver))
    problems.push(
      problem(
        'expiresAt',
        'not_allowed',
        `expiresAt must not be later than the expiry of the current key, ${formatTimestamp(endOf(giver))}.`,
      ),
    );
  return problems;
}

function isRestricted({ domains, folders }: RequestedRestrictions): boolean {
  return domains != null || folders != null;
}

function canBeRestricted(scope: Scope): boolean {
  return (restrictedScopes as readonly Scope[]).includes(scope);
}

function newKeyExpiry(giver: ApiKey, requested: string | null | undefined): number {
  if (requested === undefined) return endOf(giver);
  return (requested === null ? undefined : parseTimestamp(requested)) ?? Number.POSITIVE_INFINITY;
}

/**
 * Creates a key in the creator's account. The creator's current role limits the key's permissions.
 * @param input validated by `newKeyProblems`
 * @param bounds the new key's resolved restrictions
 * @throws Failure INSUFFICIENT_SCOPE when the creator lacks a scope, REAUTHENTICATION_REQUIRED, LIMIT_REACHED,
 * DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export async function createKeyFor(
  { writes, now, randomBytes }: Context,
  by: By,
  input: KeyInput,
  bounds: KeyRestrictions | undefined,
) {
  const giver = by.key;
  const end = newKeyExpiry(giver, input.expiresAt);
  const all = giver.scopes.filter(isScope);
  const scopes = input.scopes ?? (isRestricted(input) ? all.filter(canBeRestricted) : all);
  requireScopes(giver, scopes);
  if (isPowerful(scopes)) requireRecentAuth(by, now());
  return createKey(
    writes,
    {
      account: giver.account,
      plan: input.plan ?? giver.plan,
      scopes: [...new Set(scopes)],
      name: input.name,
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

/**
 * Checks that a key is live, belongs to the requester's account and does not have more permissions than the requester.
 * @throws Failure KEY_NOT_FOUND, INSUFFICIENT_SCOPE
 */
async function requireKeyBelow({ storage, now }: Context, { key: own }: By, id: string): Promise<void> {
  const key = await storage.findKey(id);
  if (key?.accountId !== own.accountId || key.member?.isSelf || !isLive(key, now())) throw noSuchKey();
  requireActOn(own, key);
}

function noSuchKey(): Failure {
  return new Failure('KEY_NOT_FOUND');
}

/** Revokes a key immediately. @throws Failure KEY_NOT_FOUND, INSUFFICIENT_SCOPE */
export async function revokeKey(context: Context, by: By, id: string): Promise<void> {
  await requireKeyBelow(context, by, id);
  if (!(await context.writes.revokeKey(id, context.now()))) throw noSuchKey();
}

/**
 * Rotates a key: creates a new key with the same permissions, which must not exceed the requester's permissions.
 * @throws Failure KEY_NOT_FOUND if the key does not exist or was already rotated; INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED
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
