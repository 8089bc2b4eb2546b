import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import type { ShortenInput } from '../../client/endpoints.ts';
import { ApiError } from '../../client/errors.ts';
import type { FieldInput, FieldKind } from '../../model/links/field-kinds.ts';
import { type InputOf, inputsOf, valueOfText } from '../../model/links/link-field-values.ts';
import { draftInputs } from '../../model/links/link-fields.ts';
import { type FieldNames, inOptions, optionNames } from './field-names.ts';

/**
 * Returns the error, with a suggestion if there is an obvious one, such as a missing scheme in `example.com`.
 * @param free available codes to suggest
 */
export function withHint(
  error: unknown,
  url: string,
  names: FieldNames = optionNames,
  free: readonly string[] = [],
): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, requestId, retryAfterSeconds, done } = error;
  const meant = code === 'INVALID_URL' ? withScheme(url) : undefined;
  const codes = free.length === 0 ? '' : ` Available: ${free.join(', ')}.`;
  const hint = meant === undefined ? codes : ` Did you mean "${meant}"?`;
  const message = inOptions(error, names) + hint;
  return Object.assign(new ApiError(message, { status, code, requestId, retryAfterSeconds }), { done });
}

/** Matches a string that starts with `localhost`, or with a host name that contains a dot. */
const hostFirst = /^(?:[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|localhost)(?::\d{1,5})?(?:[/?#]|$)/u;

function withScheme(text: string): string | undefined {
  const trimmed = text.trim().replace(/^\/\//, '');
  const isUsable = hostFirst.test(trimmed) && !/\s/.test(trimmed) && URL.canParse(`https://${trimmed}`);
  if (!isUsable) return undefined;
  return `${trimmed.startsWith('localhost') ? 'http' : 'https'}://${trimmed}`;
}

/** Creates the options for a command that creates or updates links, from the definitions of the link fields. */
export function fieldOptions(call: 'shorten' | 'updateLink'): Option[] {
  return optionsOf(inputsOf(call));
}

/** Creates the option for one field. */
export function optionOf(field: InputOf<'updateLink'>): Option {
  const [option] = optionsOf(inputsOf('updateLink').filter(({ name }) => name === field));
  if (option === undefined) throw new Error(`No option sets ${field}.`);
  return option;
}

/** Creates the options that control how a link is created. */
export function draftOptions(): Option[] {
  return optionsOf(draftInputs);
}

type OptionField = Pick<FieldInput, 'option' | 'value' | 'help'> & { readonly kind: FieldKind };

function optionsOf(inputs: readonly OptionField[]): Option[] {
  return inputs.map(({ kind, option, value, help }) =>
    new Option(`--${option} <${value}>`, help).argParser((text) => fieldValue(kind, text)),
  );
}

const asked: Partial<Readonly<Record<FieldKind, string>>> = {
  flag: 'Specify true or false.',
  number: 'Specify an integer.',
  json: 'Specify JSON, or @ followed by the path of a JSON file.',
};

/** Converts an option's value to a field value. @throws InvalidArgumentError if it is invalid for the field */
function fieldValue(kind: FieldKind, text: string): unknown {
  if (kind === 'secret') return readSecret(text);
  // An empty string clears a field of any kind.
  if (text === '') return text;
  const value = valueOfText(kind, kind === 'json' && text.startsWith('@') ? readText(text.slice(1)) : text);
  if (value === undefined) throw new InvalidArgumentError(asked[kind] ?? '');
  return value;
}

/**
 * Reads a secret from a file. Secrets are never passed as arguments, because process lists show arguments.
 * @param path path of the file; `-` for stdin
 */
export function readSecret(path: string): string {
  if (path === '') throw new InvalidArgumentError('Specify the path of a file, or - for stdin.');
  // Editors and `echo` end a file with a line break, which is not part of the secret.
  const secret = readText(path).replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  throw new InvalidArgumentError(path === '-' ? 'stdin is empty.' : `The file ${path} is empty.`);
}

/**
 * Returns the content of a file, or of stdin for `-`.
 * @throws InvalidArgumentError if the file cannot be read
 */
export function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch {
    throw new InvalidArgumentError(`Could not read the file ${path}.`);
  }
}

type FieldValues<C extends 'shorten' | 'updateLink'> = { [N in InputOf<C>]?: NonNullable<ShortenInput[N]> };

/** Converts {@link fieldOptions} to API fields. Omits options that are not given. */
export function fieldsGiven<C extends 'shorten' | 'updateLink'>(call: C, options: object): FieldValues<C> {
  return givenOf(inputsOf(call), options) as FieldValues<C>;
}

/** Converts {@link draftOptions} to API fields. Omits options that are not given. */
export function draftGiven(options: object): Pick<ShortenInput, (typeof draftInputs)[number]['name']> {
  return givenOf(draftInputs, options);
}

function givenOf(
  inputs: readonly { readonly name: string; readonly option: string }[],
  options: object,
): object {
  const given = new Map<string, unknown>(Object.entries(options));
  const fields = inputs.flatMap(({ name, option }) => {
    const value = given.get(new Option(`--${option} <value>`).attributeName());
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields);
}

/** Parses an integer. The server checks its range. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Specify an integer.');
  return Number(text);
}

/**
 * Returns a parser for integers in a range. The parser throws InvalidArgumentError if the integer is invalid or out of
 * range.
 */
export function between(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Specify an integer from ${least} to ${most}.`);
  };
}

/** Checks an argument that becomes part of an API path. @throws InvalidArgumentError if it is empty, `.` or `..` */
export function pathPart(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new InvalidArgumentError('Specify a value other than "", "." and "..".');
  return text;
}
