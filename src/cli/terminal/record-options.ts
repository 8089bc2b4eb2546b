import { Option } from 'commander';
import {
  type Call,
  type InputsOf,
  inputsOf,
  type Mutable,
  type RecordFields,
} from '../../model/record-fields.ts';
import { listOption, properName } from './command.ts';
import { idOf } from './kinds.ts';
import { between } from './options.ts';
import type { ServerConnection } from './references.ts';

/** Creates the options for a command that creates or updates a record, from the record's description. */
export function recordOptions(fields: RecordFields, call: Call): Option[] {
  return inputsOf(fields, call).flatMap((field) => {
    const { kind, choices = [], input } = field;
    const {
      option,
      help = '',
      value = 'text',
      min = 0,
      max = Number.MAX_SAFE_INTEGER,
      optionDefault,
    } = input;
    if (option === undefined) return [];
    if (kind === 'choices' || kind === 'texts') {
      const listed = listOption(`--${option} <list>`, help);
      return [call === 'create' && optionDefault ? listed.default([...optionDefault]) : listed];
    }
    const made = new Option(`--${option} <${value}>`, help);
    if (kind === 'choice') return [made.choices(choices)];
    if (kind === 'count') return [made.argParser(between(min, max))];
    return [kind === 'name' && min > 0 ? made.argParser(properName) : made];
  });
}

/**
 * Converts {@link recordOptions} to API fields. Omits options that are not given, and converts an empty list to null.
 */
export async function recordGiven<F extends RecordFields, C extends Call>(
  connection: ServerConnection,
  fields: F,
  call: C,
  options: object,
): Promise<Partial<Mutable<InputsOf<F, C>>>> {
  const given = new Map(Object.entries(options));
  const values = await Promise.all(
    inputsOf(fields, call).map(async ({ name, kind, input: { option, refersTo } }) => {
      const value: unknown = option && given.get(attributeName(option));
      if (value === undefined) return [];
      if (kind !== 'texts') return [[name, value]];
      const list = value as readonly string[];
      const all = refersTo ? list.map((one) => idOf(connection, refersTo, one)) : list;
      return [[name, list.length === 0 ? null : await Promise.all(all)]];
    }),
  );
  return Object.fromEntries(values.flat()) as Partial<Mutable<InputsOf<F, C>>>;
}

function attributeName(option: string): string {
  return new Option(`--${option}`).attributeName();
}
