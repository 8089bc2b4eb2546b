import * as z from 'zod';
import {
  type ApiRecordOf,
  type ApiValueOf,
  type Call,
  type InputName,
  inputsOf,
  type Mutable,
  type RecordField,
  type RecordFields,
  type RequiredName,
  type ShownName,
  type ValueOf,
} from '../model/record-fields.ts';
import { count, nameText, text, timestamp, uuid, wholeNumber } from './fields.ts';

/** Returns the schemas of a record's fields in responses, in declaration order. */
export function responseShape<const F extends RecordFields>(fields: F) {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.isInternal ? [] : [[name, responseSchema(field)]],
    ),
  ) as { readonly [N in ShownName<F>]: z.ZodType<ApiValueOf<F[N]>> };
}

function responseSchema(field: RecordField): z.ZodType {
  const { about, nullable } = field;
  const plain = plainSchema(field);
  const schema = nullable ? plain.nullable() : plain;
  return about === undefined || plain.description ? schema : schema.describe(about);
}

function plainSchema({ kind, about = '', choices = [], fields = {}, component }: RecordField): z.ZodType {
  switch (kind) {
    case 'id':
      return uuid(about);
    case 'time':
      return timestamp(about);
    case 'count':
      return count(about);
    case 'number':
      return z.int();
    case 'flag':
      return z.boolean();
    case 'choice':
      return component === undefined ? z.enum(choices) : sharedChoice(component, choices);
    case 'choices':
      return z.array(z.enum(choices));
    case 'texts':
      return z.array(z.string());
    case 'record':
      return z.object(responseShape(fields));
    case 'records':
      return z.array(z.object(responseShape(fields)));
    default:
      return z.string();
  }
}

const shared = new Map<string, z.ZodType>();

/**
 * Returns the same schema object whenever it is called with the same `id`. Each OpenAPI component must be a single
 * schema.
 */
function sharedChoice(id: string, choices: readonly string[]): z.ZodType {
  const schema = shared.get(id) ?? z.enum(choices).meta({ id });
  shared.set(id, schema);
  return schema;
}

/** Returns the schemas of the fields that a request may contain. In update requests, every field is optional. */
export function requestShape<const F extends RecordFields, C extends Call>(fields: F, call: C) {
  return Object.fromEntries(
    inputsOf(fields, call).map(({ name, nullable, input, ...field }) => {
      const schema = requestSchema(field, input);
      if (nullable) return [name, schema.nullish().describe(input.about)];
      const described = schema.describe(input.about);
      return [name, call === 'create' && input.required ? described : described.optional()];
    }),
  ) as unknown as {
    readonly [N in InputName<F, C>]: RequestSchema<
      | Mutable<ValueOf<F[N]>>
      | (C extends 'create' ? (N extends RequiredName<F> ? never : undefined) : undefined)
    >;
  };
}

type RequestSchema<V> = z.ZodType<V, V>;

function requestSchema(
  field: RecordField,
  { min = 0, max = 0, each = 0 }: NonNullable<RecordField['input']>,
): z.ZodType {
  switch (field.kind) {
    case 'text':
      return text(min, max);
    case 'name':
      return nameText(min, max);
    case 'count':
      return wholeNumber(min, max);
    case 'choices':
      return z.array(z.enum(field.choices ?? [])).min(1);
    case 'texts':
      return z.array(text(1, each)).min(1).max(max);
    default:
      return plainSchema(field);
  }
}

/** Returns an example of a record in responses. */
export function exampleOf<const F extends RecordFields>(fields: F): ApiRecordOf<F> {
  return Object.fromEntries(
    Object.entries<RecordField>(fields).flatMap(([name, { kind, isInternal, example }]) =>
      isInternal ? [] : [[name, example ?? (kind === 'flag' ? false : null)]],
    ),
  ) as ApiRecordOf<F>;
}
