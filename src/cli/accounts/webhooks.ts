import { type Command, Option } from 'commander';
import type { Client, CreateWebhookInput } from '../../client/client.ts';
import { webhookFields } from '../../model/webhooks/webhooks.ts';
import type { RowOf } from '../terminal/kinds.ts';
import { between } from '../terminal/options.ts';
import { type Column, clean, note, printLine, printTable, when } from '../terminal/print.ts';
import { recordGiven, recordOptions } from '../terminal/record-options.ts';
import { addRecordVerb, addResource, addVerb } from '../terminal/resources.ts';

type Webhook = RowOf<'webhook'>;
type Delivery = Awaited<ReturnType<Client['listDeliveries']>>['data'][number];

const columns: readonly Column<Webhook>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATE', of: stateOf },
  { title: 'URL', of: ({ url }) => url, cut: true },
  { title: 'EVENTS', of: ({ events }) => events.join(','), cut: true },
  { title: 'CREATED BY', of: ({ createdBy }) => createdBy?.name ?? '', cut: true },
];

const deliveryColumns: readonly Column<Delivery>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'WHEN', of: ({ createdAt }) => when(createdAt) },
  { title: 'TYPE', of: ({ type }) => type },
  { title: 'STATE', of: ({ state }) => state },
  { title: 'TRIES', of: ({ attempts }) => String(attempts), right: true },
  { title: 'STATUS', of: ({ lastAttempt }) => String(lastAttempt?.status ?? ''), right: true },
  { title: 'MS', of: ({ lastAttempt }) => String(lastAttempt?.ms ?? ''), right: true },
  { title: 'RESPONSE', of: ({ lastAttempt }) => lastAttempt?.answer ?? '', cut: true },
];

function stateOf({ disabledReason, failingSince }: Webhook): string {
  if (disabledReason !== null) return disabledReason === 'owner' ? 'off' : `off: ${disabledReason}`;
  return failingSince === null ? 'on' : `failing since ${when(failingSince)}`;
}

/** The URL is not an option, because `create` takes it as an argument. */
const { url: _, ...optionFields } = webhookFields;

export function addWebhooks(program: Command): void {
  addResource(
    program,
    'webhook',
    {
      about: 'Endpoints that receive signed HTTP requests when links change',
      columns: () => columns,
      none: 'No webhooks yet. To create one: linkfold webhooks create URL',
      list: {
        about: 'List webhooks and their state',
        examples: [['linkfold webhooks list', 'oldest first']],
        notes: 'These commands require a key with the scope webhooks:write.',
      },
      get: {
        about: 'Show a webhook',
        examples: [['linkfold webhooks get crm.example.com', 'by a part of its URL, or its ID']],
      },
      delete: {
        about: 'Delete a webhook',
        examples: [['linkfold webhooks delete press.example.com', 'the endpoint no longer receives events']],
        run: (client, id) => client.deleteWebhook(id),
      },
    },
    addOthers,
  );
}

function addOthers(webhooks: Command): void {
  addVerb(webhooks, 'create', {
    about: 'Create a webhook and print its signing secret, once',
    examples: [
      ['linkfold webhooks create https://hooks.example.com/linkfold', 'receives all changes to links'],
      [
        'linkfold webhooks create https://press.example.com/linkfold --events link.created --tag press',
        'receives new links with a tag',
      ],
    ],
    refused: 'the URL is not valid, or the account has too many webhooks',
    args: [['<url>', 'where events are sent']],
    options: recordOptions(optionFields, 'create'),
    run: async (connection, [url]: [string], options: object) => {
      const settings = { ...(await recordGiven(connection, optionFields, 'create', options)), url };
      return connection.client.createWebhook(settings as CreateWebhookInput);
    },
    show: printSecret,
  });

  addRecordVerb(webhooks, 'webhook', 'update', {
    about: 'Change a webhook',
    examples: [
      ['linkfold webhooks update hooks.example.com --off', 'stops sending'],
      ['linkfold webhooks update hooks.example.com --on', 'sends new events; for older events: replay'],
    ],
    refused: 'a value is not valid',
    options: [
      ...recordOptions(webhookFields, 'update'),
      ['--on', 'enable the webhook'],
      ['--off', 'disable the webhook'],
    ],
    run: async (connection, id, options: { on?: true; off?: true }) =>
      connection.client.updateWebhook(id, {
        ...(await recordGiven(connection, webhookFields, 'update', options)),
        ...((options.on || options.off) && { disabled: options.off === true }),
      }),
    show: (webhook) => note(`Updated webhook ${clean(webhook.url)}; it is ${stateOf(webhook)}.`),
  });

  addRecordVerb(webhooks, 'webhook', 'rotate', {
    about: 'Rotate the signing secret; both secrets sign for 24 hours',
    examples: [['linkfold webhooks rotate hooks.example.com', 'the new secret goes to stdout']],
    run: ({ client }, id) => client.rotateWebhook(id),
    show: printSecret,
  });

  addRecordVerb(webhooks, 'webhook', 'test', {
    about: 'Send a test event',
    examples: [['linkfold webhooks test hooks.example.com', 'then: linkfold webhooks deliveries']],
    run: ({ client }, id) => client.testWebhook(id),
    show: printDelivery,
  });
  addDeliveries(webhooks);
}

function printSecret({ id, secret }: { readonly id: string; readonly secret: string }): void {
  note(`Signing secret of webhook ${id}. The secret is shown only once:`);
  printLine(secret);
}

function printDelivery({ id }: Delivery): void {
  note(`Sending delivery ${id}.`);
}

function addDeliveries(webhooks: Command): void {
  addRecordVerb(webhooks, 'webhook', 'deliveries', {
    about: 'List deliveries and the endpoint’s responses',
    examples: [['linkfold webhooks deliveries hooks.example.com', 'newest first']],
    options: [['--limit <number>', 'deliveries to show, 1 to 100 (default: 20)', between(1, 100)]],
    run: async ({ client }, id, { limit = 20 }: { readonly limit?: number }) =>
      (await client.listDeliveries(id, { limit })).data,
    show: (deliveries) => printTable(deliveries, deliveryColumns),
  });

  addRecordVerb(webhooks, 'webhook', 'resend', {
    about: 'Send a delivery again',
    examples: [
      [
        'linkfold webhooks resend hooks.example.com 0198c5a0-9999-7b3a-9c41-3f0f6f2f8a10',
        'with the same body',
      ],
    ],
    args: [['<delivery>', 'ID of the delivery']],
    run: ({ client }, id, _options: object, delivery: string) => client.resendDelivery(id, delivery),
    show: printDelivery,
  });

  addRecordVerb(webhooks, 'webhook', 'replay', {
    about: 'Resend events since a time that were not delivered',
    examples: [
      ['linkfold webhooks replay hooks.example.com --since 2027-03-01', 'from the last 30 days'],
      [
        'linkfold webhooks replay hooks.example.com --since 2027-03-01 --all',
        'if the receiver lost its data',
      ],
    ],
    refused: 'the time is too far in the past',
    options: [
      new Option('--since <time>', 'ISO 8601').makeOptionMandatory(),
      ['--all', 'also resend delivered events'],
    ],
    run: ({ client }, id, { since, all }: { since: string; all?: true }) =>
      client.replayWebhook(id, { since, all }),
    show: ({ since, deliveries }) =>
      note(`Replaying events since ${when(since)}: ${deliveries} deliveries so far.`),
  });
}
