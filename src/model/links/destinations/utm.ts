import { forwardQuery } from './forwarded-query.ts';

/** UTM parameters, in the order in which they are added to destinations. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** Maximum length of a UTM parameter in characters. Analytics tools truncate longer parameters. */
export const longestUtm = 100;

/** A link's UTM parameters. */
export type Utm = { readonly [N in (typeof utmNames)[number]]?: string | undefined };

/** Parses a link's UTM parameters. @param stored JSON string from the link */
export function utmIn(stored: string | null): Utm | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as Utm);
}

/**
 * Adds a link's UTM parameters to a location, replacing existing UTM parameters. Returns the location unchanged if the
 * result would be too long.
 * @param location printable ASCII
 * @param stored JSON string from the link
 */
export function withUtm(location: string, stored: string | null): string {
  const utm = utmIn(stored);
  if (utm === undefined) return location;
  const pairs = utmNames.flatMap((name) =>
    utm[name] === undefined ? [] : [`utm_${name}=${encodeURIComponent(utm[name])}`],
  );
  return forwardQuery(location, pairs.join('&'), 'override');
}
