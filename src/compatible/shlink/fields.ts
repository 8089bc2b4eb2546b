import { problem, refused } from '../../model/failures.ts';
import type { Fields } from '../request/adapter.ts';

/** A parameter of the query that is one text. */
export function textIn(query: Fields, name: string): string | undefined {
  const value = [query[name]].flat().at(-1);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A list, which PHP takes as `name[]`. */
export function listIn(query: Fields, name: string): string[] {
  const given = [query[`${name}[]`] ?? query[name] ?? []].flat();
  return given.filter((one) => typeof one === 'string' && one !== '') as string[];
}

/** @throws Failure where it is no whole number from 1 on */
export function numberIn(query: Fields, name: string, otherwise: number, most: number): number {
  const text = textIn(query, name);
  if (text === undefined) return otherwise;
  // Shlink takes -1 for all there are.
  if (text === '-1') return most;
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
  throw refused([problem(name, 'out_of_range', `${name} must be an integer from 1 to ${most}.`)]);
}

/** The fields of a short URL in our words; those that are absent stay absent. */
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

/** Our names of fields in the words of the program, for what is said of them. */
export const theirNames: Readonly<Record<string, string>> = {
  url: 'longUrl',
  startsAt: 'validSince',
  expiresAt: 'validUntil',
  maxClicks: 'maxVisits',
  customCode: 'customSlug',
  length: 'shortCodeLength',
};
