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

/** Optional sections of the form, below the fields that every link has. */
export type Part = (typeof partNames)[number] | PlainName;

/** Returns the section named by `?part=` in the URL, if any. */
export function requestedPart(): Part | undefined {
  const parts = [...partNames, ...plainFields().map(({ name }) => name)];
  return parts.find((part) => part === query.peek().get('part'));
}

/** Returns the initially open sections: those with content, and the section named in the URL. */
export function partsIn({ utm, plain, rules }: Draft): ReadonlySet<Part> {
  const ofTable = plainFields().map(({ name }) => name);
  const named = requestedPart();
  return new Set([
    ...(hasUtm(utm) ? (['utm'] as const) : []),
    ...ofTable.filter((name) => (plain[name] ?? '') !== ''),
    ...(rules.length === 0 ? [] : (['rules'] as const)),
    ...(named === undefined ? [] : [named]),
  ]);
}
