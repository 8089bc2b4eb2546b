import { randomFillSync } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ApiKey } from '../../model/accounts/keys.ts';
import { createKey, drawKey, isScope, rotateKey, type Scope, scopes } from '../../model/accounts/keys.ts';
import { type Plan, plans } from '../../model/accounts/plans.ts';
import { boundScopes } from '../../model/accounts/reach.ts';
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
import { withTools } from '../terminal/local.ts';
import { type Column, note, say, sayJson, sayTable, when } from '../terminal/print.ts';
import { hasAccount, noSuchAccount } from './account-names.ts';
import { type BoundsOptions, boundsIn, boundsOptions } from './bounds.ts';
import { addKeysCheck, stateOf } from './keys-check.ts';

interface JsonOption {
  readonly json?: true;
}

interface CreateOptions extends JsonOption, BoundsOptions {
  readonly account: string;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
  readonly name?: string;
  readonly expires?: number;
}

function timeOf(at: number | null): string | null {
  return at === null ? null : formatTimestamp(at);
}

/** A key as JSON, in this order; `key` is the only place where the whole key is ever shown. */
function shown(key: ApiKey, token?: string) {
  return {
    id: key.id,
    ...(token !== undefined && { key: token }),
    account: key.account,
    plan: key.plan,
    scopes: key.scopes,
    name: key.name,
    ...(key.reach !== undefined && { domains: key.reach.hosts ?? null, folders: key.reach.folders ?? null }),
    expiresAt: timeOf(key.expiresAt),
  };
}

function describe(key: ApiKey): string {
  return `${key.id} (account ${key.account}, plan ${key.plan}, ${key.scopes.join(' and ') || 'no scopes'})`;
}

function readScopes(text: string): Scope[] {
  const words = list(text);
  const stranger = words.find((word) => !isScope(word));
  if (words.length === 0 || stranger !== undefined)
    throw new InvalidArgumentError(`Allowed are ${scopes.join(', ')}.`);
  return [...new Set(words.filter(isScope))];
}

export function addKeys(program: Command): void {
  const keys = addGroup(program, 'keys', 'API keys: make, list, revoke and rotate them, find leaked ones');
  addCreate(keys);
  addGenerate(keys);
  addList(keys);
  addRevoke(keys);
  addRotate(keys);
  addKeysCheck(keys);
}

function addCreate(keys: Command): void {
  const [domainOption, folderOption] = boundsOptions();
  addCommand(keys, 'create', 'Make a key, and the account when it is new; the key is shown only this once', {
    examples: [
      ['linkfold keys create --account acme', 'everything allowed; the key alone goes to stdout'],
      [
        'linkfold keys create --account acme --scopes links:read --expires 2027-12-31 --name dashboard',
        'reads only',
      ],
      ['linkfold keys create --account acme --plan free --json', 'for a program'],
      [
        'linkfold keys create --account acme --domain go.example.com --name agency',
        'sees and changes links on this domain alone',
      ],
    ],
    refused: 'an account has this name in another case, or no such domain or folder',
    reaches: 'database',
  })
    .requiredOption('--account <name>', 'account that owns what the key makes', properName)
    .addOption(new Option('--plan <tier>', 'plan tier of the key').choices(plans).default('enterprise'))
    .addOption(
      new Option('--scopes <list>', `scopes, separated by commas`)
        .argParser(readScopes)
        .default([...scopes], scopes.join(',')),
    )
    .option('--name <name>', 'what the key is for (default: the day)', properName)
    .option('--expires <time>', 'ISO 8601 time after which it stops', futureTime)
    .addOption(domainOption)
    .addOption(folderOption)
    .option(...jsonOption)
    .action((options: CreateOptions) =>
      withTools(options, async ({ storage, now, randomBytes }, config) => {
        const { account, plan, json } = options;
        const bounds = boundsIn(config, options);
        const name = options.name ?? `key of ${formatTimestamp(now()).slice(0, 10)}`;
        const all = options.scopes;
        const of: readonly Scope[] = boundScopes;
        const given = bounds === undefined ? all : all.filter((scope) => of.includes(scope));
        const request = { account, plan, scopes: given, name, expiresAt: options.expires ?? null, bounds };
        const { token, key } = await createKey(storage, request, now(), randomBytes);
        if (json) return sayJson(shown(key, token));
        note(`Key ${describe(key)}. It is shown only this once:`);
        say(token);
      }),
    );
}

function addGenerate(keys: Command): void {
  addCommand(keys, 'generate', 'Draw a key for BOOTSTRAP_API_KEY; nothing is stored', {
    examples: [['linkfold keys generate > first-key', 'then serve with BOOTSTRAP_API_KEY_FILE=first-key']],
    refused: 'never',
  })
    .option(...jsonOption)
    .action(({ json }: JsonOption) => {
      const { id, token } = drawKey((size) => randomFillSync(new Uint8Array(size)));
      if (json) sayJson({ id, key: token });
      else say(token);
    });
}

function boundTo({ reach }: ApiKey): string {
  if (reach === undefined) return '';
  const hosts = reach.hosts?.map((host) => host || 'the shared domain') ?? [];
  return [...hosts, ...(reach.folders ?? []).map((id) => `folder ${id}`)].join(',');
}

const columns: readonly Column<ApiKey & { readonly state: string }>[] = [
  { title: 'ID', of: (key) => key.id },
  { title: 'ACCOUNT', of: (key) => key.account, cut: true },
  { title: 'NAME', of: (key) => key.name, cut: true },
  { title: 'PLAN', of: (key) => key.plan },
  { title: 'SCOPES', of: (key) => key.scopes.join(','), spare: 1 },
  { title: 'BOUND TO', of: boundTo, spare: 3 },
  { title: 'STATE', of: (key) => key.state },
  { title: 'EXPIRES', of: (key) => when(key.expiresAt) },
  { title: 'LAST USED', of: (key) => when(key.lastUsedAt), spare: 2 },
];

function addList(keys: Command): void {
  addCommand(keys, 'list', 'List keys; the keys themselves are not stored and cannot be shown', {
    examples: [
      ['linkfold keys list', 'of every account'],
      ['linkfold keys list --account acme --json', 'of one, for a program'],
    ],
    refused: 'there is no such account',
    reaches: 'database',
  })
    .option('--account <name>', 'only keys of this account')
    .option(...jsonOption)
    .action(({ account, json }: JsonOption & { account?: string }) =>
      withTools({ json }, async ({ storage, now }) => {
        const rows = (await storage.keys(account)).map((key) => ({ ...key, state: stateOf(key, now()) }));
        if (account !== undefined && rows.length === 0 && !(await hasAccount(storage, account)))
          throw await noSuchAccount(storage, account);
        if (json) {
          const times = (key: ApiKey) => ({
            createdAt: timeOf(key.createdAt),
            revokedAt: timeOf(key.revokedAt),
            lastUsedAt: timeOf(key.lastUsedAt),
          });
          sayJson(rows.map((key) => ({ ...shown(key), state: key.state, ...times(key) })));
        } else if (rows.length === 0)
          note('There are no keys. Make one with: linkfold keys create --account NAME');
        else sayTable(rows, columns);
      }),
    );
}

function addRevoke(keys: Command): void {
  addCommand(keys, 'revoke', 'Stop a key for good, at once', {
    examples: [
      ['linkfold keys revoke 4fT9qLz2', 'the id is the 8 symbols after lfk_, as `keys list` shows it'],
    ],
    refused: 'there is no such key, or it is revoked already',
    reaches: 'database',
  })
    .argument('<id>', 'id of the key')
    .option(...jsonOption)
    .action((id: string, { json }: JsonOption) =>
      withTools({ json }, async ({ storage, now }) => {
        const revokedAt = now();
        if (!(await storage.revokeKey(id, revokedAt))) throw noLiveKey();
        if (json) sayJson({ id, revokedAt: formatTimestamp(revokedAt) });
        else say(`Revoked key ${id}.`);
      }),
    );
}

// The argument is not repeated: it may have been a whole key.
function noLiveKey(): Stop {
  return new Stop(
    exits.refused,
    'There is no live key with this id. The id is what the first column of `linkfold keys list` shows.',
  );
}

function addRotate(keys: Command): void {
  addCommand(
    keys,
    'rotate',
    'Replace a key by a new one with the same rights and expiry; the old one ends after a grace',
    {
      examples: [
        ['linkfold keys rotate 4fT9qLz2 --grace 24h', 'a day to put the new key in place'],
        ['linkfold keys rotate 4fT9qLz2 --grace 0', 'the old key stops at once'],
      ],
      refused: 'there is no such key, or it is revoked, has expired, or was rotated already',
      reaches: 'database',
    },
  )
    .argument('<id>', 'id of the key')
    .addOption(
      new Option('--grace <duration>', 'how long the old key still works')
        .argParser(duration)
        .default(86_400_000, '24h'),
    )
    .option(...jsonOption)
    .action((id: string, { grace, json }: JsonOption & { grace: number }) =>
      withTools({ json }, async ({ storage, now, randomBytes }) => {
        const old = await storage.findKey(id);
        if (old === undefined || old.revokedAt !== null) throw noLiveKey();
        const { token, key } = await rotateKey(storage, id, grace, now(), randomBytes);
        const { oldExpiresAt } = key;
        if (json) return sayJson({ ...shown(key, token), replaces: id, oldExpiresAt: timeOf(oldExpiresAt) });
        note(
          `Key ${describe(key)} replaces ${id}, which works until ${when(oldExpiresAt)}. Shown only this once:`,
        );
        say(token);
      }),
    );
}
