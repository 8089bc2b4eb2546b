import type { Endpoint } from '../../contract/endpoint.ts';
import type { Shape } from '../../contract/fields.ts';
import { type Problem, problem } from '../../model/failures.ts';
import { nearestTo } from '../../runtime/spelling.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a client asks that unknown names be refused: `Prefer: handling=strict` (RFC 7240, section 4.4). */
export function isStrict(prefer: string | readonly string[] | undefined): boolean {
  return [prefer ?? []].flat().some((one) => /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(one));
}

/** A request may have a hundred thousand such names; to look for what was meant by each would take seconds. */
const mostTold = 100;

/** A name that is not known where it stands. */
interface Stranger {
  readonly name: string;
  /** What stands before it, such as `links[3].`. */
  readonly path: string;
  readonly known: readonly string[];
}

/** A problem for each query parameter and each field of the body that the endpoint does not know, a hundred at most. */
export function unknownNames(endpoint: Endpoint, query: Fields, body: Fields): Problem[] {
  const { inner = {}, compared = [] } = endpoint;
  const fields = [...Object.keys(endpoint.body ?? {}), ...compared];
  const strangers = [
    ...strangersIn(query, Object.keys(endpoint.query ?? {}), ''),
    ...strangersIn(body, fields, ''),
    ...Object.entries(inner).flatMap(([name, shape]) => strangersInside(name, body[name], shape)),
  ];
  return strangers.slice(0, mostTold).map(problemOf);
}

/** Of an object, or of each in a list. */
function strangersInside(name: string, value: unknown, shape: Shape): Stranger[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => strangersInside(`${name}[${at}]`, one, shape));
  return typeof value === 'object' && value !== null
    ? strangersIn(value as Fields, Object.keys(shape), `${name}.`)
    : [];
}

function strangersIn(given: Fields, known: readonly string[], path: string): Stranger[] {
  const names = Object.keys(given).filter((name) => !known.includes(name));
  return names.map((name) => ({ name, path, known }));
}

function problemOf({ name, path, known }: Stranger): Problem {
  const meant = known.find((one) => lettersOf(one) === lettersOf(name)) ?? nearestTo(name, known);
  const field = `${path}${name}`;
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return problem(field, 'unknown_field', `${field} is unknown.${hint}`);
}

/** `custom_code` and `customCode` are the same to a person. */
function lettersOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}
