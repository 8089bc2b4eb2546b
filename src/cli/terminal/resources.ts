import { type Command, Option } from 'commander';
import type { Tools } from '../../app/operator.ts';
import type { Client } from '../../client/client.ts';
import type { Config } from '../../config.ts';
import { addCommand, addGroup, type Help, jsonOption } from './command.ts';
import { exits, Stop } from './exits.ts';
import { aboutKind, find, idOf, type KindName, kindOf, type RowOf } from './kinds.ts';
import { withTools } from './local.ts';
import { type Column, clean, note, printJson, printList, printRecord } from './print.ts';
import type { ServerConnection } from './references.ts';
import { addServerCommand, connectToServer } from './remote.ts';

// biome-ignore lint/suspicious/noExplicitAny: argument parsers for commander return values of any type
type Reader = (text: string, before?: any) => any;
type Described = readonly [usage: string, about: string, read?: Reader];

/** A command: its help, its action, and the function that prints its result. */
interface Verb<Context, Args extends readonly unknown[], Options, Result> extends Omit<Help, 'reaches'> {
  readonly about: string;
  readonly args?: readonly Described[];
  readonly options?: readonly (Described | Option)[];
  readonly run: (context: Context, args: Args, options: Options) => Result | Promise<Result>;
  /** Prints the result as readable text. */
  readonly show: (result: Result, args: Args, options: Options) => void;
  /** Returns the output for `--json`. By default, the output is the result itself. */
  readonly json?: (result: Result, args: Args) => unknown;
}

/** A command that sends requests to a server. */
export interface ServerVerb<Args extends readonly unknown[], Options, Result>
  extends Verb<ServerConnection, Args, Options, Result> {
  /** Runs the command on the local database if the options request it. Returns undefined otherwise. */
  readonly local?: (args: Args, options: Options) => Promise<Result> | undefined;
}

/** The local database and its settings. */
export type LocalContext = Tools & { readonly config: Config };

/**
 * Adds a command that sends requests to a server. Running an `update` command without any of its own options is a usage
 * error.
 */
export function addVerb<Args extends readonly unknown[], Options extends object, Result>(
  group: Command,
  name: string,
  { local, ...verb }: ServerVerb<Args, Options, Result>,
): void {
  const command = addServerCommand(group, name, verb.about, verb);
  const own = addParts(command, verb);
  command.action(async (...given: unknown[]) => {
    const { args, options } = partsOf<Args, Options>(given);
    if (name === 'update') requireChange(command, own);
    const result = local?.(args, options) ?? verb.run(await connectToServer(options), args, options);
    print(verb, await result, args, options);
  });
}

/** A command for one record, which the first argument names. */
interface RecordVerb<More extends readonly unknown[], Options, Result>
  extends Omit<ServerVerb<readonly [string, ...More], Options, Result>, 'run' | 'local'> {
  /** Arguments after the first. */
  readonly args?: readonly Described[];
  readonly run: (
    connection: ServerConnection,
    id: string,
    options: Options,
    ...more: More
  ) => Result | Promise<Result>;
}

/** Adds a command for one record. */
export function addRecordVerb<More extends readonly unknown[], Options extends object, Result>(
  group: Command,
  kind: KindName | 'link',
  name: string,
  { args = [], run, ...verb }: RecordVerb<More, Options, Result>,
): void {
  addVerb<readonly [string, ...More], Options, Result>(group, name, {
    ...verb,
    args: [[`<${kind}>`, aboutKind(kind)], ...args],
    run: async (connection, [text, ...more], options) =>
      run(connection, await idOf(connection, kind, text), options, ...more),
  });
}

/** Adds a command that uses the local database. */
export function addLocalVerb<Args extends readonly unknown[], Options extends object, Result>(
  group: Command,
  name: string,
  verb: Verb<LocalContext, Args, Options, Result>,
): void {
  const command = addCommand(group, name, verb.about, { ...verb, reaches: 'database' });
  addParts(command, verb);
  command.option(...jsonOption).action((...given: unknown[]) => {
    const { args, options } = partsOf<Args, Options>(given);
    return withTools(options as { json?: true }, async (tools, config) =>
      print(verb, await verb.run({ ...tools, config }, args, options), args, options),
    );
  });
}

/** Adds arguments and options to a command. @returns the command's own options */
function addParts(
  command: Command,
  { args = [], options = [] }: Pick<Verb<never, never, never, never>, 'args' | 'options'>,
): readonly Option[] {
  for (const [usage, meaning, read] of args) command.argument(usage, meaning, read as Reader);
  const own = options.map((option) => (option instanceof Option ? option : optionFrom(option)));
  for (const option of own) command.addOption(option);
  return own;
}

function optionFrom([flags, about, read]: Described): Option {
  const option = new Option(flags, about);
  return read === undefined ? option : option.argParser(read);
}

/** Returns the arguments and the options from the values that commander passes to an action. */
function partsOf<Args, Options>(given: readonly unknown[]): { args: Args; options: Options } {
  return { args: given.slice(0, -2) as unknown as Args, options: given.at(-2) as Options };
}

function print<Args extends readonly unknown[], Options, Result>(
  { json, show }: Pick<Verb<never, Args, Options, Result>, 'json' | 'show'>,
  result: Result,
  args: Args,
  options: Options & { readonly json?: true },
): void {
  if (options.json) printJson(json === undefined ? result : json(result, args));
  else show(result, args, options);
}

/**
 * Checks that at least one of the command's options is given.
 * @throws Stop if none is given
 */
export function requireChange(command: Command, options: readonly Option[]): void {
  if (options.some((option) => command.getOptionValueSource(option.attributeName()) === 'cli')) return;
  const names = options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? [])));
  const list = new Intl.ListFormat('en-GB').format(names);
  throw new Stop(exits.usage, `Nothing to change. Specify at least one of ${list}.`);
}

/** Descriptions and functions for a kind of record. */
export interface Resource<Row> {
  readonly about: string;
  readonly columns: (rows: readonly Row[]) => readonly Column<Row>[];
  /** Message that is printed instead of an empty table. */
  readonly none: string;
  readonly list: Help & { readonly about: string };
  readonly get?: Help & {
    readonly about: string;
    /** Reads the complete record, if the list omits some fields. */
    readonly read?: (client: Client, id: string) => Promise<Row>;
    readonly show?: (row: Row) => void;
  };
  readonly delete?: Help & {
    readonly about: string;
    readonly run: (client: Client, id: string) => Promise<unknown>;
    /** Returns a sentence to print after the deletion. */
    readonly done?: (id: string) => string;
  };
}

/**
 * Adds the command group for a kind of record: `list` and `get` first, then all other commands, and `delete` last.
 * @param addOthers adds `create`, `update` and other commands
 */
export function addResource<K extends KindName>(
  program: Command,
  of: K,
  { about, columns, none, list, get, delete: removal }: Resource<RowOf<K>>,
  addOthers: (group: Command) => void,
): void {
  const { group: name, one, all } = kindOf(of);
  const group = addGroup(program, name, about);
  addVerb(group, 'list', {
    ...list,
    run: ({ client }) => all(client),
    show: (rows) => printList(rows, columns(rows), none),
  });
  if (get !== undefined) {
    const { read, show = printRecord, ...help } = get;
    addVerb(group, 'get', {
      ...help,
      args: [[`<${of}>`, aboutKind(of)]],
      run: async (connection, [text]: [string]) => {
        const row = await find(connection, of, text);
        return read === undefined ? row : read(connection.client, row.id);
      },
      show,
    });
  }
  addOthers(group);
  if (removal === undefined) return;
  const { run, done, ...deleteHelp } = removal;
  addRecordVerb(group, of, 'delete', {
    ...deleteHelp,
    run: async ({ client }, id) => {
      await run(client, id);
      return { deleted: [id] };
    },
    show: ({ deleted: [id = ''] }, [text]) =>
      note(`Deleted ${one} ${clean(text)}.${done === undefined ? '' : ` ${done(id)}`}`),
  });
}
