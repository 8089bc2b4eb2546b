import { type Command, InvalidArgumentError } from 'commander';
import { Document } from 'yaml';
import { exportLinks } from '../links/export.ts';
import { addSearchOptions, type SearchOptions, searchGiven } from '../links/search.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { addExportOptions, type ExportFormat } from '../terminal/export.ts';
import { note, plural, printJson } from '../terminal/print.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { replaceFile } from './accept.ts';
import { fieldsIn, folderNames } from './manifest-fields.ts';

interface ManifestExportOptions extends RemoteOptions, SearchOptions {
  readonly format?: ExportFormat;
  readonly out?: string;
}

function manifestName(text: string): string {
  if (/^[\x21-\x7e]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('Specify 1 to 64 characters without spaces.');
}

/** Adds `export`, which exports links as a manifest, or as a table if no name is given. */
export function addExport(program: Command): void {
  const command = addServerCommand(program, 'export', 'Export links as a manifest for plan and apply', {
    examples: [
      ['linkfold export marketing --out links.yaml', 'the links of the manifest'],
      [
        'linkfold export marketing --folder Campaigns --out campaigns.yaml',
        'links that the manifest can adopt: apply --adopt',
      ],
      ['linkfold export --out links.csv', 'all links as CSV: the same as linkfold links export'],
    ],
    notes:
      'Without filters, it exports the manifest’s links, otherwise those that match. The file is YAML, or JSON with --json or if its name ends in .json. Passwords are not exported. Without a manifest name, the command is the same as `links export`.',
  }).argument('[manifest]', 'name of the manifest', manifestName);
  addSearchOptions(command);
  addExportOptions(command);
  command.action((manifest: string | undefined, options: ManifestExportOptions) =>
    manifest === undefined ? exportLinks(options) : write(manifest, options),
  );
}

async function write(manifest: string, options: ManifestExportOptions): Promise<void> {
  const { out, json } = options;
  const connection = await connectToServer(options);
  const { includable } = await import('../../client/client.ts');
  const given = await searchGiven(connection, options);
  const isChosen = Object.keys(given).some((name) => name !== 'sort' && name !== 'order');
  const filter = isChosen ? given : { ...given, managedBy: manifest };
  const order = { sort: 'createdAt', order: 'asc' } as const;
  const nameOf = await folderNames(connection);
  const links: Record<string, unknown>[] = [];
  let passwords = 0;
  for await (const link of connection.client.allLinks({ ...order, ...filter, include: includable })) {
    links.push(fieldsIn(link, nameOf));
    if (link.hasPassword) passwords += 1;
  }
  const whole = { version: 1, manifest, ...inCommon(links) };
  if (json && out === undefined) printJson(whole);
  else {
    const isJson = json === true || out?.toLowerCase().endsWith('.json') === true;
    const text = isJson
      ? `${JSON.stringify(whole, null, 2)}\n`
      : new Document(whole, { version: '1.2' }).toString({ lineWidth: 0 });
    if (out === undefined) process.stdout.write(text);
    else replaceFile(out, text);
    note(`Exported ${plural(links.length, 'link')}.`);
  }
  if (passwords > 0) note(`${plural(passwords, 'link')} with a password, which is not exported.`);
  if (links.length === 0 && isChosen) throw new Stop(exits.refused, 'No link matches these filters.');
}

/** Moves the domain and the folder to the top of the file if all links share them. */
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
