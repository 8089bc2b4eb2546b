import { linkInputs } from '../../src/client/link-inputs.ts';
import { normalUrl } from '../data/links/addresses.ts';
import type { WholeLink } from '../data/links/links.ts';
import { t } from './texts.ts';

/** A field of links that needs no form of its own: the table of link fields says what it takes, `plain` what it is called. */
export type PlainField = (typeof linkInputs)[number];
export type PlainName = PlainField['name'];

export interface PlainText {
  readonly label: string;
  readonly help?: string;
}

/** Labels of the fields that have no form of their own: a field with neither does not compile. */
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

/** What was typed, by the names of the fields; empty or missing for nothing. */
export type Typed = Readonly<Record<string, string>>;

/** A link's fields as they would be typed. */
export function typedOf(link: WholeLink): Typed {
  const values = link as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(plainFields().map((field) => [field.name, shown(field, values[field.name])]));
}

/** Returns '' for the default. A flag that is on by default is typed as true when it is off. */
function shown(field: PlainField, value: unknown): string {
  if ('isInverted' in field) return value === false ? 'true' : '';
  return value === null || value === undefined || value === false ? '' : String(value);
}

/** What was typed as the API takes it; null for nothing. */
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
