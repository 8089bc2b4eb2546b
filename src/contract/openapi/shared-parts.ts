import type { Json } from './schemas.ts';

type Kind = 'examples' | 'parameters' | 'responses';

/** Collects parts that several operations share, so that each part appears only once in the document. */
export interface SharedParts {
  /** Adds a part. @returns a placeholder for the part, which may become a reference when `finish` is called */
  part(kind: Kind, name: string, value: Json): Json;
  /** Replaces placeholders. Call once, when the document is complete. @returns the shared parts by kind */
  finish(): Record<Kind, Record<string, Json>>;
}

/**
 * Creates a collector of shared parts. If different parts have the same name, the most frequent part gets the name, and
 * the other shared parts get a number. A part that occurs only once stays inline.
 */
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
