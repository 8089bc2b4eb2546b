import type { Command } from 'commander';
import type { ClickEvent, EventsInput, FollowedEvent, LinkChangeEvent } from '../../client/client.ts';
import { eventTypes } from '../../model/clicks/events.ts';
import { list } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { idOf } from '../terminal/kinds.ts';
import { wholeNumber } from '../terminal/options.ts';
import { clean, deliver, jsonLine, note, onStdoutClosed, paint } from '../terminal/print.ts';
import { findLink } from '../terminal/references.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { aboutSubject } from './click-options.ts';

interface EventsOptions extends RemoteOptions {
  readonly types?: EventsInput['types'];
  readonly folder?: string;
  readonly after?: string;
  readonly count?: number;
  readonly follow?: true;
}

export function addEvents(program: Command): void {
  addServerCommand(program, 'events', 'Stream clicks and link changes', {
    examples: [
      ['linkfold events --follow', 'all events of the account, until Ctrl-C'],
      ['linkfold events spring --types click', 'clicks on a link, until the connection is lost'],
      [
        'linkfold events --follow --json --after mUnf2VUkSGFBM2rS7yBnNg >> events.ndjson',
        'for scripts, after the last received event',
      ],
    ],
    notes:
      'Clicks require a key with the scope analytics:read, link changes one with links:read. The server keeps events for two minutes, so that clients can reconnect. If events were lost, a line reports it.',
  })
    .argument('[link]', aboutSubject)
    .option(
      '--types <list>',
      `only these types: ${eventTypes.join(',')}; link.clicked is another name for click`,
      list,
    )
    .option('--folder <folder>', 'links in this folder, by name or ID')
    .option('--follow', 'reconnect if the connection is lost')
    .option('--after <id>', 'start after this event')
    .option('--count <number>', 'stop after this number of events', wholeNumber)
    .action(follow);
}

async function follow(given: string | undefined, options: EventsOptions): Promise<void> {
  const { types, folder, after, count, json } = options;
  if (count === 0) throw new Stop(exits.usage, '--count must be at least 1.');
  const connection = await connectToServer(options);
  const input = {
    types,
    linkId: given === undefined ? undefined : (await findLink(connection, given)).id,
    folderId: folder === undefined ? undefined : await idOf(connection, 'folder', folder),
  };
  const over = new AbortController();
  onStdoutClosed(() => over.abort());
  let printed = 0;
  let isLost = false;
  const events = connection.client.events(input, {
    signal: over.signal,
    lastEventId: after,
    onLost(error, waitMs) {
      if (!options.follow) throw error;
      if (!isLost) note(`${clean(error.message)} Trying again in ${Math.ceil(waitMs / 1_000)} s.`);
      isLost = true;
    },
  });
  for await (const event of events) {
    if (isLost) note('Connected again.');
    isLost = false;
    if (event.type === 'ready') continue;
    if (event.type === 'reset') note(event.message);
    const line = json ? jsonLine(event) : event.type === 'reset' ? undefined : lineOf(event);
    if (line === undefined) continue;
    if (!(await deliver(line))) return;
    if (event.type !== 'reset') printed += 1;
    if (printed === count) return;
  }
}

const [typeWidth, codeWidth] = [13, 12];

/** Formats an event as one line with the time, the type, the link and the details of a click. */
function lineOf(event: Exclude<FollowedEvent, { type: 'ready' | 'reset' }>): string {
  const time = `${event.time.slice(0, 19).replace('T', ' ')}Z`;
  const isOfPeople = event.type === 'click' && event.class === 'human';
  const style = event.type !== 'click' ? 'bold' : isOfPeople ? 'green' : 'dim';
  const details = event.type === 'click' ? clickDetails(event) : moveDetails(event);
  const parts = [
    paint('dim', time),
    paint(style, event.type.padEnd(typeWidth)),
    clean(event.shortCode).padEnd(details === '' ? 0 : codeWidth),
    details,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

function clickDetails(click: ClickEvent): string {
  const program = [click.browser, click.os].filter((word) => word !== '').join(' on ');
  const campaign = [click.utmSource, click.utmCampaign].filter((word) => word !== '').join(' / ');
  return [
    click.class,
    click.country,
    program,
    click.trigger === 'link' ? '' : `by ${click.trigger}`,
    click.referrer && `from ${clean(click.referrer)}`,
    campaign && `of ${clean(campaign)}`,
  ]
    .filter((word) => word !== '')
    .join('  ');
}

function moveDetails({ type, folderId: folder }: LinkChangeEvent): string {
  if (type !== 'link.moved') return '';
  return folder === null ? 'out of its folder' : `into folder ${folder}`;
}
