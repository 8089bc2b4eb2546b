import { linkInputs } from '../../src/client/link-inputs.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { t } from './texts.ts';

/**
 * Link fields without their own form control. `linkInputs` defines their values; `plain` in the UI strings defines
 * their labels.
 */
export type PlainField = (typeof linkInputs)[number];
export type PlainName = PlainField['name'];

export interface PlainText {
  readonly label: string;
  readonly help?: string;
}

/** Labels for fields without their own form control. A link field that has neither is a type error. */
export type PlainTexts = Readonly<Record<Exclude<PlainName, OwnForm>, PlainText>>;
type OwnForm =
  | 'customCode'
  | 'domain'
  | 'prefix'
  | 'length'
  | 'ifExists'
  | 'title'
  | 'expiresAt'
  | 'folderId'
  | 'startsAt'
  | 'disabled'
  | 'expiredUrl'
  | 'redirectStatus'
  | 'forwardQuery'
  | 'rules'
  | 'maxClicks'
  | 'utm'
  | 'archived'
  | 'password'
  | 'card'
  | 'tags';

/** Returns the fields with a label, in the order of `linkInputs`. */
export function plainFields(): readonly PlainField[] {
  return linkInputs.filter(({ name }) => textOf(name) !== undefined);
}

export function textOf(name: PlainName): PlainText | undefined {
  return (t.plain as Partial<Record<PlainName, PlainText>>)[name];
}

/** Field whose form control can be derived from its kind. */
export interface FormField {
  readonly name: string;
  readonly kind: string;
  readonly isInverted?: true;
  readonly isRequired?: true;
  readonly multiline?: true;
  readonly choices?: readonly (string | number)[];
  readonly max?: number;
}

/** Typed text by field. Empty or missing means unset. */
export type Typed = Readonly<Record<string, string>>;

/** Converts an API record's fields to form values. */
export function typedOf(fields: readonly FormField[], record: object): Typed {
  const values = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map((field) => [field.name, shown(field, values[field.name])]));
}

/**
 * Returns the form value for a field. An empty string means the default. For an inverted flag, which is on by default,
 * 'true' means off.
 */
function shown({ isInverted }: FormField, value: unknown): string {
  if (isInverted) return value === false ? 'true' : '';
  return value === null || value === undefined || value === false ? '' : String(value);
}

/** Converts form values to API format. Unset fields become null, or false for a flag that cannot be null. */
export function sentOf(fields: readonly FormField[], typed: Typed): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, sent(field, typed[field.name] ?? '')]));
}

function sent({ kind, isInverted, isRequired }: FormField, text: string): unknown {
  if (text.trim() === '') return isRequired && kind === 'flag' ? false : null;
  if (kind === 'flag') return !isInverted;
  if (kind === 'number' || kind === 'count') return Number(text);
  if (kind === 'prose') return text;
  return kind === 'url' ? (normalUrl(text) ?? text.trim()) : text.trim();
}
