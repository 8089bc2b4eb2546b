import type { Scope } from '../../model/accounts/keys.ts';
import type { Plan } from '../../model/accounts/plans.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { type Column, note, printLine, printTable, when } from '../terminal/print.ts';
import type { RemoteOptions } from '../terminal/remote.ts';
import type { RestrictionOptions } from './key-restrictions.ts';

export interface CreateOptions extends RemoteOptions, RestrictionOptions {
  readonly account?: string;
  readonly plan?: Plan;
  readonly scopes?: readonly Scope[];
  readonly name?: string;
  readonly expires?: number;
}

/** A key in a list. The account is only set for operators. */
export interface ListedKey {
  readonly id: string;
  readonly account?: string;
  readonly name: string;
  readonly plan: string;
  readonly scopes: readonly string[];
  readonly domains?: readonly string[] | null;
  readonly folders?: readonly string[] | null;
  readonly state: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

const columns: readonly Column<ListedKey>[] = [
  { title: 'ID', of: (key) => key.id },
  { title: 'ACCOUNT', of: (key) => key.account ?? '', cut: true },
  { title: 'NAME', of: (key) => key.name, cut: true },
  { title: 'PLAN', of: (key) => key.plan },
  { title: 'SCOPES', of: (key) => key.scopes.join(','), spare: 1 },
  { title: 'RESTRICTED TO', of: restrictionsOf, spare: 3 },
  { title: 'STATE', of: (key) => key.state },
  { title: 'EXPIRES', of: (key) => when(key.expiresAt) },
  { title: 'LAST USED', of: (key) => when(key.lastUsedAt), spare: 2 },
];

function restrictionsOf({ domains, folders }: ListedKey): string {
  const hosts = domains?.map((host) => host || 'the shared domain') ?? [];
  return [...hosts, ...(folders ?? []).map((id) => `folder ${id}`)].join(',');
}

export function printKeys(keys: readonly ListedKey[]): void {
  const isOfOne = keys.every(({ account }) => account === undefined);
  if (keys.length === 0) note('No keys yet. To create one: linkfold keys create');
  else printTable(keys, isOfOne ? columns.filter(({ title }) => title !== 'ACCOUNT') : columns);
}

interface ShownKey extends Pick<ListedKey, 'id' | 'account' | 'plan' | 'scopes'> {
  readonly key: string;
}

/** Prints a new key. @param replaces sentence about the key that it replaces */
export function printKey({ id, account, plan, scopes: rights, key }: ShownKey, replaces = ''): void {
  const facts = [
    ...(account === undefined ? [] : [`account ${account}`]),
    `plan ${plan}`,
    rights.join(' and ') || 'no scopes',
  ];
  note(`Key ${id} (${facts.join(', ')})${replaces}. It is shown only once:`);
  printLine(key);
}

export function nameOfToday(now = Date.now()): string {
  return `key of ${formatTimestamp(now).slice(0, 10)}`;
}
