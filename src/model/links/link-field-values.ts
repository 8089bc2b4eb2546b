import { formatTimestamp } from '../timestamps.ts';
import type { Card } from './destinations/cards.ts';
import type { Utm } from './destinations/utm.ts';
import type { FieldKind, LinkField } from './field-kinds.ts';
import { linkFields } from './link-fields.ts';

// Types and lists derived from the table of link fields.

type Fields = typeof linkFields;
export type LinkFieldName = keyof Fields;

/** Names of the fields that have property P. */
export type FieldsWith<P extends keyof LinkField> = {
  [N in LinkFieldName]: Fields[N] extends Readonly<Record<P, unknown>> ? N : never;
}[LinkFieldName];

/** Names of the fields of kind `flag`. */
export type FlagName = {
  [N in LinkFieldName]: Fields[N] extends { kind: 'flag' } ? N : never;
}[LinkFieldName];

/** Endpoints that accept link fields: `POST /shorten`, `PATCH /links/:id`. */
export type FieldCall = 'shorten' | 'updateLink';

/** Names of the fields that an endpoint accepts. */
export type InputOf<C extends FieldCall> = {
  [N in LinkFieldName]: Fields[N] extends { input: infer I }
    ? I extends { onlyNew: true }
      ? C extends 'shorten'
        ? N
        : never
      : N
    : never;
}[LinkFieldName];

/** Type of a field's stored value. */
export type FieldValue<N extends LinkFieldName> =
  | (Fields[N] extends { kind: 'time' | 'flag' | 'number' | 'count' } ? number : string)
  | (Fields[N] extends { nullable: true } ? null : never);

/** Types of the fields that are stored as JSON. */
export interface JsonValues {
  readonly rules: readonly object[];
  readonly utm: Utm;
  readonly card: Card;
}

/** Type of a field in the API, without null. */
export type ApiValue<N extends LinkFieldName> = Fields[N] extends { kind: 'flag' }
  ? boolean
  : Fields[N] extends { input: { choices: readonly (infer Choice)[] } }
    ? Choice
    : Fields[N] extends { kind: 'number' | 'count' }
      ? number
      : N extends keyof JsonValues
        ? JsonValues[N]
        : string;

/**
 * Parses a string from a CLI option or a CSV cell into the value that clients send for a field. The server may still
 * reject this value.
 * @returns undefined for a string that cannot be parsed
 */
export function valueOfText(kind: FieldKind, text: string): unknown {
  switch (kind) {
    case 'flag':
      return (
        { true: true, yes: true, '1': true, false: false, no: false, '0': false } as Record<string, boolean>
      )[text.toLowerCase()];
    case 'number':
      return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'json':
      try {
        return JSON.parse(text);
      } catch {
        return undefined;
      }
    default:
      return text;
  }
}

/** Returns the stored value of a flag. The column of an inverted flag contains the opposite value. */
export function storedFlag(name: LinkFieldName, isOn: boolean): number {
  const { isInverted }: LinkField = linkFields[name];
  return Number(isOn !== (isInverted === true));
}

/**
 * Converts a stored value to its API value. A missing flag has its default value.
 * @param name name of a field, or of another property of a link
 */
export function apiValueOf(name: string, value: unknown): unknown {
  const { kind, isInverted } = (linkFields as Readonly<Record<string, LinkField>>)[name] ?? {};
  if (kind === 'flag') return (value === 1) !== (isInverted === true);
  if (value === null || value === undefined) return null;
  if (kind === 'time') return formatTimestamp(value as number);
  return kind === 'json' ? JSON.parse(value as string) : value;
}

/** All fields with their names, in table order. */
export const everyField = Object.entries<LinkField>(linkFields) as (readonly [LinkFieldName, LinkField])[];

/** Returns the names of the fields that have a property, in table order. */
export function fieldsWith<P extends keyof LinkField>(property: P): FieldsWith<P>[] {
  return everyField.flatMap(([name, field]) =>
    field[property] === undefined ? [] : [name as FieldsWith<P>],
  );
}

/**
 * Fields that are compared with earlier or desired values, and that can be reverted. Excludes the password, because
 * only its hash is known, and `managedBy`, which changes only when a manifest is applied.
 */
export const comparedFields = fieldsWith('editable').filter(
  (name) => name !== 'password' && name !== 'managedBy',
);

/**
 * Returns an endpoint's fields that may be columns in a CSV file: all except secrets, so that files do not contain
 * passwords.
 */
export function columnsOf<C extends FieldCall>(call: C) {
  return inputsOf(call).filter(({ kind }) => kind !== 'secret');
}

/** Returns the fields that an endpoint accepts, in table order. */
export function inputsOf<C extends FieldCall>(call: C) {
  return everyField.flatMap(([name, { kind, input }]) =>
    input !== undefined && (call === 'shorten' || input.onlyNew === undefined)
      ? [{ name: name as InputOf<C>, kind, ...input }]
      : [],
  );
}

/** Field values of a link that always redirects to its destination. */
export const plainValues = {
  ...Object.fromEntries(
    everyField.flatMap(([name, { affectsRedirect, kind }]) =>
      affectsRedirect ? [[name, kind === 'flag' ? 0 : null]] : [],
    ),
  ),
  usedClicks: 0,
} as { readonly [N in FieldsWith<'affectsRedirect'> | 'usedClicks']: FieldValue<N> };
