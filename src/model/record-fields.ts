import { formatTimestamp } from './timestamps.ts';

/**
 * How a field's value looks. `id` is a UUID; `text` is any text; `name` is text for display, on one line. `time` is
 * milliseconds since the epoch, and ISO 8601 in the API. `count` is a number from 0. `choice` is one of `choices`,
 * `choices` a list of them, `texts` a list of texts. `record` is an object with `fields`, `records` a list of such
 * objects.
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

/** How clients send a field. */
export interface RecordInput {
  /** Set if creates must contain it. Other fields are null or false by default. */
  readonly required?: true;
  /** Set if only creates, or only updates, accept it. */
  readonly only?: Call;
  /** One sentence for the documentation of requests. */
  readonly about: string;
  /** Length of a text in characters; `max` also limits the number of texts in a list. */
  readonly min?: number;
  readonly max?: number;
  /** Maximum length of each text in a list, characters. */
  readonly each?: number;
  /** CLI option: `tag` is `--tag`. Without it, the command reads the field in its own way. */
  readonly option?: string;
  /** Placeholder for the option's value in help; default: `text`, or `list`. */
  readonly value?: string;
  /** The option's help text. */
  readonly help?: string;
  /** Value of the option when a create omits it. */
  readonly optionDefault?: readonly string[];
  /** Kind of record that the option names, by name or ID; the field contains IDs. */
  readonly refersTo?: 'folder' | 'domain';
}

/** Kinds of requests that contain fields of a record. */
export type Call = 'create' | 'update';

/** One field of a record, for all layers: its type, column, response, request, option and example. */
export interface RecordField {
  readonly kind: RecordFieldKind;
  readonly nullable?: true;
  readonly choices?: readonly string[];
  readonly fields?: RecordFields;
  /** Name of the field's schema in the OpenAPI document, if several records share it. */
  readonly component?: string;
  /** Set if responses do not contain it. */
  readonly isInternal?: true;
  /** Set if it is not stored with the record, but determined for each response. */
  readonly isComputed?: true;
  /** One sentence for the documentation of responses. */
  readonly about?: string;
  /** Value in examples of responses. Default: null or false. */
  readonly example?: unknown;
  readonly input?: RecordInput;
}

/** Description of a record: its fields, in the order of responses. */
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

/** Names of the stored fields, of those in responses, and of those in requests. */
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
/** Names of the fields that creates must contain. */
export type RequiredName<F> = With<F, { input: { required: true } }>;

/** The record as stored. */
export type RecordOf<F> = { readonly [N in StoredName<F>]: ValueOf<F[N]> };
/** The values of a record's fields in responses, before {@link apiRecord}. */
export type ShownValues<F> = { readonly [N in ShownName<F>]: ValueOf<F[N]> };
/** The record in responses. */
export type ApiRecordOf<F> = { readonly [N in ShownName<F>]: ApiValueOf<F[N]> };
/** The fields that clients can set. */
export type InputsOf<F, C extends Call = Call> = { readonly [N in InputName<F, C>]: ValueOf<F[N]> };

/** Returns a record as responses contain it, in the order of its description. */
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

/** Returns the fields that a request may contain, in the order of the description. */
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

/** Returns the values of a new record's fields that its creation may omit. */
export function defaultsOf<F extends RecordFields>(fields: F) {
  return Object.fromEntries(
    Object.entries<RecordField>(fields).flatMap(([name, { kind, input }]) =>
      input === undefined || input.required ? [] : [[name, kind === 'flag' ? false : null]],
    ),
  ) as Omit<InputsOf<F>, RequiredName<F>>;
}
