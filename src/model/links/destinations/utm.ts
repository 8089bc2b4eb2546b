import { forwardQuery } from './forwarded-query.ts';

/** The parameters by which analytics tell campaigns apart, in the order in which destinations get them. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** Of one parameter, characters: longer ones are cut by statistics. */
export const longestUtm = 100;

/** What a link says of the campaign that it is part of. */
export type Utm = { readonly [N in (typeof utmNames)[number]]?: string | undefined };

/** @param stored JSON, as the link holds it */
export function utmIn(stored: string | null): Utm | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as Utm);
}

/**
 * A location with the UTM parameters of a link, which replace those that it has. One that they would make too long stays as
 * it is.
 * @param location printable ASCII
 * @param stored JSON, as the link holds it
 */
export function withUtm(location: string, stored: string | null): string {
  const utm = utmIn(stored);
  if (utm === undefined) return location;
  const pairs = utmNames.flatMap((name) =>
    utm[name] === undefined ? [] : [`utm_${name}=${encodeURIComponent(utm[name])}`],
  );
  return forwardQuery(location, pairs.join('&'), 'override');
}
