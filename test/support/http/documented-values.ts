import fc from 'fast-check';
import { type Random, seed } from '../random/random.ts';
import { resolve } from './openapi.ts';

// Generates values that a schema in the OpenAPI document allows, and values that it may not allow.

// biome-ignore lint/suspicious/noExplicitAny: reads a foreign document, with any content
type Json = any;

/** Resolves a schema. Keys next to its `$ref` are kept. */
export function schemaOf({ $ref, ...rest }: Json): Json {
  return $ref === undefined ? rest : { ...schemaOf(resolve({ $ref })), ...rest };
}

const poolSize = 300;
const pools = new Map<string, readonly string[]>();

/**
 * Returns strings that match a pattern. They are generated once, because generating each string would take longer than
 * the server's response.
 */
function stringsOf({ pattern = '', minLength = 0, maxLength = 60 }: Json): readonly string[] {
  const longest = Math.min(maxLength, 60);
  const name = `${pattern} ${minLength} ${longest}`;
  const known = pools.get(name);
  if (known !== undefined) return known;
  const isRight = (text: string): boolean => [...text].length >= minLength && [...text].length <= longest;
  const shape = new RegExp(pattern, 'u');
  const isFit = (text: string): boolean => shape.test(text) && isRight(text);
  // Skips patterns with negated character classes, for which `fc.stringMatching` timed out.
  const matching =
    pattern === '' || pattern.includes('[^') ? [] : [fc.stringMatching(shape, { maxLength: longest })];
  const words = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_'), minLength, maxLength: longest });
  const graphemes = fc.string({ unit: 'grapheme', minLength, maxLength: longest });
  const urls = fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true, withFragments: true });
  const strings = fc
    .sample(fc.oneof(...matching, words, graphemes, urls), { seed, numRuns: 4 * poolSize })
    .filter(isFit)
    .slice(0, poolSize);
  if (strings.length === 0) throw new Error(`No text was found for ${name}.`);
  pools.set(name, strings);
  return strings;
}

function textOf(schema: Json, random: Random, known: readonly string[]): string {
  if (schema.format === 'uuid')
    return known.length > 0 && random.chance(0.7) ? random.pick(known) : unknownId(random);
  return random.pick(stringsOf(schema));
}

function unknownId(random: Random): string {
  return `0198c5a0-7d2e-7b3a-9c41-${random
    .below(2 ** 40)
    .toString(16)
    .padStart(12, '0')}`;
}

function numberOf({ type, minimum, maximum, exclusiveMinimum }: Json, random: Random): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  const most = Math.min(maximum ?? least + 1_000, least + 10 ** 12);
  if (random.chance(0.3)) return random.pick([least, most]);
  const between = least + random.next() * (most - least);
  return type === 'integer' ? Math.floor(between) : between;
}

function objectOf(schema: Json, random: Random, known: readonly string[]): Json {
  const { properties = {}, required = [], additionalProperties: more } = schema;
  const names = Object.keys(properties);
  const share = Math.min(0.5, 3 / Math.max(1, names.length));
  const chosen = names.filter(
    // Fields for passwords are rare, because hashing a password costs the server 19 MiB and some milliseconds.
    (name) => required.includes(name) || random.chance(schemaOf(properties[name]).writeOnly ? 0.02 : share),
  );
  // Adds properties up to the minimum number that the schema requires.
  for (const name of names) if (chosen.length < (schema.minProperties ?? 0)) chosen.push(name);
  const made = Object.fromEntries(chosen.map((name) => [name, valueFor(properties[name], random, known)]));
  if (typeof more === 'object')
    for (let count = random.below(4); count > 0; count -= 1)
      made[textOf({}, random, known)] = valueFor(more, random, known);
  else if (more === undefined && random.chance(0.05)) made['unheardOf'] = random.pick([null, 1, 'x', []]);
  return made;
}

/**
 * Generates a value that a schema allows. It may break rules that schemas cannot express, such as valid combinations.
 * @param known existing IDs, used for most identifiers
 */
export function valueFor(given: Json, random: Random, known: readonly string[]): Json {
  const schema = schemaOf(given);
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined) return valueFor(random.pick(branches), random, known);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((one: Json) => valueFor(one, random, known)));
  const type = random.pick([schema.type].flat());
  switch (type) {
    case 'string':
      return textOf(schema, random, known);
    case 'integer':
    case 'number':
      return numberOf({ ...schema, type }, random);
    case 'boolean':
      return random.chance(0.5);
    case 'array': {
      const { minItems = 0, maxItems = 4, items } = schema;
      const length = minItems + random.below(Math.min(maxItems - minItems, 3) + 1);
      return Array.from({ length }, () => valueFor(items, random, known));
    }
    case 'object':
      return objectOf(schema, random, known);
    default:
      return null;
  }
}

const odd: readonly Json[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    10 ** 15,
    '',
    ' ',
    'x',
    '\0',
    '\u200b',
    'x'.repeat(9_000),
    [],
    {},
    [null],
    [{}],
    [''],
  ],
  ...['2027-02-30', '1999-01-01', 'javascript:alert(1)', 'http://[', 'a,b'],
];

/** Returns the value with one part removed or replaced by an odd value. */
export function oddly(value: Json, random: Random): Json {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return random.pick(odd);
  const names = Object.keys(value);
  if (names.length === 0) return Array.isArray(value) ? [random.pick(odd)] : { x: random.pick(odd) };
  const name = random.pick(names);
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === name ? oddly(one, random) : one));
  const { [name]: one, ...rest } = value;
  return random.chance(0.2) ? rest : { ...rest, [name]: oddly(one, random) };
}
