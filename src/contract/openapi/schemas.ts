import * as z from 'zod';
import { commas } from '../fields.ts';

/** A JSON object in the OpenAPI document. */
export type Json = Record<string, unknown>;

/** Converts the contract's schemas to JSON Schema, and collects the named schemas. */
export interface Schemas {
  /** Named schemas, as `components.schemas`. */
  readonly components: Record<string, Json>;
  /**
   * Converts a schema.
   * @param io `input` for requests, `output` for responses
   * @returns the JSON Schema, with references to nested schemas that have an `id`
   */
  of(schema: z.ZodType, io: 'input' | 'output'): Json;
  /**
   * Adds the schema as a component with this name, unless the schema already is a component.
   * @returns a reference to the component
   */
  named(name: string, schema: z.ZodType, io: 'input' | 'output'): Json;
}

export function createSchemas(): Schemas {
  const components: Record<string, Json> = {};
  const names = new Map<z.ZodType, string>();

  function of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify });
    const { $schema: _version, $defs = {}, ...rest } = made as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) components[name] = toComponents(definition);
    return toComponents(rest);
  }

  return {
    components,
    of,
    named(name, schema, io) {
      const given = names.get(schema) ?? name;
      names.set(schema, given);
      components[given] ??= of(schema, io);
      return { $ref: `#/components/schemas/${given}` };
    },
  };
}

function toComponents(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** Removes keywords that have no effect, and rewrites nullable types to the form that generators support best. */
export function simplify({ jsonSchema: made }: { jsonSchema: Json }): void {
  if (made['maximum'] === Number.MAX_SAFE_INTEGER) delete made['maximum'];
  if (made['minimum'] === Number.MIN_SAFE_INTEGER) delete made['minimum'];
  if (made['minLength'] === 0) delete made['minLength'];
  // Removes the pattern of an integer query parameter. The pattern is for the string in the URL, not for an integer.
  if (made['type'] === 'integer') delete made['pattern'];
  // Removes the type of property names, which are always strings.
  if (isSchema(made['propertyNames']) && Object.keys(made['propertyNames']).join() === 'type')
    delete made['propertyNames'];
  delete made[commas];
  if ('whenAbsent' in made) {
    if (made['whenAbsent'] !== undefined) made['default'] = made['whenAbsent'];
    delete made['whenAbsent'];
  }
  // Generators for typed languages need the type of an enum.
  if (Array.isArray(made['enum'])) made['type'] ??= [...new Set(made['enum'].map(typeOf))];
  const [value, nothing] = (made['anyOf'] ?? []) as Json[];
  if (nothing?.['type'] !== 'null' || value?.['type'] === undefined) return;
  delete made['anyOf'];
  Object.assign(made, { ...value, ...made, type: [...new Set([value['type'], 'null'].flat())] });
  if (Array.isArray(made['enum'])) made['enum'] = [...new Set([...made['enum'], null])];
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value;
}
