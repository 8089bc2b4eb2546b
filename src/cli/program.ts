import { Command, CommanderError } from 'commander';
import { version } from '../runtime/version.ts';
import { isFinder } from './terminal/command.ts';
import { exits, Stop } from './terminal/exits.ts';
import { hasColours, paint } from './terminal/print.ts';

const afterAll = `
Exit codes:
  0    done
  1    the operation was refused, or something was found
  2    usage or settings error; of plan and drift: there is something (wrong usage is 1 there)
  3    the server or the database cannot be reached
  130  interrupted

serve, ready, keys, accounts, login without a server, sessions, codes, certificates, block-lists and db work on the installation that the settings name (linkfold config).
import read talks to the service that links are moved from.
import check, plan, apply, drift, export, links, folders, tags, utm-templates, domains, people, invitations, account, branding, qr, stats, clicks, events, audit, webhooks and me talk to a server: LINKFOLD_URL, and LINKFOLD_API_KEY or LINKFOLD_API_KEY_FILE; or a profile (linkfold profiles add).

Start here:
  linkfold serve
  linkfold help COMMAND`;

/** What adds each command, in the order of the help. A run loads only the code of its command. */
const commands = {
  serve: async () => (await import('./operations/serve.ts')).addServe,
  ready: async () => (await import('./operations/ready.ts')).addReady,
  keys: async () => (await import('./accounts/keys.ts')).addKeys,
  accounts: async () => (await import('./accounts/accounts.ts')).addAccounts,
  operators: async () => (await import('./accounts/operators.ts')).addOperators,
  login: async () => (await import('./accounts/login.ts')).addLogin,
  logout: async () => (await import('./accounts/logout.ts')).addLogout,
  sessions: async () => (await import('./accounts/sessions.ts')).addSessions,
  codes: async () => (await import('./operations/codes.ts')).addCodes,
  certificates: async () => (await import('./operations/certificates.ts')).addCertificates,
  'block-lists': async () => (await import('./operations/block-lists.ts')).addBlockLists,
  links: async () => (await import('./links/links.ts')).addLinks,
  plan: async () => (await import('./manifests/plan.ts')).addPlan,
  apply: async () => (await import('./manifests/plan.ts')).addApply,
  drift: async () => (await import('./manifests/drift.ts')).addDrift,
  export: async () => (await import('./manifests/export.ts')).addExport,
  import: async () => (await import('./moving/import.ts')).addImport,
  folders: async () => (await import('./links/folders.ts')).addFolders,
  tags: async () => (await import('./links/tags.ts')).addTags,
  'utm-templates': async () => (await import('./links/utm-templates.ts')).addUtmTemplates,
  domains: async () => (await import('./accounts/domains.ts')).addDomains,
  people: async () => (await import('./accounts/people.ts')).addPeople,
  invitations: async () => (await import('./accounts/invitations.ts')).addInvitations,
  account: async () => (await import('./accounts/account.ts')).addAccount,
  branding: async () => (await import('./accounts/branding.ts')).addBranding,
  qr: async () => (await import('./links/qr.ts')).addQr,
  stats: async () => (await import('./statistics/stats.ts')).addStats,
  clicks: async () => (await import('./statistics/clicks.ts')).addClicks,
  events: async () => (await import('./statistics/events.ts')).addEvents,
  audit: async () => (await import('./accounts/audit.ts')).addAudit,
  webhooks: async () => (await import('./accounts/webhooks.ts')).addWebhooks,
  me: async () => (await import('./accounts/me.ts')).addMe,
  profiles: async () => (await import('./accounts/profiles.ts')).addProfiles,
  db: async () => (await import('./operations/db.ts')).addDb,
  upgrade: async () => (await import('./operations/upgrade.ts')).addUpgrade,
  openapi: async () => (await import('./operations/openapi.ts')).addOpenApi,
  config: async () => (await import('./operations/config.ts')).addConfig,
  completion: async () => (await import('./completion/completion.ts')).addCompletion,
  help: async () => (await import('./help.ts')).addHelp,
};
type Name = keyof typeof commands;
const all = Object.keys(commands) as Name[];

/** The command line, as commander knows it. @param options `names`: only these commands, when it is not the whole */
export async function createProgram({
  json = false,
  names = all,
}: {
  readonly json?: boolean;
  readonly names?: readonly Name[];
} = {}): Promise<Command> {
  const program = new Command('linkfold')
    .description('Short links that are never lost, clicks that are never lost, and one command to run it.')
    .version(version, '-V, --version', 'print the version of this program')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      getOutHasColors: () => hasColours(process.stdout),
      getErrHasColors: () => hasColours(process.stderr),
      // Printed at the end, like every other failure.
      outputError: () => {},
      writeErr: (text) => void (json || process.stderr.write(text)),
    })
    .configureHelp({ styleTitle: (title) => paint('bold', title), sortOptions: false })
    .addHelpText('after', afterAll);
  for (const add of await Promise.all(names.map((name) => commands[name]()))) add(program);
  return program;
}

/** Performs one command line. @returns the exit code @throws the error that ended the command */
export async function perform(args: readonly string[], options: { readonly json: boolean }): Promise<number> {
  try {
    // Options before a command, help, completion and a name that is none need to know them all.
    const names = all.filter((name) => name === args[0] && name !== 'help' && name !== 'completion');
    const program = await createProgram({ ...options, ...(names.length > 0 && { names }) });
    await program.parseAsync(args, { from: 'user' });
    return exits.done;
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error, options.json);
    throw error;
  }
}

/** Whether a command is one that ends with 2 when it has found something. */
export async function findsSomething(name: string | undefined): Promise<boolean> {
  const program = await createProgram({ names: all.filter((one) => one === name) });
  return program.commands.some(isFinder);
}

/** @throws Stop when the command line cannot be understood */
function endOfParsing(error: CommanderError, json: boolean): number {
  if (error.exitCode === 0) return exits.done;
  // A group without a command: its help was printed.
  if (error.code === 'commander.help')
    throw new Stop(exits.usage, json ? 'Name a command; see linkfold help.' : '');
  throw new Stop(exits.usage, error.message.replace(/^error: /, '').replaceAll('\n', ' '));
}
