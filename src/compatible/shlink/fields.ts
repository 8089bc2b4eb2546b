import { problem, refused } from '../../model/failures.ts';
import type { Fields } from '../request/adapter.ts';

/** Returns the value of a query parameter. If the parameter is repeated, returns the last value. */
export function textIn(query: Fields, name: string): string | undefined {
  const value = [query[name]].flat().at(-1);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the values of a list parameter, sent as `name[]` (PHP syntax) or `name`. */
export function listIn(query: Fields, name: string): string[] {
  const given = [query[`${name}[]`] ?? query[name] ?? []].flat();
  return given.filter((one) => typeof one === 'string' && one !== '') as string[];
}

/** Parses a positive integer. @throws Failure for any other value */
export function numberIn(query: Fields, name: string, otherwise: number, most: number): number {
  const text = textIn(query, name);
  if (text === undefined) return otherwise;
  // In Shlink, -1 means all items.
  if (text === '-1') return most;
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
  throw refused([problem(name, 'out_of_range', `${name} must be an integer from 1 to ${most}.`)]);
}

/** Converts a Shlink short URL's fields to Linkfold's. Absent fields stay absent. */
export function draftOf(body: Fields): Fields {
  const names: Readonly<Record<string, string>> = {
    longUrl: 'url',
    title: 'title',
    tags: 'tags',
    validSince: 'startsAt',
    validUntil: 'expiresAt',
    maxVisits: 'maxClicks',
  };
  const renamed = Object.entries(names).filter(([theirs]) => body[theirs] !== undefined);
  const { forwardQuery } = body;
  return {
    ...Object.fromEntries(renamed.map(([theirs, ours]) => [ours, body[theirs]])),
    ...(typeof forwardQuery === 'boolean' && { forwardQuery: forwardQuery ? 'override' : 'none' }),
  };
}

/** Shlink's names for Linkfold's fields, for error messages. */
export const fieldNames: Readonly<Record<string, string>> = {
  url: 'longUrl',
  startsAt: 'validSince',
  expiresAt: 'validUntil',
  maxClicks: 'maxVisits',
  customCode: 'customSlug',
  length: 'shortCodeLength',
};
