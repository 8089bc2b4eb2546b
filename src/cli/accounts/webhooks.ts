import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { isId } from '../../model/ids.ts';
import { hookTypes } from '../../model/webhooks/webhooks.ts';
import { addGroup, list } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { type Column, clean, note, say, sayJson, sayTable, when } from '../terminal/print.ts';
import { domainId, folderId } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';

type Webhook = Awaited<ReturnType<Client['listWebhooks']>>[number];
type Change = NonNullable<Parameters<Client['updateWebhook']>[1]>;
type Delivery = Awaited<ReturnType<Client['listDeliveries']>>['data'][number];

const columns: readonly Column<Webhook>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATE', of: stateOf },
  { title: 'URL', of: ({ url }) => url, cut: true },
  { title: 'EVENTS', of: ({ events }) => events.join(','), cut: true },
  { title: 'CREATED BY', of: ({ createdBy }) => createdBy?.name ?? '', cut: true },
];

const ofDeliveries: readonly Column<Delivery>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'WHEN', of: ({ createdAt }) => when(createdAt) },
  { title: 'TYPE', of: ({ type }) => type },
  { title: 'STATE', of: ({ state }) => state },
  { title: 'TRIES', of: ({ attempts }) => String(attempts), right: true },
  { title: 'STATUS', of: ({ lastAttempt }) => String(lastAttempt?.status ?? ''), right: true },
  { title: 'MS', of: ({ lastAttempt }) => String(lastAttempt?.ms ?? ''), right: true },
  { title: 'ANSWER', of: ({ lastAttempt }) => lastAttempt?.answer ?? '', cut: true },
];

function stateOf({ disabledReason, failingSince }: Webhook): string {
  if (disabledReason !== null) return disabledReason === 'owner' ? 'off' : `off: ${disabledReason}`;
  return failingSince === null ? 'on' : `failing since ${when(failingSince)}`;
}

interface SettingOptions extends RemoteOptions {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly folder?: readonly string[];
  readonly domain?: readonly string[];
  readonly tag?: readonly string[];
  readonly description?: string;
  readonly on?: true;
  readonly off?: true;
}

/** Adds the commands for addresses that are told what happens. */
export function addWebhooks(program: Command): void {
  const webhooks = addGroup(
    program,
    'webhooks',
    'Addresses that are told what happens, by signed requests, through a server',
  );
  addServerCommand(webhooks, 'list', 'List webhooks, and how they do', {
    examples: [['linkfold webhooks list', 'the oldest first']],
    notes: 'These commands need a key with the scope webhooks:write.',
  }).action(async (options: RemoteOptions) => {
    const found = await (await openPlace(options)).client.listWebhooks();
    if (options.json) sayJson(found);
    else sayTable(found, columns);
  });
  addAdd(webhooks);
  addSet(webhooks);
  addActions(webhooks);
  addDeliveries(webhooks);
}

function withSettings(command: Command): Command {
  return command
    .option('--folder <list>', 'only links in these folders, by names or ids; empty for all', list)
    .option('--domain <list>', 'only links on these domains, by hosts or ids; empty for all', list)
    .option('--tag <list>', 'only links with one of these tags; empty for all', list)
    .option('--description <text>', 'what it is for');
}

async function settingsIn(
  place: Awaited<ReturnType<typeof openPlace>>,
  { url, events, folder, domain, tag, description, on, off }: SettingOptions,
): Promise<Change> {
  const idsOf = async (names: readonly string[] | undefined, idOf: (name: string) => Promise<string>) =>
    names && (names.length === 0 ? null : await Promise.all(names.map(idOf)));
  const given = {
    url,
    events,
    description,
    folderIds: await idsOf(folder, (name) => folderId(place, name)),
    domainIds: await idsOf(domain, (name) => domainId(place, name)),
    tags: await idsOf(tag, async (name) => name),
    disabled: off === true ? true : on === true ? false : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Change;
}

function addAdd(webhooks: Command): void {
  withSettings(
    addServerCommand(webhooks, 'add', 'Add a webhook; prints the secret that signs, this once', {
      examples: [
        ['linkfold webhooks add https://hooks.example.com/linkfold', 'told of all that happens to links'],
        [
          'linkfold webhooks add https://hooks.example.com/linkfold --events link.created --tag press',
          'of new links with a tag',
        ],
      ],
      refused: 'the address is none, or there are too many webhooks',
    }),
  )
    .argument('<url>', 'where events are sent')
    .option('--events <list>', `what it is told of: ${hookTypes.join(', ')}`, list, [
      ...['link.created', 'link.updated', 'link.deleted', 'link.restored'],
    ])
    .action(async (url: string, options: SettingOptions) => {
      const place = await openPlace(options);
      const settings = await settingsIn(place, { ...options, url });
      saySecret(
        await place.client.createWebhook(settings as Parameters<Client['createWebhook']>[0]),
        options,
      );
    });
}

function saySecret(made: Webhook & { readonly secret: string }, { json }: RemoteOptions): void {
  if (json) return sayJson(made);
  note(`The webhook ${made.id}. Its secret is shown only this once:`);
  say(made.secret);
}

function addSet(webhooks: Command): void {
  withSettings(
    addServerCommand(webhooks, 'set', 'Change a webhook; what is not named stays', {
      examples: [
        ['linkfold webhooks set hooks.example.com --off', 'nothing is sent any more'],
        ['linkfold webhooks set hooks.example.com --on', 'what happens from now on is; for the rest: replay'],
      ],
      refused: 'a value is refused',
    }),
  )
    .argument('<webhook>', about)
    .option('--url <url>', 'where events are sent')
    .option('--events <list>', 'what it is told of', list)
    .option('--on', 'switch it on')
    .option('--off', 'switch it off')
    .action(async (given: string, options: SettingOptions) => {
      const place = await openPlace(options);
      const change = await settingsIn(place, options);
      if (Object.keys(change).length === 0) throw new Stop(exits.usage, 'Nothing to change: give an option.');
      const changed = await place.client.updateWebhook(await webhookId(place.client, given), change);
      if (options.json) sayJson(changed);
      else note(`The webhook ${clean(changed.url)} is ${stateOf(changed)}.`);
    });
}

const about = 'id of the webhook, or a part of its URL that no other has';

/** @throws Stop when no webhook, or more than one, is meant */
async function webhookId(client: Client, text: string): Promise<string> {
  if (isId(text)) return text;
  const found = (await client.listWebhooks()).filter(({ url }) => url.includes(text));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.id;
  const many = first === undefined ? 'No webhook' : 'More than one webhook';
  throw new Stop(exits.refused, `${many} has "${clean(text)}" in its URL: linkfold webhooks list.`);
}

function addActions(webhooks: Command): void {
  addServerCommand(webhooks, 'rm', 'Delete a webhook', {
    examples: [['linkfold webhooks rm hooks.example.com', 'nothing is sent to it any more']],
  })
    .argument('<webhook>', about)
    .action(async (given: string, options: RemoteOptions) => {
      const { client } = await openPlace(options);
      const id = await webhookId(client, given);
      await client.deleteWebhook(id);
      if (options.json) sayJson({ deleted: [id] });
      else note(`Deleted the webhook ${id}.`);
    });
  addServerCommand(webhooks, 'rotate', 'Give a webhook another secret; both sign for 24 hours', {
    examples: [['linkfold webhooks rotate hooks.example.com', 'the new secret goes to stdout']],
  })
    .argument('<webhook>', about)
    .action(async (given: string, options: RemoteOptions) => {
      const { client } = await openPlace(options);
      saySecret(await client.rotateWebhook(await webhookId(client, given)), options);
    });
  addServerCommand(webhooks, 'test', 'Send a test event', {
    examples: [['linkfold webhooks test hooks.example.com', 'then: linkfold webhooks deliveries']],
  })
    .argument('<webhook>', about)
    .action(async (given: string, options: RemoteOptions) => {
      const { client } = await openPlace(options);
      sayDelivery(await client.testWebhook(await webhookId(client, given)), options);
    });
}

function sayDelivery(delivery: Delivery, { json }: RemoteOptions): void {
  if (json) return sayJson(delivery);
  note(`The delivery ${delivery.id} is sent in a moment.`);
}

function addDeliveries(webhooks: Command): void {
  addServerCommand(webhooks, 'deliveries', 'List what a webhook was told, and what it answered', {
    examples: [['linkfold webhooks deliveries hooks.example.com', 'the newest first']],
  })
    .argument('<webhook>', about)
    .option('--limit <number>', 'deliveries to show, 1 to 100', '20')
    .action(async (given: string, { limit, ...options }: RemoteOptions & { limit: string }) => {
      const { client } = await openPlace(options);
      const { data } = await client.listDeliveries(await webhookId(client, given), { limit: Number(limit) });
      if (options.json) sayJson(data);
      else sayTable(data, ofDeliveries);
    });
  addServerCommand(webhooks, 'resend', 'Send a delivery again', {
    examples: [
      ['linkfold webhooks resend hooks.example.com 0198c5a0-9999-7b3a-9c41-3f0f6f2f8a10', 'the same body'],
    ],
  })
    .argument('<webhook>', about)
    .argument('<delivery>', 'id of the delivery')
    .action(async (given: string, delivery: string, options: RemoteOptions) => {
      const { client } = await openPlace(options);
      sayDelivery(await client.resendDelivery(await webhookId(client, given), delivery), options);
    });
  addServerCommand(webhooks, 'replay', 'Send events since a time that were not delivered', {
    examples: [
      ['linkfold webhooks replay hooks.example.com --since 2027-03-01', 'within the last 30 days'],
      ['linkfold webhooks replay hooks.example.com --since 2027-03-01 --all', 'the receiver lost its data'],
    ],
    refused: 'the time is longer ago',
  })
    .argument('<webhook>', about)
    .requiredOption('--since <time>', 'ISO 8601')
    .option('--all', 'send delivered events again, too')
    .action(async (given: string, options: RemoteOptions & { since: string; all?: true }) => {
      const { client } = await openPlace(options);
      const { since, all } = options;
      const begun = await client.replayWebhook(await webhookId(client, given), { since, all });
      if (options.json) sayJson(begun);
      else note(`Sending events since ${when(begun.since)} again: ${begun.deliveries} so far.`);
    });
}
