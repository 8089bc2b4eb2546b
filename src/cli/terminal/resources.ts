import { type Command, Option } from 'commander';
import type { Tools } from '../../app/operator.ts';
import type { Client } from '../../client/client.ts';
import type { Config } from '../../config.ts';
import { addCommand, addGroup, type Help, jsonOption } from './command.ts';
import { exits, Stop } from './exits.ts';
import { find, idOf, type KindName, kindOf, type RowOf } from './kinds.ts';
import { withTools } from './local.ts';
import { type Column, clean, note, printJson, printRecord, printTable } from './print.ts';
import type { ServerConnection } from './references.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from './remote.ts';

// biome-ignore lint/suspicious/noExplicitAny: readers of commander return values of any type
type Reader = (text: string, before?: any) => any;
type Described = readonly [usage: string, about: string, read?: Reader];

/** A command: its help, its action, and how it prints the result. */
interface Verb<Context, Args extends readonly unknown[], Options, Result> extends Omit<Help, 'reaches'> {
  readonly about: string;
  readonly args?: readonly Described[];
  readonly options?: readonly (Described | Option)[];
  readonly run: (context: Context, args: Args, options: Options) => Result | Promise<Result>;
  /** Prints the result for people. */
  readonly show: (result: Result, args: Args, options: Options) => void;
  /** Output of `--json`; the result by default. */
  readonly json?: (result: Result, args: Args) => unknown;
}

/** A command that talks to a server. */
export interface ServerVerb<Args extends readonly unknown[], Options, Result>
  extends Verb<ServerConnection, Args, Options, Result> {
  /** Runs the command on the local database, if the options request that; otherwise returns undefined. */
  readonly local?: (args: Args, options: Options) => Promise<void> | undefined;
}

/** The local database and its settings. */
export type LocalContext = Tools & { readonly config: Config };

/** Adds a command that talks to a server. `update` without any of its own options is a usage error. */
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
    const done = local?.(args, options);
    if (done !== undefined) return done;
    const connection = await connectToServer(options as RemoteOptions);
    print(verb, await verb.run(connection, args, options), args, options);
  });
}

/** Adds a command that works on the local database. */
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

/** @returns the options of the command itself */
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

/** Commander calls an action with the arguments, the options and the command. */
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

/** @throws Stop if none of the options is given */
function requireChange(command: Command, options: readonly Option[]): void {
  if (options.some((option) => command.getOptionValueSource(option.attributeName()) === 'cli')) return;
  const names = options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? [])));
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
  throw new Stop(exits.usage, `Nothing to change: give ${list}.`);
}

/** The texts and functions for a kind of record. */
export interface Resource<Row> {
  readonly about: string;
  readonly columns: (rows: readonly Row[]) => readonly Column<Row>[];
  /** Printed instead of an empty table. */
  readonly none: string;
  readonly list: Help & { readonly about: string };
  readonly get: Help & {
    readonly about: string;
    /** Reads the complete record, if the list contains less. */
    readonly read?: (client: Client, id: string) => Promise<Row>;
    readonly show?: (row: Row) => void;
  };
  readonly delete?: Help & {
    readonly about: string;
    readonly run: (client: Client, id: string) => Promise<unknown>;
    /** An additional sentence for people. */
    readonly done?: (id: string) => string;
  };
}

/**
 * Adds the command group of a kind of record: `list`, `get` and `delete`, with the other commands in between.
 * @param addOthers adds `create`, `update` and further commands
 */
export function addResource<K extends KindName>(
  program: Command,
  of: K,
  { about, columns, none, list, get, delete: removal }: Resource<RowOf<K>>,
  addOthers: (group: Command) => void,
): void {
  const { group: name, one, all, about: meaning } = kindOf(of);
  const group = addGroup(program, name, about);
  const args = [[`<${of}>`, meaning]] as const;
  addVerb(group, 'list', {
    ...list,
    run: ({ client }) => all(client),
    show: (rows) => (rows.length === 0 ? note(none) : printTable(rows, columns(rows))),
  });
  const { read, show = printRecord, ...getHelp } = get;
  addVerb(group, 'get', {
    ...getHelp,
    args,
    run: async (connection, [text]: [string]) => {
      const row = await find(connection, of, text);
      return read === undefined ? row : read(connection.client, row.id);
    },
    show,
  });
  addOthers(group);
  if (removal === undefined) return;
  const { run, done, ...deleteHelp } = removal;
  addVerb(group, 'delete', {
    ...deleteHelp,
    args,
    run: async (connection, [text]: [string]) => {
      const id = await idOf(connection, of, text);
      await run(connection.client, id);
      return { deleted: [id] };
    },
    show: ({ deleted: [id = ''] }, [text]) =>
      note(`Deleted ${one} ${clean(text)}.${done === undefined ? '' : ` ${done(id)}`}`),
  });
}
