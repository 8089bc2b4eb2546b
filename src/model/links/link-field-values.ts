import { formatTimestamp } from '../timestamps.ts';
import type { Card } from './destinations/cards.ts';
import type { Utm } from './destinations/utm.ts';
import type { FieldKind, LinkField } from './field-kinds.ts';
import { linkFields } from './link-fields.ts';

// What follows from the table of link fields.

type Fields = typeof linkFields;
export type LinkFieldName = keyof Fields;

/** The names of the fields that have a property. */
export type FieldsWith<P extends keyof LinkField> = {
  [N in LinkFieldName]: Fields[N] extends Readonly<Record<P, unknown>> ? N : never;
}[LinkFieldName];

/** The names of the flags. */
export type FlagName = {
  [N in LinkFieldName]: Fields[N] extends { kind: 'flag' } ? N : never;
}[LinkFieldName];

/** The calls that take fields: `POST /shorten`, `PATCH /links/:id`. */
export type FieldCall = 'shorten' | 'updateLink';

/** The names of the fields that a call takes. */
export type InputOf<C extends FieldCall> = {
  [N in LinkFieldName]: Fields[N] extends { input: infer I }
    ? I extends { onlyNew: true }
      ? C extends 'shorten'
        ? N
        : never
      : N
    : never;
}[LinkFieldName];

/** What a field holds. */
export type FieldValue<N extends LinkFieldName> =
  | (Fields[N] extends { kind: 'time' | 'flag' | 'number' | 'count' } ? number : string)
  | (Fields[N] extends { nullable: true } ? null : never);

/** What the fields hold that are kept as JSON. */
export interface JsonValues {
  readonly rules: readonly object[];
  readonly utm: Utm;
  readonly card: Card;
}

/** What clients send for a field, and read of it, but for null. */
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
 * Reads a text of a command line or a table as what clients send for a field.
 * @returns undefined when it cannot be read; what the server refuses may be returned
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

/** A value as links hold it, as clients read it. A flag that is not there is not set. @param name of a field, or of what else a link has */
export function shownValue(name: string, value: unknown): unknown {
  const kind = (linkFields as Readonly<Record<string, LinkField | undefined>>)[name]?.kind;
  if (kind === 'flag') return value === 1;
  if (value === null || value === undefined) return null;
  if (kind === 'time') return formatTimestamp(value as number);
  return kind === 'json' ? JSON.parse(value as string) : value;
}

/** Every field with its name, in the order of the table. */
export const everyField = Object.entries<LinkField>(linkFields) as (readonly [LinkFieldName, LinkField])[];

/** The names of the fields that have a property, in the order of the table. */
export function fieldsWith<P extends keyof LinkField>(property: P): FieldsWith<P>[] {
  return everyField.flatMap(([name, field]) =>
    field[property] === undefined ? [] : [name as FieldsWith<P>],
  );
}

/** What of a link is compared and taken back. Of a secret only its hash is known; which manifest keeps the link its apply alone decides. */
export const comparedFields = fieldsWith('editable').filter(
  (name) => name !== 'password' && name !== 'managedBy',
);

/** The fields of a call that a table may have a column for: a file full of passwords is none. */
export function columnsOf<C extends FieldCall>(call: C) {
  return inputsOf(call).filter(({ kind }) => kind !== 'secret');
}

/** The fields that a call takes, with what clients send, in the order of the table. */
export function inputsOf<C extends FieldCall>(call: C) {
  return everyField.flatMap(([name, { kind, input }]) =>
    input !== undefined && (call === 'shorten' || input.onlyNew === undefined)
      ? [{ name: name as InputOf<C>, kind, ...input }]
      : [],
  );
}

/** What a link has that leads to its destination and nowhere else: the values of the fields that move a target. */
export const plainValues = {
  ...Object.fromEntries(
    everyField.flatMap(([name, { movesTarget, kind }]) =>
      movesTarget ? [[name, kind === 'flag' ? 0 : null]] : [],
    ),
  ),
  usedClicks: 0,
} as { readonly [N in FieldsWith<'movesTarget'> | 'usedClicks']: FieldValue<N> };
