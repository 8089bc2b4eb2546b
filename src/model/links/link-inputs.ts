import { type Problem, problem, refused } from '../failures.ts';
import { parseTimestamp } from '../timestamps.ts';
import { zoneNamed } from '../zoned-times.ts';
import { type DestinationRules, isProblem } from './destinations/destinations.ts';
import { readTarget } from './destinations/templates.ts';
import type { FieldKind } from './field-kinds.ts';
import { type ApiValue, type LinkFieldName, storedFlag } from './link-field-values.ts';
import { isPasswordHash } from './passwords.ts';

/** Field values as clients send them; null clears a field. */
export type FieldInputs<N extends LinkFieldName> = {
  readonly [Name in N]?: ApiValue<Name> | null | undefined;
};

/** Values for any of the fields that clients can send. */
type AnyFieldInputs = { readonly [N in LinkFieldName]?: unknown };

interface Input {
  readonly name: LinkFieldName;
  readonly kind: FieldKind;
}

/** Fields that `links.ts` checks, because their validation depends on more than the request. */
const checkedSeparately: readonly LinkFieldName[] = ['expiresAt', 'folderId'];

/**
 * Converts the fields in a request to stored values. A password must already be hashed.
 * @throws Failure for the validation errors that {@link inputProblems} returns
 */
export function storedInputs(
  inputs: readonly Input[],
  sent: AnyFieldInputs,
  rules: DestinationRules,
): Record<string, string | number | null> {
  const values = inputs
    .filter(({ name }) => sent[name] !== undefined && !checkedSeparately.includes(name))
    .map(({ name, kind }) => [name, storedValue(name, kind, sent, rules)] as const);
  return Object.fromEntries(values);
}

function storedValue(
  name: LinkFieldName,
  kind: FieldKind,
  sent: AnyFieldInputs,
  rules: DestinationRules,
): string | number | null {
  const value = sent[name];
  if (kind === 'flag') return value === null ? 0 : storedFlag(name, value === true);
  if (value === null) return null;
  switch (kind) {
    case 'time':
      return parseTimestamp(value as string) ?? null;
    case 'url': {
      const destination = readUrl(name, value as string, sent, rules);
      if (isProblem(destination)) throw refused([destination]);
      return destination.location;
    }
    case 'json':
      return storedJson(value as object);
    case 'secret':
      // A plain-text password must never reach the database. This check fails only if there is a bug.
      if (!isPasswordHash(value as string)) throw new Error(`${name} must be stored as a hash.`);
      return value as string;
    default:
      return value as string | number;
  }
}

/**
 * Returns the validation errors that schemas do not catch: forbidden URLs, invalid times, empty time spans, unknown
 * time zones, and `appendPath` with a template.
 */
export function inputProblems(
  inputs: readonly Input[],
  sent: AnyFieldInputs,
  rules: DestinationRules,
): Problem[] {
  return inputs.flatMap(({ name, kind }) => {
    const value = sent[name];
    if (name === 'appendPath' && value === true && sent.template === true) return [appendsToTemplate];
    if (typeof value !== 'string' || checkedSeparately.includes(name)) return [];
    if (kind === 'url') {
      const destination = readUrl(name, value, sent, rules);
      return isProblem(destination) ? [destination] : [];
    }
    if (kind === 'time') return timeProblems(name, value, sent);
    if (name === 'timezone' && zoneNamed(value) === undefined) return [unknownZone];
    return [];
  });
}

/**
 * Serializes a value for storage. Returns null if the value is empty. The schema that parsed the value determines the
 * order of its keys, so equal values have equal JSON strings.
 */
export function storedJson(value: object): string | null {
  return Object.values(value).every((one) => one === undefined) ? null : JSON.stringify(value);
}

const unknownZone = problem(
  'timezone',
  'unknown_value',
  'timezone must be an IANA time zone, such as Europe/Berlin.',
);
export const appendsToTemplate = problem(
  'appendPath',
  'not_allowed',
  'appendPath cannot be combined with template. Write {path} in the destination instead.',
  'APPENDS_TO_TEMPLATE',
);

function readUrl(field: string, url: string, { template }: AnyFieldInputs, rules: DestinationRules) {
  const read = readTarget(url, rules, template === true);
  if (!isProblem(read)) return read;
  // Error codes such as INVALID_URL are only for the link's own `url`. Other URL fields get VALIDATION_ERROR instead.
  return {
    ...read,
    code: read.code === 'INVALID_TEMPLATE' ? read.code : ('VALIDATION_ERROR' as const),
    field,
    message: read.message.replace(/^url\b/, field),
  };
}

function timeProblems(field: string, text: string, { expiresAt }: AnyFieldInputs): Problem[] {
  const at = parseTimestamp(text);
  const code = 'VALIDATION_ERROR';
  if (at === undefined) {
    const message = `${field} must be an ISO 8601 date or time, such as 2027-01-31T09:00:00Z.`;
    return [{ field, reason: 'invalid_format', message, code }];
  }
  const end = typeof expiresAt === 'string' ? parseTimestamp(expiresAt) : undefined;
  if (end === undefined || at < end) return [];
  return [{ field, reason: 'out_of_range', message: `${field} must be earlier than expiresAt.`, code }];
}
