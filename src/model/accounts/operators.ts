import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Account } from './accounts.ts';
import { type By, requireFresh } from './authority.ts';
import type { Member } from './members.ts';
import type { Plan } from './plans.ts';

/** A person with the account that they are in, as the operator's tools find them. */
export interface PersonAnywhere extends Pick<Member, 'id' | 'name' | 'email' | 'role'> {
  readonly account: string;
  /** Whether they are bound to domains or folders. */
  readonly isBound: boolean;
  /** Since when they are an operator, ms since the epoch; null for everybody else. */
  readonly operatorAt: number | null;
}

/** An account with what there is of it, as operators see it: numbers, and nothing of its records. */
export interface AccountFacts extends Account {
  /** Of its live keys and its people. */
  readonly plans: readonly Plan[];
  readonly people: number;
  /** Live keys of programs. */
  readonly keys: number;
  readonly links: number;
  /** When a key or a person did something last, up to a minute behind; null for never. */
  readonly lastUsedAt: number | null;
}

export interface AccountsQuery {
  readonly limit: number;
  /** Only accounts that were made before this one. */
  readonly before?: number | undefined;
  /** Only accounts whose names have this, in any case. */
  readonly search?: string | undefined;
  /** Only the account of exactly this name. */
  readonly name?: string | undefined;
  /** Which keys are live by then, ms since the epoch. */
  readonly now: number;
}

/** Reads for operators, of all accounts. */
export interface OperatorReads {
  /** The newest account first. */
  accountFacts(query: AccountsQuery): MaybePromise<readonly AccountFacts[]>;
  /** Operators, whoever became one first first. */
  operators(): MaybePromise<readonly PersonAnywhere[]>;
  /** People of any account by their id or their email in any case. */
  peopleCalled(idOrEmail: string): MaybePromise<readonly PersonAnywhere[]>;
}

/** Writes about operators. */
export interface OperatorWrites {
  /** @param at since when, or null for no more @returns whether there is such a person */
  setOperator(memberId: string, at: number | null): Promise<boolean>;
}

/** To operators, who may know of every account. */
export function accountNotFound(): Failure {
  return new Failure('ACCOUNT_NOT_FOUND');
}

/**
 * Suspends an account, or lifts that: what `linkfold accounts suspend` and `resume` do.
 * @returns the account as it is now
 * @throws Failure REAUTHENTICATION_REQUIRED, ACCOUNT_NOT_FOUND; INSUFFICIENT_SCOPE for the account of whoever asks, who would be out
 *   themselves
 */
export async function setSuspended(
  { storage, writes, now }: Pick<Context, 'storage' | 'writes' | 'now'>,
  by: By,
  name: string,
  isSuspended: boolean,
): Promise<AccountFacts> {
  requireFresh(by, now());
  if (isSuspended && name === by.key.account)
    throw new Failure('INSUFFICIENT_SCOPE', 'Nobody suspends the account that they are in.');
  const at = isSuspended ? now() : null;
  if (!(await writes.suspendAccount(name, at))) throw accountNotFound();
  const [account] = await storage.accountFacts({ name, limit: 1, now: now() });
  if (account === undefined) throw accountNotFound();
  // What was written in this transaction may not be visible to readers yet.
  return { ...account, suspendedAt: at };
}
