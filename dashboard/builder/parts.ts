import { query } from '../browser/location.ts';
import { hasUtm } from '../data/links/utm.ts';
import { type PlainName, plainFields } from '../fields/plain.ts';
import type { Draft } from './draft.ts';

const partNames = [
  'making',
  'utm',
  'folder',
  'tags',
  'expiry',
  'password',
  'rules',
  'redirect',
  'card',
] as const;

/** What opens in place, below what every link has. */
export type Part = (typeof partNames)[number] | PlainName;

/** The part that the address asks for. */
export function partAsked(): Part | undefined {
  const parts = [...partNames, ...plainFields().map(({ name }) => name)];
  return parts.find((part) => part === query.peek().get('part'));
}

/** What is open at first: what has something in it, and what the address names. */
export function partsIn({ utm, plain, rules }: Draft): ReadonlySet<Part> {
  const ofTable = plainFields().map(({ name }) => name);
  const named = partAsked();
  return new Set([
    ...(hasUtm(utm) ? (['utm'] as const) : []),
    ...ofTable.filter((name) => (plain[name] ?? '') !== ''),
    ...(rules.length === 0 ? [] : (['rules'] as const)),
    ...(named === undefined ? [] : [named]),
  ]);
}
