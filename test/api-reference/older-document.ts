import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './generator-packages.ts';

type Schema = Record<string, unknown>;

/**
 * Returns openapi.json as OpenAPI 3.0, without features of 3.1. A union of schemas is replaced by its first schema,
 * because generators for 3.0 do not support unions.
 */
export function olderDocument(): string {
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  const { webhooks, ...rest } = document;
  const { summary, license, ...info } = document.info;
  return JSON.stringify({ ...(older(rest) as Schema), openapi: '3.0.3', info });
}

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (value === null || typeof value !== 'object') return value;
  const { contentSchema, contentMediaType, propertyNames, examples, pattern, ...parts } = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, older(part)]),
  );
  const { $ref, const: only, anyOf, oneOf, ...schema } = parts;
  if ($ref !== undefined)
    return Object.keys(schema).length === 0 ? { $ref } : { ...schema, allOf: [{ $ref }] };
  if (typeof only === 'string') schema.enum = [only];
  if (Array.isArray(schema.enum)) schema.enum = schema.enum.filter((item) => item !== null);
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) return { ...schema, ...ofUnion(union) };
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  const nullable = types.length < schema.type.length;
  const { type, ...others } = schema;
  return { ...others, ...(types.length === 1 && { type: types[0] }), ...(nullable && { nullable }) };
}

function ofUnion(union: readonly Schema[]): Schema {
  const kinds = union.filter(({ type }) => type !== 'null');
  const nullable = kinds.length < union.length && { nullable: true };
  const [first] = kinds;
  const isOfRecords = kinds.every(({ $ref }) => $ref !== undefined);
  return { ...((isOfRecords || kinds.length === 1) && first), ...nullable };
}
