import * as z from 'zod';
import type { Problem, Reason } from '../model/failures.ts';
import { languageTag, longestLanguageTag } from '../model/links/language-tags.ts';
import { isDeceptive } from '../model/names.ts';
import { readColour } from '../qr/colours.ts';

// A character below the space, written as the negation of the others, or a lone surrogate.
const control = /[^\x20-\u{10ffff}]|\p{Cs}/u;
const lineBreaksAndTabs = /[\n\t]/g;
// The same for the OpenAPI document: a lone surrogate cannot be sent in UTF-8 anyway.
const noControl = '^[^\\u0000-\\u001f]*$';
const noDeceptive = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$';
const noControlButBreaks = '^[^\\u0000-\\u0008\\u000b-\\u001f]*$';

/**
 * A text field: length in Unicode code points; control characters and lone surrogates refused (CONTRACT §3), but for
 * line breaks and tabs where `multiline`.
 */
export function text(min: number, max: number, { multiline = false } = {}): z.ZodString {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((value) => !control.test(multiline ? value.replace(lineBreaksAndTabs, '') : value), {
      params: { reason: 'invalid_characters' },
    })
    .meta({ pattern: multiline ? noControlButBreaks : noControl });
}

/** A name that people read next to others, such as that of a member, a folder or a key. */
export function nameText(min: number, max: number): z.ZodString {
  return text(min, max)
    .refine((value) => !isDeceptive(value), { params: { reason: 'deceptive' } })
    .meta({ pattern: noDeceptive });
}

/**
 * A custom code, composed. Its shortest length, and the longest one of codes beyond ASCII, depend on the domain and the
 * operator's settings: see `codeProblemsOn`.
 */
export function codeText(max: number): z.ZodString {
  return z
    .string()
    .overwrite(composed)
    .superRefine((value, check) => {
      if (beyondAscii.test(value)) return;
      if (value.length > max)
        check.addIssue({ input: value, origin: 'string', inclusive: true, code: 'too_big', maximum: max });
    })
    .refine((value) => !control.test(value), { params: { reason: 'invalid_characters' } })
    .meta({
      minLength: 1,
      maxLength: max,
      pattern: noControl,
    });
}

/** The composed form, unless that is ASCII: what looks like ASCII without being it stays so, and is refused. */
function composed(text: string): string {
  const made = text.normalize('NFC');
  return beyondAscii.test(made) ? made : text;
}

/** The host of a domain, in A-labels or as people write it. */
export function domainHost(about: string): z.ZodString {
  return text(1, 253).describe(about);
}

const beyondAscii = /[^\0-\x7f]/;
const word = /^[\x21-\x7e]*$/;

/** One name for programs: printable ASCII without spaces, and nothing that a path would be resolved by. */
export function oneWord(max: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(max)
    .refine((value) => word.test(value) && value !== '.' && value !== '..', {
      params: { reason: 'no_word' },
    })
    .meta({ pattern: '^(?:\\.{0,2}[!--/-~]|\\.{3})[!-~]*$' });
}

/** The tag of a language. */
export function language(): z.ZodString {
  return z
    .string()
    .refine((value) => languageTag.test(value), { params: { reason: 'no_language' } })
    .meta({ maxLength: longestLanguageTag, pattern: languageTag.source });
}

/** A text whose meaning is checked later, such as an identifier: any length, but no control characters. */
export function anyText(): z.ZodString {
  return z.string().refine((value) => !control.test(value), { params: { reason: 'invalid_characters' } });
}

/** An identifier in an answer. */
export function uuid(about: string): z.ZodString {
  return z.string().meta({ description: about, format: 'uuid' });
}

/**
 * A moment as clients send it (CONTRACT §4, expiresAt). Whether the calendar has the day is checked where it is read, with
 * the clock or the zone at hand.
 */
export const moment = z.string().meta({
  id: 'Moment',
  description:
    'A date, or a date and time, in ISO 8601, such as `2027-01-31` or `2027-01-31T09:00:00+01:00`.',
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)?)?$',
});

/** An operator may allow destinations up to this length, characters; 2,048 by default. */
const largestUrlLimit = 8_192;

/** A URL that visitors may be led to. What the operator allows is checked where that is known. */
export const httpUrl = z.string().meta({
  id: 'HttpUrl',
  description: 'An http or https URL without user name and password, as short as the operator wants it.',
  minLength: 1,
  maxLength: largestUrlLimit,
  pattern:
    '^[\\t\\n\\f\\r ]*[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f\\\\/?#@]+([/?#][^\\s\\u0000-\\u001f\\u007f\\\\]*)?[\\t\\n\\f\\r ]*$',
});

/** A moment in an answer. */
export function timestamp(about: string): z.ZodString {
  return z.string().meta({ description: `${about} UTC, with milliseconds and Z.`, format: 'date-time' });
}

/** A number of things in an answer. */
export function count(about: string): z.ZodInt {
  return z.int().min(0).meta({ description: about, format: 'int64' });
}

/**
 * A query parameter that must be a plain integer in a range; out of it is refused, never clamped (CONTRACT §4, List).
 * @param whenAbsent the default, for documentation only; it is not applied here
 */
export function integer(min: number, max: number, whenAbsent?: number) {
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max, { params: { reason: 'out_of_range', min, max } })
    .meta({ type: 'integer', minimum: min, maximum: max, whenAbsent });
}

/** A whole number of a body in a range. */
export function wholeNumber(min: number, max: number): z.ZodInt {
  return z
    .int()
    .refine((value) => value >= min && value <= max, { params: { reason: 'out_of_range', min, max } })
    .meta({ minimum: min, maximum: max });
}

/** A query parameter that is a colour, as CSS writes it in hexadecimal digits; `#` may be left out. */
export function colour() {
  return z
    .string()
    .transform((value) => readColour(value) ?? '')
    .refine((value) => value !== '', { params: { reason: 'no_colour' } })
    .meta({ type: 'string', pattern: '^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$' });
}

/** A query parameter that lists words, separated by commas. */
export function words<const W extends readonly string[]>(allowed: W) {
  return z
    .string()
    .transform((value) =>
      [...new Set(value.split(',').map((word) => word.trim()))].filter((word) => word !== ''),
    )
    .refine((list): list is W[number][] => list.every((word) => allowed.includes(word)), {
      params: { reason: 'unknown_value', allowed },
    })
    .meta({ type: 'array', items: { type: 'string', enum: [...allowed] }, [commas]: true });
}

/** Marks a query parameter that lists texts with commas between them. */
export const commas = 'commas';

/** Whether a query parameter is such a list: generated clients send one as `a=1&a=2`, which says the same (CONTRACT §3). */
export function listsWithCommas(schema: z.ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return listsWithCommas(schema.unwrap() as z.ZodType);
  return schema?.meta()?.[commas] === true;
}

/** A query parameter that may be given several times, each a text. */
export function texts(max: number) {
  return z.array(anyText()).max(max);
}

/** Whether a query parameter may be given several times. */
export function mayRepeat(schema: z.ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return mayRepeat(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray;
}

export type Shape = Readonly<Record<string, z.ZodType>>;

export type Parsed<S extends Shape> = { [K in keyof S]: z.output<S[K]> };

/**
 * Checks every declared field by itself, so that one bad field hides no other, and ignores undeclared ones.
 * @returns the values of the good fields and a problem for each bad one
 */
export function parseFields<S extends Shape>(
  shape: S,
  source: Readonly<Record<string, unknown>>,
): { values: Partial<Parsed<S>>; problems: Problem[] } {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const { field, schema, mayBeAbsent } of fieldsOf(shape)) {
    const given = Object.hasOwn(source, field) ? source[field] : undefined;
    if (given === undefined && mayBeAbsent) continue;
    const result = schema.safeParse(given, { reportInput: true });
    if (!result.success) {
      const issue = innermost(result.error.issues[0]);
      problems.push(problemOf(field, issue, issue?.path.length ? issue.input : given));
    } else if (result.data !== undefined) values[field] = result.data;
  }
  return { values: values as Partial<Parsed<S>>, problems };
}

interface Field {
  readonly field: string;
  readonly schema: z.ZodType;
  /** Whether absence is valid and stands for no value. */
  readonly mayBeAbsent: boolean;
}

const known = new WeakMap<Shape, readonly Field[]>();

/** A shape's fields, prepared once for all requests. */
function fieldsOf(shape: Shape): readonly Field[] {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const fields = Object.entries(shape).map(([field, schema]) => {
    const absent = schema.safeParse(undefined);
    return { field, schema, mayBeAbsent: absent.success && absent.data === undefined };
  });
  known.set(shape, fields);
  return fields;
}

type Issue = z.core.$ZodIssue;

/** The issue that says most: of a union the one that lies deepest, in the branch that was meant. */
function innermost(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const [deepest] = issue.errors
    .flatMap((issues) => issues.slice(0, 1))
    .filter(({ path }) => path.length > 1)
    .sort((a, b) => b.path.length - a.path.length);
  if (deepest === undefined) return issue;
  return innermost({ ...deepest, path: [...issue.path, ...deepest.path] });
}

function problemOf(field: string, issue: Issue | undefined, given: unknown): Problem {
  const place = nameAt(field, issue?.path);
  const [reason, message] = explain(place, issue, given);
  // An item of a list is refused with its list, a field inside an object by itself.
  const isInside = issue?.path.some((step) => typeof step === 'string') ?? false;
  return { field: isInside ? place : field, reason, message, code: 'VALIDATION_ERROR' };
}

/** A field, or what in it the issue is about: `tags[2]`. */
function nameAt(field: string, path: readonly PropertyKey[] = []): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return field + steps.join('');
}

function explain(field: string, issue: Issue | undefined, given: unknown): [Reason, string] {
  if (given === undefined) return ['missing', `${field} is required.`];
  switch (issue?.code) {
    case 'invalid_type':
      return ['wrong_type', `${field} must be ${withArticle(issue.expected)}.`];
    case 'invalid_union':
      if ('options' in issue && issue.options !== undefined)
        return ['unknown_value', `${field} may be: ${issue.options.map(String).join(', ')}.`];
      return field.includes('.')
        ? ['invalid_format', `${field} must be one of the forms that the documentation shows.`]
        : ['wrong_type', `${field} must be a string or null.`];
    case 'unrecognized_keys':
      return ['not_allowed', `${field} has no ${issue.keys.join(', ')}.`];
    case 'too_small':
      if (issue.origin === 'array') return ['too_short', `${field} must list at least ${issue.minimum}.`];
      if (isOfNumber(issue))
        return [
          'out_of_range',
          `${field} must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}.`,
        ];
      return [
        'too_short',
        `${field} must be at least ${issue.minimum} character${issue.minimum === 1 ? '' : 's'}.`,
      ];
    case 'too_big':
      if (issue.origin === 'array') return ['too_long', `${field} must list at most ${issue.maximum}.`];
      if (isOfNumber(issue)) return ['out_of_range', `${field} must be at most ${issue.maximum}.`];
      return ['too_long', `${field} must be at most ${issue.maximum} characters.`];
    case 'invalid_format':
      return ['invalid_format', `${field} must be a whole number.`];
    case 'invalid_value':
      // Null clears a field; a list of words does not name it.
      return [
        'unknown_value',
        `${field} may be: ${issue.values.filter((value) => value !== null).join(', ')}.`,
      ];
    case 'custom':
      return explainOwn(field, issue.params ?? {});
    default:
      return ['invalid_format', `${field} is not valid.`];
  }
}

function explainOwn(field: string, params: Record<string, unknown>): [Reason, string] {
  switch (params['reason']) {
    case 'invalid_characters':
      return ['invalid_characters', `${field} must not contain control characters or lone surrogates.`];
    case 'deceptive':
      return [
        'invalid_characters',
        `${field} must not contain control characters or bidirectional formatting characters.`,
      ];
    case 'no_language':
      return ['invalid_format', `${field} must be a BCP 47 tag such as de or pt-BR.`];
    case 'no_word':
      return [
        'invalid_characters',
        `${field} may hold printable ASCII characters without spaces, and must be neither "." nor "..".`,
      ];
    case 'no_colour':
      return [
        'invalid_format',
        `${field} must be a colour of three or six hexadecimal digits, such as 1f4d41.`,
      ];
    case 'too_long':
      return ['too_long', `${field} must be at most ${params['max']} characters as JSON.`];
    case 'out_of_range':
      return ['out_of_range', `${field} must be between ${params['min']} and ${params['max']}.`];
    default:
      return ['unknown_value', `${field} may list: ${(params['allowed'] as readonly string[]).join(', ')}.`];
  }
}

function isOfNumber({ origin }: { readonly origin: string }): boolean {
  return origin === 'number' || origin === 'int';
}

function withArticle(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
