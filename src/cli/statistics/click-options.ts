import { type Command, Option } from 'commander';
import type { ClickFilter } from '../../client/client.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { list } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { find, idOf } from '../terminal/kinds.ts';
import { aboutLink, findLink, type ServerConnection } from '../terminal/references.ts';

/** Options for commands that query clicks. */
export interface ClickOptions extends Pick<ClickFilter, 'from' | 'to' | 'timezone' | 'class'> {
  readonly folder?: string;
  readonly tag?: string;
  readonly domain?: string;
  readonly filter?: readonly string[];
}

export const aboutSubject = `${aboutLink} (default: the account)`;

/** Adds options to filter clicks; {@link clicksGiven} reads them. */
export function addClickOptions(command: Command): void {
  const options = [
    new Option('--folder <folder>', 'links in this folder, by name or ID'),
    new Option('--tag <tag>', 'links with this tag, by name or ID'),
    new Option('--domain <host>', 'clicks on this domain; can be combined with a link, folder or tag'),
    new Option('--from <time>', 'start of the range (default: 30 days ago)'),
    new Option('--to <time>', 'end of the range, exclusive (default: now)'),
    new Option('--timezone <zone>', 'IANA time zone (default: UTC)'),
    new Option('--class <list>', `classes of clicks: ${clickClasses.join(',')} (default: all)`).argParser(
      list,
    ),
    new Option(
      '--filter <filter>',
      'dimension:is:values, dimension:is-not:values or dimension:contains:text; may be repeated',
    ).argParser(collect),
  ];
  for (const option of options) command.addOption(option);
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Converts the options to API filters. */
export async function clicksGiven(connection: ServerConnection, options: ClickOptions): Promise<ClickFilter> {
  const { from, to, timezone, class: classes, domain, filter } = options;
  if (domain === undefined) return { from, to, timezone, class: classes, filter };
  const ofDomain = `domain:is:${(await find(connection, 'domain', domain)).host}`;
  return { from, to, timezone, class: classes, filter: [ofDomain, ...(filter ?? [])] };
}

/** The link, folder or tag that a query is about, and its display name. */
export interface Subject {
  readonly ids: Pick<ClickFilter, 'linkId' | 'folderId' | 'tagId'>;
  readonly title: string;
}

export function requireOneSubject(given: string | undefined, { folder, tag }: ClickOptions): void {
  if ([given, folder, tag].filter((one) => one !== undefined).length > 1)
    throw new Stop(exits.usage, 'Specify only one of a link, --folder and --tag.');
}

/** Finds the link, folder or tag that the options name. @param given a link, as written on the command line */
export async function findSubject(
  connection: ServerConnection,
  given: string | undefined,
  options: ClickOptions,
): Promise<Subject> {
  const { domain, ...rest } = options;
  const subject = await subjectOf(connection, given, rest);
  return domain === undefined ? subject : { ...subject, title: `${subject.title}, at ${domain}` };
}

async function subjectOf(
  connection: ServerConnection,
  given: string | undefined,
  { folder, tag }: ClickOptions,
): Promise<Subject> {
  if (folder !== undefined)
    return { ids: { folderId: await idOf(connection, 'folder', folder) }, title: `Folder ${folder}` };
  if (tag !== undefined) return { ids: { tagId: await idOf(connection, 'tag', tag) }, title: `Tag ${tag}` };
  if (given === undefined) return { ids: {}, title: 'All links' };
  const { id, shortUrl, destinationUrl } = await findLink(connection, given);
  return { ids: { linkId: id }, title: `${shortUrl} → ${destinationUrl}` };
}
