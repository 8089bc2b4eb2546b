import { z } from 'zod';
import {
  type FieldInput,
  type FieldsWith,
  type FieldValue,
  fieldsWith,
  type InputOf,
  inputsOf,
  type LinkField,
  type LinkFieldName,
  linkFields,
} from '../domain/link-fields.ts';
import { anyText, oneWord, text, timestamp, uuid } from './fields.ts';

type Answered<N extends LinkFieldName> =
  null extends FieldValue<N> ? z.ZodNullable<z.ZodString> : z.ZodString;

/** The fields that `include` adds to a link, by the table of link fields. */
export const answeredFields = Object.fromEntries(
  fieldsWith('includable').map((name) => [name, answered(linkFields[name])]),
) as { readonly [N in FieldsWith<'includable'>]: Answered<N> };

function answered({ kind, nullable, about = '' }: LinkField): z.ZodType {
  const schema =
    kind === 'time' ? timestamp(about) : kind === 'id' ? uuid(about) : z.string().describe(about);
  return nullable === true ? schema.nullable().meta({ description: schema.description }) : schema;
}

type Sent = z.ZodOptional<z.ZodNullable<z.ZodString>>;

/** The fields of a link that a call takes, by the table of link fields. Null stands for none. */
export function sentFields<C extends FieldInput['calls'][number]>(call: C) {
  const shapes = inputsOf(call).map((input) => [input.name, sent(input).nullish().describe(input.about)]);
  return Object.fromEntries(shapes) as { readonly [N in InputOf<C>]: Sent };
}

function sent({ kind, max = 0, multiline }: FieldInput & Pick<LinkField, 'kind'>): z.ZodString {
  switch (kind) {
    case 'prose':
      return text(0, max, { multiline: multiline === true });
    case 'id':
      return anyText().meta({ format: 'uuid' });
    case 'word':
      return oneWord(max);
    // Checked where the clock is at hand.
    case 'time':
      return z.string();
  }
}
