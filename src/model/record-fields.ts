import { formatTimestamp } from './timestamps.ts';

/**
 * The form of a field's value. `id` is a UUID; `text` is any string; `name` is a single-line display name. `time` is
 * milliseconds since the epoch, and ISO 8601 in the API. `count` is a non-negative number. `choice` is one of the
 * values in `choices`; `choices` is a list of such values. `texts` is a list of strings. `record` is an object with
 * `fields`; `records` is a list of such objects.
 */
export type RecordFieldKind =
  | 'id'
  | 'text'
  | 'name'
  | 'time'
  | 'flag'
  | 'number'
  | 'count'
  | 'choice'
  | 'choices'
  | 'texts'
  | 'record'
  | 'records';

/** Describes a field in requests and as a CLI option. */
export interface RecordInput {
  /** Set if the field is required on create. Other fields default to null or false. */
  readonly required?: true;
  /** Set if the field is accepted only by create requests, or only by update requests. */
  readonly only?: Call;
  /** One sentence for the request docs. */
  readonly about: string;
  /** Minimum length of a string in characters. `max` is the maximum; for lists, it also limits the number of items. */
  readonly min?: number;
  readonly max?: number;
  /** Maximum length of each string in a list, in characters. */
  readonly each?: number;
  /** Name of the CLI option: `tag` for `--tag`. If unset, the commands handle the field with their own code. */
  readonly option?: string;
  /** Placeholder for the option's value in the CLI help. Defaults to `text`; always `list` for lists. */
  readonly value?: string;
  /** The option's help text. */
  readonly help?: string;
  /** Default of the CLI option on create. */
  readonly optionDefault?: readonly string[];
  /** Kind of record that the option refers to, by name or ID. The field itself contains IDs. */
  readonly refersTo?: 'folder' | 'domain';
}

/** Kinds of requests that can contain a record's fields. */
export type Call = 'create' | 'update';

/** Describes one field of a record for all layers: type, column, response, request, CLI option and example. */
export interface RecordField {
  readonly kind: RecordFieldKind;
  readonly nullable?: true;
  readonly choices?: readonly string[];
  readonly fields?: RecordFields;
  /** Name of the field's schema in the OpenAPI document, if several records share it. */
  readonly component?: string;
  /** Set if responses do not contain the field. */
  readonly isInternal?: true;
  /** Set if the field is not stored with the record, but computed for each response. */
  readonly isComputed?: true;
  /** One sentence for the response docs. */
  readonly about?: string;
  /** Value in example responses. Defaults to null or false. */
  readonly example?: unknown;
  readonly input?: RecordInput;
}

/** The fields of a record, in the order in which responses contain them. */
export type RecordFields = Readonly<Record<string, RecordField>>;

type Typed<F, Time> =
  | (F extends { kind: 'time' }
      ? Time
      : F extends { kind: 'number' | 'count' }
        ? number
        : F extends { kind: 'flag' }
          ? boolean
          : F extends { kind: 'choices'; choices: readonly (infer C)[] }
            ? readonly C[]
            : F extends { kind: 'choice'; choices: readonly (infer C)[] }
              ? C
              : F extends { kind: 'texts' }
                ? readonly string[]
                : F extends { kind: 'record'; fields: infer G }
                  ? { readonly [N in keyof G]: Typed<G[N], Time> }
                  : F extends { kind: 'records'; fields: infer G }
                    ? readonly { readonly [N in keyof G]: Typed<G[N], Time> }[]
                    : string)
  | (F extends { nullable: true } ? null : never);

/** Type of a field's value. */
export type ValueOf<F> = Typed<F, number>;
/** Type of a field's value in responses. */
export type ApiValueOf<F> = Mutable<Typed<F, string>>;
/** Removes `readonly`: the types of response bodies are mutable. */
export type Mutable<T> = T extends readonly (infer I)[]
  ? Mutable<I>[]
  : T extends object
    ? { [K in keyof T]: Mutable<T[K]> }
    : T;

type Without<F, P> = { [N in keyof F]: F[N] extends P ? never : N }[keyof F];
type With<F, P> = { [N in keyof F]: F[N] extends P ? N : never }[keyof F];

/** Names of the stored fields. `ShownName` covers the fields in responses, `InputName` the fields in requests. */
export type StoredName<F> = Without<F, { isComputed: true }>;
export type ShownName<F> = Without<F, { isInternal: true }>;
export type InputName<F, C extends Call = Call> = {
  [N in keyof F]: F[N] extends { input: infer I }
    ? I extends { only: infer O }
      ? C extends O
        ? N
        : never
      : N
    : never;
}[keyof F];
/** Names of the fields that are required on create. */
export type RequiredName<F> = With<F, { input: { required: true } }>;

/** The record as stored. */
export type RecordOf<F> = { readonly [N in StoredName<F>]: ValueOf<F[N]> };
/** The values of a record's fields in responses, before {@link apiRecord} formats them. */
export type ShownValues<F> = { readonly [N in ShownName<F>]: ValueOf<F[N]> };
/** The record as the API returns it. */
export type ApiRecordOf<F> = { readonly [N in ShownName<F>]: ApiValueOf<F[N]> };
/** The fields that clients can set. */
export type InputsOf<F, C extends Call = Call> = { readonly [N in InputName<F, C>]: ValueOf<F[N]> };

/** Returns the API representation of a record, with the fields in declaration order. */
export function apiRecord<const F extends RecordFields>(fields: F, record: ShownValues<F>): ApiRecordOf<F> {
  const values = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries<RecordField>(fields).flatMap(([name, field]) =>
      field.isInternal ? [] : [[name, apiValue(field, values[name])]],
    ),
  ) as ApiRecordOf<F>;
}

function apiValue({ kind, fields = {} }: RecordField, value: unknown): unknown {
  if (value === null) return null;
  if (kind === 'time') return formatTimestamp(value as number);
  if (kind === 'record') return apiRecord(fields, value as never);
  if (kind === 'records') return (value as never[]).map((one) => apiRecord(fields, one));
  return value;
}

/** Returns the fields that a request may contain, in declaration order. */
export function inputsOf<F extends RecordFields, C extends Call>(fields: F, call?: C) {
  return Object.entries<RecordField>(fields).flatMap(([name, field]) =>
    field.input === undefined || (field.input.only ?? call) !== call
      ? []
      : [{ ...field, name: name as InputName<F, C> & string, input: field.input }],
  );
}

/** Returns the values of all fields that clients can set. */
export function inputsIn<F extends RecordFields>(fields: F, record: InputsOf<F>): InputsOf<F> {
  const names = Object.keys(fields).filter((name) => fields[name]?.input !== undefined);
  return Object.fromEntries(names.map((name) => [name, record[name as InputName<F>]])) as InputsOf<F>;
}

/** Returns the default values of the fields that a create request may omit. */
export function defaultsOf<F extends RecordFields>(fields: F) {
  return Object.fromEntries(
    Object.entries<RecordField>(fields).flatMap(([name, { kind, input }]) =>
      input === undefined || input.required ? [] : [[name, kind === 'flag' ? false : null]],
    ),
  ) as Omit<InputsOf<F>, RequiredName<F>>;
}
