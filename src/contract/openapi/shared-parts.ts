import type { Json } from './schemas.ts';

type Kind = 'examples' | 'parameters' | 'responses';

/** Parts of the document that several operations have, each of them written once. */
export interface SharedParts {
  /** @returns what stands in the place of the part; once the document is whole, perhaps a reference to it */
  part(kind: Kind, name: string, value: Json): Json;
  /** Call it once, when the document is whole. @returns the parts that are referred to, by their kinds */
  finish(): Record<Kind, Record<string, Json>>;
}

/** Of parts with the same name the most frequent one has it, the others that are there more than once have it with a number; what is there once stands where it belongs. */
export function createSharedParts(): SharedParts {
  const byName: Record<Kind, Map<string, Map<string, Json[]>>> = {
    examples: new Map(),
    parameters: new Map(),
    responses: new Map(),
  };

  return {
    part(kind, name, value) {
      const variants = byName[kind].get(name) ?? new Map<string, Json[]>();
      const text = JSON.stringify(value);
      const place = { ...value };
      byName[kind].set(name, variants.set(text, [...(variants.get(text) ?? []), place]));
      return place;
    },
    finish() {
      const components = { examples: {}, parameters: {}, responses: {} } as Record<
        Kind,
        Record<string, Json>
      >;
      for (const kind of ['examples', 'parameters', 'responses'] as const) {
        for (const [name, variants] of [...byName[kind]].sort(([a], [b]) => (a < b ? -1 : 1))) {
          const repeated = [...variants.values()].filter((places) => places.length > 1);
          for (const [at, places] of repeated.sort((a, b) => b.length - a.length).entries()) {
            const component = at === 0 ? name : `${name}${at + 1}`;
            components[kind][component] = { ...places[0] };
            for (const place of places) {
              for (const key of Object.keys(place)) delete place[key];
              place['$ref'] = `#/components/${kind}/${component}`;
            }
          }
        }
      }
      return components;
    },
  };
}
