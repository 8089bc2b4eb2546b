import { randomFillSync } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { generateKey, isScope, type Scope, scopes } from '../../model/accounts/keys.ts';
import { plans } from '../../model/accounts/plans.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import {
  addCommand,
  addGroup,
  duration,
  futureTime,
  jsonOption,
  list,
  properName,
} from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { idOf } from '../terminal/kinds.ts';
import { hasDatabase } from '../terminal/local.ts';
import { type Column, note, printJson, printLine, printList, when } from '../terminal/print.ts';
import type { RemoteOptions } from '../terminal/remote.ts';
import { addVerb } from '../terminal/resources.ts';
import { restrictionOptions } from './key-restrictions.ts';
import { addKeysCheck } from './keys-check.ts';
import {
  type CreateOptions,
  createLocalKey,
  listLocalKeys,
  nameOfToday,
  revokeLocalKey,
  rotateLocalKey,
} from './local-keys.ts';

/** A key in a list. `account` is set only if an operator lists the keys in the local database. */
interface ListedKey {
  readonly id: string;
  readonly account?: string;
  readonly name: string;
  readonly plan: string;
  readonly scopes: readonly string[];
  readonly domains?: readonly string[] | null;
  readonly folders?: readonly string[] | null;
  readonly state: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

const columns: readonly Column<ListedKey>[] = [
  { title: 'ID', of: (key) => key.id },
  { title: 'ACCOUNT', of: (key) => key.account ?? '', cut: true },
  { title: 'NAME', of: (key) => key.name, cut: true },
  { title: 'PLAN', of: (key) => key.plan },
  { title: 'SCOPES', of: (key) => key.scopes.join(','), spare: 1 },
  { title: 'RESTRICTED TO', of: restrictionsOf, spare: 3 },
  { title: 'STATE', of: (key) => key.state },
  { title: 'EXPIRES', of: (key) => when(key.expiresAt) },
  { title: 'LAST USED', of: (key) => when(key.lastUsedAt), spare: 2 },
];

function restrictionsOf({ domains, folders }: ListedKey): string {
  const hosts = domains?.map((host) => host || 'the shared domain') ?? [];
  return [...hosts, ...(folders ?? []).map((id) => `folder ${id}`)].join(',');
}

function printKeys(keys: readonly ListedKey[]): void {
  const isOfOne = keys.every(({ account }) => account === undefined);
  const shown = isOfOne ? columns.filter(({ title }) => title !== 'ACCOUNT') : columns;
  printList(keys, shown, 'No keys yet. To create one: linkfold keys create');
}

interface ShownKey extends Pick<ListedKey, 'id' | 'account' | 'plan' | 'scopes'> {
  readonly key: string;
}

/** Prints a new key. @param replaces sentence about the old key, if the new key replaces one */
function printKey({ id, account, plan, scopes: rights, key }: ShownKey, replaces = ''): void {
  const facts = [
    ...(account === undefined ? [] : [`account ${account}`]),
    `plan ${plan}`,
    rights.join(' and ') || 'no scopes',
  ];
  note(`Key ${id} (${facts.join(', ')})${replaces}. The key is shown only once:`);
  printLine(key);
}

function readScopes(text: string): Scope[] {
  const words = list(text);
  const unknown = words.find((word) => !isScope(word));
  if (words.length === 0 || unknown !== undefined)
    throw new InvalidArgumentError(`Allowed scopes: ${scopes.join(', ')}.`);
  return [...new Set(words.filter(isScope))];
}

/**
 * Returns true if a command uses the local database: if an option names an account, or if a local database exists and
 * no option names a server.
 */
function isHere({
  account,
  server,
  keyFile,
  profile,
}: RemoteOptions & { readonly account?: string }): boolean {
  return (
    account !== undefined || ([server, keyFile, profile].every((one) => one === undefined) && hasDatabase())
  );
}

const where =
  'The command works on the local database if there is one. Otherwise, and with --server, --profile or --key-file, the command calls a server and works on the key’s account.';

export function addKeys(program: Command): void {
  const keys = addGroup(program, 'keys', 'API keys: create, list, rotate, revoke, and find leaked ones');
  addList(keys);
  addCreate(keys);
  addRotate(keys);
  addRevoke(keys);
  addGenerate(keys);
  addKeysCheck(keys);
}

function addList(keys: Command): void {
  addVerb(keys, 'list', {
    about: 'List keys; the secrets are not stored',
    examples: [
      ['linkfold keys list', 'keys of all local accounts, or of the key’s account'],
      ['linkfold keys list --account acme --json', 'of one account, as the operator'],
    ],
    notes: where,
    refused: 'there is no such account',
    options: [['--account <name>', 'only keys of this account, as the operator']],
    local: (_args: [], options: CreateOptions) => (isHere(options) ? listLocalKeys(options) : undefined),
    run: ({ client }) => client.listKeys(),
    show: printKeys,
  });
}

function addCreate(keys: Command): void {
  addVerb(keys, 'create', {
    about: 'Create a key and print it, once',
    examples: [
      [
        'linkfold keys create --account acme',
        'as the operator: all scopes; creates the account if it does not exist',
      ],
      [
        'linkfold keys create --account acme --scopes links:read --expires 2027-12-31 --name dashboard',
        'can only read',
      ],
      ['linkfold keys create --account acme --plan free --json', 'for scripts'],
      [
        'linkfold keys create --account acme --domain go.example.com --name agency',
        'restricted to links on this domain',
      ],
    ],
    notes: where,
    refused: 'an account name differs only in case, or the domain or folder does not exist',
    options: [
      ['--account <name>', 'account of the key, as the operator', properName],
      new Option('--plan <tier>', 'plan of the key (default: enterprise, or your key’s plan)').choices(plans),
      ['--scopes <list>', `scopes, separated by commas (default: all): ${scopes.join(',')}`, readScopes],
      ['--name <name>', 'name of the key (default: the date)', properName],
      [
        '--expires <time>',
        'when it expires, ISO 8601 (default: never, or when your key expires)',
        futureTime,
      ],
      ...restrictionOptions(),
    ],
    local: (_args: [], options: CreateOptions) => {
      const { account } = options;
      if (account !== undefined) return createLocalKey({ ...options, account });
      if (isHere(options))
        throw new Stop(exits.usage, 'Specify --account NAME, or choose a server with --server or --profile.');
      return undefined;
    },
    run: async (connection, _args, { name, plan, scopes: given, expires, domain, folder }) =>
      connection.client.createKey({
        name: name ?? nameOfToday(),
        plan,
        scopes: given && [...given],
        expiresAt: expires === undefined ? undefined : formatTimestamp(expires),
        domains: domain && [...domain],
        folders: folder && (await Promise.all(folder.map((text) => idOf(connection, 'folder', text)))),
      }),
    show: (key: ShownKey) => printKey(key),
  });
}

function addRotate(keys: Command): void {
  addVerb(keys, 'rotate', {
    about: 'Replace a key with a new one that has the same scopes; the old key works for a grace period',
    examples: [
      ['linkfold keys rotate 4fT9qLz2 --grace 24h', 'the old key works for one more day'],
      ['linkfold keys rotate 4fT9qLz2 --grace 0', 'the old key stops working immediately'],
    ],
    notes: where,
    refused: 'the key does not exist, is revoked, has expired, or was already rotated',
    args: [['<id>', 'ID of the key']],
    options: [
      new Option('--grace <duration>', 'how long the old key keeps working')
        .argParser(duration)
        .default(86_400_000, '24h'),
    ],
    local: ([id]: [string], options: RemoteOptions & { readonly grace: number }) =>
      isHere(options) ? rotateLocalKey(id, options) : undefined,
    run: ({ client }, [id], { grace }) => client.rotateKey(id, { graceSeconds: grace / 1_000 }),
    show: (key: ShownKey & { readonly oldExpiresAt: string }, [id]) =>
      printKey(key, `, replaces ${id}, which works until ${when(key.oldExpiresAt)}`),
  });
}

function addRevoke(keys: Command): void {
  addVerb(keys, 'revoke', {
    about: 'Revoke a key immediately and permanently',
    examples: [
      ['linkfold keys revoke 4fT9qLz2', 'the ID is the 8 characters after lfk_, as `keys list` shows it'],
    ],
    notes: where,
    refused: 'the key does not exist, or is already revoked',
    args: [['<id>', 'ID of the key']],
    local: ([id]: [string], options: RemoteOptions) =>
      isHere(options) ? revokeLocalKey(id, options) : undefined,
    run: async ({ client }, [id]) => {
      await client.revokeKey(id);
      return { id };
    },
    show: ({ id }: { readonly id: string }) => printLine(`Revoked key ${id}.`),
  });
}

function addGenerate(keys: Command): void {
  addCommand(keys, 'generate', 'Generate a key for BOOTSTRAP_API_KEY; nothing is stored', {
    examples: [['linkfold keys generate > first-key', 'then start with BOOTSTRAP_API_KEY_FILE=first-key']],
    refused: 'never',
  })
    .option(...jsonOption)
    .action(({ json }: { readonly json?: true }) => {
      const { id, token } = generateKey((size) => randomFillSync(new Uint8Array(size)));
      if (json) printJson({ id, key: token });
      else printLine(token);
    });
}
