import * as z from 'zod';
import { commas } from '../fields.ts';

/** A piece of the document. */
export type Json = Record<string, unknown>;

/** Turns the contract's schemas into those of the document, and collects the named ones. */
export interface Schemas {
  /** The named ones, as `components.schemas`. */
  readonly components: Record<string, Json>;
  /**
   * @param io `input` for what clients send, `output` for what they get
   * @returns the schema; what has an `id` inside it is a reference to a component
   */
  of(schema: z.ZodType, io: 'input' | 'output'): Json;
  /** The same as a component of this name, or of that which the very schema was given before. @returns the reference to it */
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

/** Removes keywords without effect, and writes "or null" in the form that generators read best. */
export function simplify({ jsonSchema: made }: { jsonSchema: Json }): void {
  if (made['maximum'] === Number.MAX_SAFE_INTEGER) delete made['maximum'];
  if (made['minimum'] === Number.MIN_SAFE_INTEGER) delete made['minimum'];
  if (made['minLength'] === 0) delete made['minLength'];
  // In the contract a number in a query is the text that it is read from.
  if (made['type'] === 'integer') delete made['pattern'];
  // Names of properties are texts in any case.
  if (isSchema(made['propertyNames']) && Object.keys(made['propertyNames']).join() === 'type')
    delete made['propertyNames'];
  delete made[commas];
  if ('whenAbsent' in made) {
    if (made['whenAbsent'] !== undefined) made['default'] = made['whenAbsent'];
    delete made['whenAbsent'];
  }
  const [value, nothing] = (made['anyOf'] ?? []) as Json[];
  if (nothing?.['type'] !== 'null' || typeof value?.['type'] !== 'string') return;
  delete made['anyOf'];
  Object.assign(made, { ...value, ...made, type: [value['type'], 'null'] });
  if (Array.isArray(made['enum'])) made['enum'] = [...made['enum'], null];
}
