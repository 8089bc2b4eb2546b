import * as z from 'zod';
import { longestCardDescription, longestCardTitle } from '../../model/links/destinations/cards.ts';
import type { FieldInput, LinkField } from '../../model/links/field-kinds.ts';
import {
  type ApiValue,
  type FieldCall,
  type FieldsWith,
  type FieldValue,
  fieldsWith,
  type InputOf,
  inputsOf,
  type JsonValues,
  type LinkFieldName,
} from '../../model/links/link-field-values.ts';
import { linkFields } from '../../model/links/link-fields.ts';
import { anyText, httpUrl, language, moment, oneWord, text, timestamp, uuid } from '../fields.ts';
import { ruleList } from './rules.ts';
import { utmFields } from './utm.ts';

/** Social card of a link in requests and responses. */
const linkCard = z
  .strictObject({
    title: text(1, longestCardTitle).optional(),
    description: text(1, longestCardDescription).optional(),
    image: text(1, 8_192)
      .meta({ pattern: '^ *[Hh][Tt][Tt][Pp][Ss]://[^\\u0000-\\u001f]*$' })
      .optional()
      .describe(
        'https URL with the same checks as a link’s destination. Crawlers load the image; this server never does.',
      ),
  })
  .meta({
    id: 'LinkCard',
    description: 'Social card: what messengers and social networks show for a link. Unset fields are absent.',
  });

type Plain<N extends LinkFieldName> = N extends keyof typeof jsonFields
  ? (typeof jsonFields)[N]
  : z.ZodType<ApiValue<N>, ApiValue<N>>;
type ResponseSchema<N extends LinkFieldName> =
  null extends FieldValue<N> ? z.ZodNullable<Plain<N>> : Plain<N>;

/** Schemas of fields that are stored as JSON. */
const jsonFields = { rules: ruleList, utm: utmFields, card: linkCard } as const satisfies Record<
  keyof JsonValues,
  z.ZodType
>;

function jsonField(name: string): z.ZodType {
  return jsonFields[name as keyof JsonValues];
}

/** Fields that `include` adds to a link, from the table of link fields. */
export const answeredFields = Object.fromEntries(
  fieldsWith('includable').map((name) => [name, answered(name, linkFields[name])]),
) as { readonly [N in FieldsWith<'includable'>]: ResponseSchema<N> };

function answered(name: string, field: LinkField): z.ZodType {
  const { nullable, about = '' } = field;
  const schema = answeredKind(name, field).describe(about);
  return nullable === true && field.input?.choices === undefined
    ? schema.nullable().meta({ description: schema.description })
    : schema;
}

function answeredKind(name: string, { kind, about = '', nullable, input }: LinkField): z.ZodType {
  switch (kind) {
    case 'time':
      return timestamp(about);
    case 'id':
      return uuid(about);
    case 'flag':
      return z.boolean();
    case 'count':
      return z.int().min(0);
    case 'number':
    case 'choice':
      if (input?.between !== undefined) return z.int().min(input.between[0]).max(input.between[1]);
      return choice([...(input?.choices ?? []), ...(nullable === true ? [null] : [])]);
    case 'json':
      return jsonField(name);
    default:
      return z.string();
  }
}

/** Schema of a fixed set of values, including null: a union with null would allow every number or string. */
function choice(choices: readonly (string | number | null)[]): z.ZodType {
  return z.literal([...choices]);
}

/** Link fields that an endpoint accepts, from the table of link fields. Null clears a field. */
export function sentFields<C extends FieldCall>(call: C) {
  const shapes = inputsOf(call).map((input) => [input.name, sent(input).nullish().describe(input.about)]);
  return Object.fromEntries(shapes) as {
    readonly [N in InputOf<C>]: z.ZodOptional<z.ZodNullable<Plain<N>>>;
  };
}

function sent({
  name,
  kind,
  min = 0,
  max = 0,
  multiline,
  between,
  choices,
}: FieldInput & Pick<LinkField, 'kind'> & { name: string }) {
  switch (kind) {
    case 'prose':
      return text(0, max, { multiline: multiline === true });
    case 'secret':
      return text(min, max).meta({ format: 'password', writeOnly: true });
    case 'id':
      return anyText().meta({ format: 'uuid' });
    case 'word':
      return name === 'language' ? language() : oneWord(max);
    // Times are validated where the clock is known, and URLs where the allowed hosts are.
    case 'time':
      return moment;
    case 'url':
      return httpUrl;
    case 'flag':
      return z.boolean();
    case 'count':
    case 'number':
    case 'choice':
      return between === undefined
        ? choice([...(choices ?? []), null])
        : z.int().min(between[0]).max(between[1]);
    case 'json':
      return jsonField(name);
  }
}
