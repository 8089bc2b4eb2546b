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

/** Schema for a link's social card, in requests and responses. */
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

/** Schemas for link fields that are stored as JSON. */
const jsonFields = { rules: ruleList, utm: utmFields, card: linkCard } as const satisfies Record<
  keyof JsonValues,
  z.ZodType
>;

function jsonField(name: string): z.ZodType {
  return jsonFields[name as keyof JsonValues];
}

/** Schemas for the fields that `include` can add to a link, derived from `linkFields`. */
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

/**
 * Returns the schema for a fixed set of values, which may include null. A union with null would allow every number or
 * string.
 */
function choice(choices: readonly (string | number | null)[]): z.ZodType {
  return z.literal([...choices]);
}

/** Returns schemas for the link fields that an endpoint accepts, derived from `linkFields`. Null clears a field. */
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
    // Accepts any string as a time or URL. A later check validates it, because this layer does not know the current
    // time or the allowed hosts.
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
