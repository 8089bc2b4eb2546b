import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Account } from './accounts.ts';
import { type By, requireRecentAuth } from './authority.ts';
import type { Member } from './member-fields.ts';
import type { Plan } from './plans.ts';

/** A member and their account, as shown to operators. */
export interface MemberWithAccount extends Pick<Member, 'id' | 'name' | 'email' | 'role'> {
  readonly account: string;
  /** Whether the member is restricted to domains or folders. */
  readonly isRestricted: boolean;
  /** When the member became an operator, ms since the epoch; null if the member is not an operator. */
  readonly operatorAt: number | null;
}

/** An account and its counts, as shown to operators. Does not include the account's records, such as links. */
export interface AccountFacts extends Account {
  /** Plans of the account's live keys and members. */
  readonly plans: readonly Plan[];
  readonly people: number;
  /** Live keys, except members' internal keys. */
  readonly keys: number;
  readonly links: number;
  /** When a key or member was last active, up to a minute out of date; null if never. */
  readonly lastUsedAt: number | null;
}

export interface AccountsQuery {
  readonly limit: number;
  /** Lists only accounts created before the account with this id. */
  readonly before?: number | undefined;
  /** Lists only accounts whose names contain this string (case-insensitive). */
  readonly search?: string | undefined;
  /** Lists only the account with exactly this name. */
  readonly name?: string | undefined;
  /** Current time, ms since the epoch. Only keys that are live at this time are counted. */
  readonly now: number;
}

/** Read operations for operators, across all accounts. */
export interface OperatorReads {
  /** Lists accounts, newest first. */
  accountFacts(query: AccountsQuery): MaybePromise<readonly AccountFacts[]>;
  /** Lists operators, sorted by when they became operators. */
  operators(): MaybePromise<readonly MemberWithAccount[]>;
  /** Finds members in any account by id or email address (case-insensitive). */
  findMembers(idOrEmail: string): MaybePromise<readonly MemberWithAccount[]>;
}

/** Write operations for operators. */
export interface OperatorWrites {
  /** @param at when the member became an operator; null to revoke operator access @returns true if the member exists */
  setOperator(memberId: string, at: number | null): Promise<boolean>;
}

/** Returns the failure for an unknown account. Only operators may see it, because it reveals which accounts exist. */
export function accountNotFound(): Failure {
  return new Failure('ACCOUNT_NOT_FOUND');
}

/**
 * Suspends or resumes an account, like `linkfold accounts suspend` and `resume`.
 * @returns the updated account
 * @throws Failure REAUTHENTICATION_REQUIRED, ACCOUNT_NOT_FOUND; INSUFFICIENT_SCOPE when suspending the requester's own
 * account
 */
export async function setSuspended(
  { storage, writes, now }: Pick<Context, 'storage' | 'writes' | 'now'>,
  by: By,
  name: string,
  isSuspended: boolean,
): Promise<AccountFacts> {
  requireRecentAuth(by, now());
  if (isSuspended && name === by.key.account)
    throw new Failure('INSUFFICIENT_SCOPE', 'You cannot suspend your own account.');
  const at = isSuspended ? now() : null;
  if (!(await writes.suspendAccount(name, at))) throw accountNotFound();
  const [account] = await storage.accountFacts({ name, limit: 1, now: now() });
  if (account === undefined) throw accountNotFound();
  // The query above may not see the write yet, so set the new value here.
  return { ...account, suspendedAt: at };
}
