import { type Command, InvalidArgumentError } from 'commander';
import { Document } from 'yaml';
import { addSearchOptions, type SearchOptions, searchGiven } from '../links/search.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { note, plural, sayJson } from '../terminal/print.ts';
import { folderIdOrNone } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { replace } from './accept.ts';
import { fieldsIn, folderNames } from './written.ts';

interface ManifestExportOptions extends RemoteOptions, SearchOptions {
  readonly folder?: string;
  readonly onDomain?: string;
  readonly out?: string;
}

function manifestName(text: string): string {
  if (/^[\x21-\x7e]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('Give 1 to 64 characters without spaces.');
}

/** Adds `export`: links that are there as a file of a manifest. */
export function addExport(program: Command): void {
  const command = addServerCommand(program, 'export', 'Write links as a file that plan and apply take', {
    examples: [
      ['linkfold export marketing --out links.yaml', 'the links that the manifest keeps'],
      [
        "linkfold export marketing --folder 'Spring campaign' --out links.yaml",
        'links to be taken over: apply --adopt',
      ],
    ],
    notes:
      'Without a filter the links that the manifest keeps; with filters those that they leave. JSON with --json, or where the file ends in .json. Passwords stay on the server.',
  }).argument('<manifest>', 'name of the manifest', manifestName);
  addSearchOptions(command);
  command
    .option('--folder <folder>', 'only links in this folder, by name or id; none for links in no folder')
    .option('--on-domain <host>', 'only links on the domain with this host')
    .option('--out <file>', 'write to this file')
    .action(write);
}

async function write(manifest: string, options: ManifestExportOptions): Promise<void> {
  const { folder, onDomain: domain, out, json } = options;
  const place = await openPlace(options);
  const { includable } = await import('../../client/client.ts');
  const folderId = folder === undefined ? undefined : ((await folderIdOrNone(place, folder)) ?? 'none');
  const given = { ...searchGiven(options), ...(folderId && { folderId }), ...(domain && { domain }) };
  const isChosen = Object.keys(given).some((name) => name !== 'sort' && name !== 'order');
  const filter = isChosen ? given : { ...given, managedBy: manifest };
  const order = { sort: 'createdAt', order: 'asc' } as const;
  const nameOf = await folderNames(place);
  const links: Record<string, unknown>[] = [];
  let passwords = 0;
  for await (const link of place.client.allLinks({ ...order, ...filter, include: includable })) {
    links.push(fieldsIn(link, nameOf));
    if (link.hasPassword) passwords += 1;
  }
  const whole = { version: 1, manifest, ...inCommon(links) };
  if (json && out === undefined) sayJson(whole);
  else {
    const isJson = json === true || out?.toLowerCase().endsWith('.json') === true;
    const text = isJson
      ? `${JSON.stringify(whole, null, 2)}\n`
      : new Document(whole, { version: '1.2' }).toString({ lineWidth: 0 });
    if (out === undefined) process.stdout.write(text);
    else replace(out, text);
    note(`${plural(links.length, 'link')} written.`);
  }
  if (passwords > 0) note(`${plural(passwords, 'link')} with a password, which stays on the server.`);
  if (links.length === 0 && isChosen) throw new Stop(exits.refused, 'No link is left by these filters.');
}

/** What all links have in common stands once. */
function inCommon(links: readonly Record<string, unknown>[]) {
  const [first] = links;
  const same = ['domain', 'folder'].filter(
    (name) => first?.[name] !== undefined && links.every((link) => link[name] === first[name]),
  );
  const common = Object.fromEntries(same.map((name) => [name, first?.[name]]));
  const rest = links.map((link) =>
    Object.fromEntries(Object.entries(link).filter(([name]) => !same.includes(name))),
  );
  return { ...common, links: rest };
}
