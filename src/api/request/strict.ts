import type { Endpoint } from '../../contract/endpoint.ts';
import type { Shape } from '../../contract/fields.ts';
import { type Problem, problem } from '../../model/failures.ts';
import { nearestTo } from '../../runtime/spelling.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns true if the client wants unknown names to be rejected: `Prefer: handling=strict` (RFC 7240, section 4.4).
 */
export function isStrict(prefer: string | readonly string[] | undefined): boolean {
  return [prefer ?? []].flat().some((one) => /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(one));
}

/**
 * Maximum number of unknown names to report. A request may contain 100,000 names; finding a suggestion for each would
 * take seconds.
 */
const maxReported = 100;

/** The name of an unknown query parameter or body field, and its location. */
interface UnknownName {
  readonly name: string;
  /** Prefix of the name, such as `links[3].`. */
  readonly path: string;
  readonly known: readonly string[];
}

/**
 * Returns a validation error for each query parameter and body field that the endpoint does not recognize, up to 100
 * errors.
 */
export function unknownNames(endpoint: Endpoint, query: Fields, body: Fields): Problem[] {
  const { inner = {}, compared = [] } = endpoint;
  const fields = [...Object.keys(endpoint.body ?? {}), ...compared];
  const strangers = [
    ...findUnknown(query, Object.keys(endpoint.query ?? {}), ''),
    ...findUnknown(body, fields, ''),
    ...Object.entries(inner).flatMap(([name, shape]) => findUnknownInside(name, body[name], shape)),
  ];
  return strangers.slice(0, maxReported).map(problemOf);
}

/** Returns the unknown names in an object, or in each object of a list. */
function findUnknownInside(name: string, value: unknown, shape: Shape): UnknownName[] {
  if (Array.isArray(value))
    return value.flatMap((one, at) => findUnknownInside(`${name}[${at}]`, one, shape));
  return typeof value === 'object' && value !== null
    ? findUnknown(value as Fields, Object.keys(shape), `${name}.`)
    : [];
}

function findUnknown(given: Fields, known: readonly string[], path: string): UnknownName[] {
  const names = Object.keys(given).filter((name) => !known.includes(name));
  return names.map((name) => ({ name, path, known }));
}

function problemOf({ name, path, known }: UnknownName): Problem {
  const meant = known.find((one) => normalizeName(one) === normalizeName(name)) ?? nearestTo(name, known);
  const field = `${path}${name}`;
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return problem(field, 'unknown_field', `${field} is unknown.${hint}`);
}

/** Normalizes a name, so that `custom_code` suggests `customCode`. */
function normalizeName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}
