import * as z from 'zod';
import type { Problem, Reason } from '../model/failures.ts';
import { languageTag, longestLanguageTag } from '../model/links/language-tags.ts';
import { isDeceptive } from '../model/names.ts';
import { readColour } from '../qr/colours.ts';

// Matches a C0 control character or a lone surrogate. The range is negated so that the pattern itself contains neither.
const control = /[^\x20-\u{10ffff}]|\p{Cs}/u;
const lineBreaksAndTabs = /[\n\t]/g;
// Patterns for the OpenAPI document. Unlike `control`, they do not match lone surrogates, which UTF-8 cannot encode.
const noControl = '^[^\\u0000-\\u001f]*$';
const noDeceptive = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$';
const noControlButBreaks = '^[^\\u0000-\\u0008\\u000b-\\u001f]*$';

/**
 * A string field. Lengths are in Unicode code points. Control characters and lone surrogates are rejected (CONTRACT
 * §3), except line breaks and tabs if `multiline`.
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

/**
 * A field for the name of a record, such as a member, folder or key. Also rejects bidirectional formatting characters.
 */
export function nameText(min: number, max: number): z.ZodString {
  return text(min, max)
    .refine((value) => !isDeceptive(value), { params: { reason: 'deceptive' } })
    .meta({ pattern: noDeceptive });
}

/**
 * A custom code field. The value is normalized. The minimum length, and the maximum length of non-ASCII codes, depend
 * on the domain and the operator's settings: see `codeProblemsOn`.
 */
export function codeText(max: number): z.ZodString {
  return z
    .string()
    .overwrite(composed)
    .superRefine((value, check) => {
      if (hasNonAscii.test(value)) return;
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

/**
 * Normalizes a string to NFC, unless the result is ASCII: a lookalike such as the Kelvin sign must not turn into a
 * letter.
 */
function composed(text: string): string {
  const made = text.normalize('NFC');
  return hasNonAscii.test(made) ? made : text;
}

/** Host of a domain, in Punycode or Unicode. */
export function domainHost(about: string): z.ZodString {
  return text(1, 253).describe(about);
}

const hasNonAscii = /[^\0-\x7f]/;
const word = /^[\x21-\x7e]*$/;

/** An identifier of printable ASCII characters without spaces. Rejects `.` and `..`, which URL parsers resolve. */
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

/** A BCP 47 language tag. */
export function language(): z.ZodString {
  return z
    .string()
    .refine((value) => languageTag.test(value), { params: { reason: 'no_language' } })
    .meta({ maxLength: longestLanguageTag, pattern: languageTag.source });
}

/** A string of any length without control characters, for values that are validated later, such as IDs. */
export function anyText(): z.ZodString {
  return z.string().refine((value) => !control.test(value), { params: { reason: 'invalid_characters' } });
}

/** An ID in a response. */
export function uuid(about: string): z.ZodString {
  return z.string().meta({ description: about, format: 'uuid' });
}

/** A URL in a response. */
export function uri(about: string): z.ZodString {
  return z.string().meta({ description: about, format: 'uri' });
}

/**
 * A timestamp in a request (CONTRACT §4, expiresAt). A later check rejects dates that do not exist, once the time zone
 * is known.
 */
export const moment = z.string().meta({
  id: 'Moment',
  description: 'A date, or a date and time, in ISO 8601, such as `2027-01-31` or `2027-01-31T09:00+01:00`.',
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)?)?$',
});

/** Maximum URL length, in characters, that an operator can configure. The default limit is 2,048. */
const maxUrlLimit = 8_192;

/** A destination URL. The operator's rules are checked later. */
export const httpUrl = z.string().meta({
  id: 'HttpUrl',
  description: 'An http or https URL without username and password. The operator sets its maximum length.',
  minLength: 1,
  maxLength: maxUrlLimit,
  pattern:
    '^[\\t\\n\\f\\r ]*[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f\\\\/?#@]+([/?#][^\\s\\u0000-\\u001f\\u007f\\\\]*)?[\\t\\n\\f\\r ]*$',
});

/** A timestamp in a response. */
export function timestamp(about: string): z.ZodString {
  const description = `${about} In UTC, with milliseconds and a \`Z\` suffix.`;
  return z.string().meta({ description, format: 'date-time' });
}

/** A count in a response. */
export function count(about: string): z.ZodInt {
  return z.int().min(0).meta({ description: about, format: 'int64' });
}

/**
 * An integer query parameter. Values outside the range are rejected, never clamped (CONTRACT §4, List).
 * @param whenAbsent default value for the documentation; the schema does not apply it
 */
export function integer(min: number, max: number, whenAbsent?: number) {
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max, { params: { reason: 'out_of_range', min, max } })
    .meta({ type: 'integer', minimum: min, maximum: max, whenAbsent });
}

/** An integer body field with a range. */
export function wholeNumber(min: number, max: number): z.ZodInt {
  return z
    .int()
    .refine((value) => value >= min && value <= max, { params: { reason: 'out_of_range', min, max } })
    .meta({ minimum: min, maximum: max });
}

/** A query parameter for a hex color, with or without `#`. @param word another valid value */
export function colour(word?: string) {
  return z
    .string()
    .transform((value) => (value === word ? word : (readColour(value) ?? '')))
    .refine((value) => value !== '', { params: { reason: 'no_colour', word } })
    .meta({
      type: 'string',
      pattern: `^(${word === undefined ? '' : `${word}|`}#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}))$`,
    });
}

/** A query parameter with comma-separated values. */
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

/** Metadata key that marks a query parameter with comma-separated values. */
export const commas = 'commas';

/**
 * Returns true if a query parameter has comma-separated values. Generated clients send `a=1&a=2` instead, which is
 * equivalent (CONTRACT §3).
 */
export function listsWithCommas(schema: z.ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return listsWithCommas(schema.unwrap() as z.ZodType);
  return schema?.meta()?.[commas] === true;
}

/** A repeatable string query parameter. */
export function texts(max: number) {
  return z.array(anyText()).max(max);
}

/** Returns true if a query parameter is repeatable. */
export function mayRepeat(schema: z.ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return mayRepeat(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray;
}

export type Shape = Readonly<Record<string, z.ZodType>>;

export type Parsed<S extends Shape> = { [K in keyof S]: z.output<S[K]> };

/**
 * Validates every declared field separately, so that one invalid field does not hide others. Ignores undeclared fields.
 * @returns the values of valid fields, and an error for each invalid field
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
  /** Whether the field is optional and has no default. */
  readonly mayBeAbsent: boolean;
}

const known = new WeakMap<Shape, readonly Field[]>();

/** Returns the fields of a shape, with caching. */
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

/** Returns the most specific issue: for a union, the deepest issue in the branch that matches best. */
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
  // An invalid array item is reported as an error in the array. An error inside an object is reported for the nested
  // field.
  const isInside = issue?.path.some((step) => typeof step === 'string') ?? false;
  return { field: isInside ? place : field, reason, message, code: 'VALIDATION_ERROR' };
}

/** Returns the path of the invalid value, such as `tags[2]`. */
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
        return ['unknown_value', `${field} must be one of: ${issue.options.map(String).join(', ')}.`];
      return field.includes('.')
        ? ['invalid_format', `${field} has an unsupported format. See the API documentation.`]
        : ['wrong_type', `${field} must be a string or null.`];
    case 'unrecognized_keys':
      return ['not_allowed', `${field} must not contain: ${issue.keys.join(', ')}.`];
    case 'too_small':
      if (issue.origin === 'array')
        return [
          'too_short',
          `${field} must have at least ${issue.minimum} item${issue.minimum === 1 ? '' : 's'}.`,
        ];
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
      if (issue.origin === 'array')
        return [
          'too_long',
          `${field} must have at most ${issue.maximum} item${issue.maximum === 1 ? '' : 's'}.`,
        ];
      if (isOfNumber(issue)) return ['out_of_range', `${field} must be at most ${issue.maximum}.`];
      return ['too_long', `${field} must be at most ${issue.maximum} characters.`];
    case 'invalid_format':
      return ['invalid_format', `${field} must be an integer.`];
    case 'invalid_value':
      // Omits null from the list of values, because null clears the field.
      return [
        'unknown_value',
        `${field} must be one of: ${issue.values.filter((value) => value !== null).join(', ')}.`,
      ];
    case 'custom':
      return explainOwn(field, issue.params ?? {});
    default:
      return ['invalid_format', `${field} is invalid.`];
  }
}

function explainOwn(field: string, params: Record<string, unknown>): [Reason, string] {
  switch (params['reason']) {
    case 'invalid_characters':
      return ['invalid_characters', `${field} must not contain control characters or lone surrogates.`];
    case 'deceptive':
      return [
        'invalid_characters',
        `${field} must not contain control or bidirectional formatting characters.`,
      ];
    case 'no_language':
      return ['invalid_format', `${field} must be a BCP 47 language tag, such as de or pt-BR.`];
    case 'no_network':
      return [
        'invalid_format',
        `${field} must be an IP address or a network in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/48.`,
      ];
    case 'no_scheme':
      return [
        'invalid_format',
        `${field} must contain URL schemes without "://", such as "acme". A scheme is a letter followed by 1 to 49 letters, digits, "+", "-" or periods.`,
      ];
    case 'forbidden_scheme':
      return [
        'not_allowed',
        `${field} must not be a scheme of the web, scripts, files or browsers, such as https or javascript. Use the scheme of your app.`,
      ];
    case 'every_address':
      return ['not_allowed', `${field} must not be a /0 network: it would exclude every visitor.`];
    case 'no_word':
      return [
        'invalid_characters',
        `${field} must be printable ASCII without spaces, and must not be "." or "..".`,
      ];
    case 'no_colour':
      return [
        'invalid_format',
        `${field} must be a hex color of 3 or 6 digits, such as 1f4d41${params['word'] === undefined ? '' : `, or ${params['word']}`}.`,
      ];
    case 'too_long':
      return ['too_long', `${field} must be at most ${params['max']} characters as JSON.`];
    case 'out_of_range':
      return ['out_of_range', `${field} must be between ${params['min']} and ${params['max']}.`];
    default:
      return [
        'unknown_value',
        `${field} must contain only: ${(params['allowed'] as readonly string[]).join(', ')}.`,
      ];
  }
}

function isOfNumber({ origin }: { readonly origin: string }): boolean {
  return origin === 'number' || origin === 'int';
}

function withArticle(type: string): string {
  if (type === 'int') return 'an integer';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
