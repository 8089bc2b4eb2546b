import { type Argument, Command, CommanderError, type Option } from 'commander';
import { version } from '../runtime/version.ts';
import { normalizeWords } from './grammar.ts';
import { unknownCommand } from './suggestions.ts';
import { isFinder } from './terminal/command.ts';
import { exits, Stop } from './terminal/exits.ts';
import { hasColours, paint } from './terminal/print.ts';

const afterAll = `
Exit codes:
  0    success
  1    the operation failed, or the command found a problem
  2    usage or settings error; plan and drift: there are differences (usage errors are 1 there)
  3    the server or the database cannot be reached
  130  interrupted

Most commands call a server over HTTP. They find the server by --server or LINKFOLD_URL, a profile (linkfold login
URL), or the data directory of a server on this machine. The key is in LINKFOLD_API_KEY or in the profile.
serve, accounts, operators, sessions, codes, certificates, block-lists and db work on the local installation, as
configured (linkfold config).

Start here:
  linkfold serve
  linkfold shorten https://example.com
  linkfold help COMMAND`;

type Add = (program: Command) => void;

/**
 * Functions that add the commands, grouped by their headings in the help. Each run loads only the code of the command
 * that it executes.
 */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<Add>>>>> = {
  'Links:': {
    shorten: async () => (await import('./links/shorten.ts')).addShorten,
    links: async () => (await import('./links/links.ts')).addLinks,
    folders: async () => (await import('./links/folders.ts')).addFolders,
    tags: async () => (await import('./links/tags.ts')).addTags,
    'utm-templates': async () => (await import('./links/utm-templates.ts')).addUtmTemplates,
    domains: async () => (await import('./accounts/domains.ts')).addDomains,
    qr: async () => (await import('./links/qr.ts')).addQr,
  },
  'Statistics:': {
    stats: async () => (await import('./statistics/stats.ts')).addStats,
    clicks: async () => (await import('./statistics/clicks.ts')).addClicks,
    events: async () => (await import('./statistics/events.ts')).addEvents,
    shares: async () => (await import('./statistics/shares.ts')).addAllShares,
  },
  'Links as code, and import:': {
    plan: async () => (await import('./manifests/plan.ts')).addPlan,
    apply: async () => (await import('./manifests/plan.ts')).addApply,
    drift: async () => (await import('./manifests/drift.ts')).addDrift,
    export: async () => (await import('./manifests/export.ts')).addExport,
    import: async () => (await import('./imports/import.ts')).addImport,
  },
  'Account:': {
    login: async () => (await import('./accounts/login.ts')).addLogin,
    logout: async () => (await import('./accounts/logout.ts')).addLogout,
    status: async () => (await import('./operations/status.ts')).addStatus,
    whoami: async () => (await import('./accounts/whoami.ts')).addWhoami,
    profiles: async () => (await import('./accounts/profiles.ts')).addProfiles,
    account: async () => (await import('./accounts/account.ts')).addAccount,
    branding: async () => (await import('./accounts/branding.ts')).addBranding,
    members: async () => (await import('./accounts/members.ts')).addMembers,
    invitations: async () => (await import('./accounts/invitations.ts')).addInvitations,
    keys: async () => (await import('./accounts/keys.ts')).addKeys,
    webhooks: async () => (await import('./accounts/webhooks.ts')).addWebhooks,
    audit: async () => (await import('./accounts/audit.ts')).addAudit,
  },
  'Server:': {
    serve: async () => (await import('./operations/serve.ts')).addServe,
    ready: async () => (await import('./operations/ready.ts')).addReady,
    config: async () => (await import('./operations/config.ts')).addConfig,
    db: async () => (await import('./operations/db.ts')).addDb,
    accounts: async () => (await import('./accounts/accounts.ts')).addAccounts,
    operators: async () => (await import('./accounts/operators.ts')).addOperators,
    sessions: async () => (await import('./accounts/sessions.ts')).addSessions,
    codes: async () => (await import('./operations/codes.ts')).addCodes,
    certificates: async () => (await import('./operations/certificates.ts')).addCertificates,
    'block-lists': async () => (await import('./operations/block-lists.ts')).addBlockLists,
    openapi: async () => (await import('./operations/openapi.ts')).addOpenApi,
  },
  'This program:': {
    upgrade: async () => (await import('./operations/upgrade.ts')).addUpgrade,
    completion: async () => (await import('./completion/completion.ts')).addCompletion,
    help: async () => (await import('./help.ts')).addHelp,
  },
};
const all = Object.values(groups).flatMap(Object.keys);

/** Replaces synonyms and former names in a command line with the canonical command names. */
export function normalizeArguments(args: readonly string[]): readonly string[] {
  return normalizeWords(args, all);
}

/** Creates the commander program. @param options `names`: commands to add; all commands by default */
export async function createProgram({
  json = false,
  names = all,
}: {
  readonly json?: boolean;
  readonly names?: readonly string[];
} = {}): Promise<Command> {
  const program = new Command('linkfold')
    .description('Self-hosted link shortener that never loses a link or a click when a process crashes.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      getOutHasColors: () => hasColours(process.stdout),
      getErrHasColors: () => hasColours(process.stderr),
      // commander prints nothing itself, because `run` prints usage errors like all other errors.
      outputError: () => {},
      writeErr: (text) => void (json || process.stderr.write(text)),
    })
    .configureHelp({
      styleTitle: (title) => paint('bold', title),
      sortOptions: false,
      // Help lists commands without their aliases.
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
      commandUsage: (command) => `${pathOf(command)} ${command.usage()}`,
    })
    .addHelpText('after', afterAll);
  for (const [heading, commands] of Object.entries(groups))
    for (const name of names) {
      const add = await commands[name]?.();
      if (add === undefined) continue;
      add(program);
      program.commands.at(-1)?.helpGroup(heading);
    }
  putConnectionLast(program);
  return program;
}

/** Moves options with their own help heading after all other options. */
function putConnectionLast({ commands, options }: Command): void {
  const isOwn = ({ helpGroupHeading }: Option): number => (helpGroupHeading === undefined ? 0 : 1);
  (options as Option[]).sort((a, b) => isOwn(a) - isOwn(b));
  for (const command of commands) putConnectionLast(command);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

/**
 * Runs a normalized command line (see {@link normalizeArguments}).
 * @returns the exit code
 * @throws the error that ended the command
 */
export async function perform(args: readonly string[], options: { readonly json: boolean }): Promise<number> {
  // Help, completion, global options and unknown command names need all commands.
  const needsAll = args[0] === 'help' || (args[0] === 'completion' && !args.includes('--values'));
  const names = all.filter((name) => name === args[0] && !needsAll);
  const program = await createProgram({ ...options, ...(names.length > 0 && { names }) });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exits.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exits.done;
    // The user named a group without a command, and commander has printed the group's help.
    if (error.code === 'commander.help')
      throw new Stop(exits.usage, options.json ? 'A command is required. See linkfold help.' : '');
    const unknown = error.code === 'commander.unknownCommand' ? unknownCommand(program, args) : undefined;
    throw new Stop(exits.usage, unknown ?? error.message.replace(/^error: /, '').replaceAll('\n', ' '));
  }
}

/** Returns true if the command uses exit code 2 to report a finding. */
export async function findsSomething(name: string | undefined): Promise<boolean> {
  const program = await createProgram({ names: all.filter((one) => one === name) });
  return program.commands.some(isFinder);
}
