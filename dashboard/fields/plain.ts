import { linkInputs } from '../../src/client/link-inputs.ts';
import { normalUrl } from '../data/links/addresses.ts';
import type { FullLink } from '../data/links/links.ts';
import { t } from './texts.ts';

/**
 * Link fields without their own form control: the table of link fields defines their values, `plain` their labels.
 */
export type PlainField = (typeof linkInputs)[number];
export type PlainName = PlainField['name'];

export interface PlainText {
  readonly label: string;
  readonly help?: string;
}

/** Labels of fields without their own form control: a field with neither does not compile. */
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

/** Fields with a label, in the order of the table. */
export function plainFields(): readonly PlainField[] {
  return linkInputs.filter(({ name }) => textOf(name) !== undefined);
}

export function textOf(name: PlainName): PlainText | undefined {
  return (t.plain as Partial<Record<PlainName, PlainText>>)[name];
}

/** Typed texts by field; empty or missing for unset. */
export type Typed = Readonly<Record<string, string>>;

/** Converts a link's fields to texts of the form. */
export function typedOf(link: FullLink): Typed {
  const values = link as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(plainFields().map((field) => [field.name, shown(field, values[field.name])]));
}

/** Returns '' for the default. A flag that is on by default is typed as true when it is off. */
function shown(field: PlainField, value: unknown): string {
  if ('isInverted' in field) return value === false ? 'true' : '';
  return value === null || value === undefined || value === false ? '' : String(value);
}

/** Converts typed texts for the API; null for unset. */
export function sentOf(typed: Typed): Record<string, unknown> {
  return Object.fromEntries(plainFields().map((field) => [field.name, sent(field, typed[field.name] ?? '')]));
}

function sent({ kind, ...field }: PlainField, text: string): unknown {
  if (text.trim() === '') return null;
  if (kind === 'flag') return !('isInverted' in field);
  if (kind === 'number') return Number(text);
  if (kind === 'prose') return text;
  return kind === 'url' ? (normalUrl(text) ?? text.trim()) : text.trim();
}
