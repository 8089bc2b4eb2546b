import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { largestLogoBytes } from '../../model/accounts/branding.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { addGroup } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { clean, note, say, sayJson } from '../terminal/print.ts';
import { addServerCommand, openClient, type RemoteOptions } from '../terminal/remote.ts';

type Branding = Awaited<ReturnType<Client['getBranding']>>;

interface Given {
  readonly name?: string;
  readonly accent?: string;
  readonly logo?: string;
  readonly message?: string;
  readonly contact?: string;
  readonly expiredUrl?: string;
}

/** Adds the commands for what visitors see of an account. */
export function addBranding(program: Command): void {
  const branding = addGroup(program, 'branding', 'What visitors see of the account, through a server');

  addServerCommand(branding, 'show', 'Show the branding', {
    examples: [['linkfold branding show', 'what is set, a line each']],
  }).action(async (options: RemoteOptions) => {
    sayBranding(await (await openClient(options)).getBranding(), options);
  });

  addServerCommand(branding, 'set', 'Change the branding; what is not named stays', {
    examples: [
      [
        "linkfold branding set --name 'Acme Bikes' --accent 1f4d41 --logo logo.png",
        'above the pages of links',
      ],
      ["linkfold branding set --message ''", 'an empty text removes it'],
    ],
    refused: 'a value is refused',
  })
    .option('--name <text>', 'name, at most 50 characters')
    .option('--accent <color>', 'colour of the button and of links, such as 1f4d41')
    .option('--logo <file>', 'PNG or WebP, at most 32 KiB')
    .option('--message <text>', 'for pages of links that do not work now, at most 500 characters')
    .option('--contact <url>', 'mailto: or https:')
    .option('--expired-url <url>', 'where visitors go when a link is over and says nothing of that itself')
    .action(async (options: RemoteOptions & Given) => {
      const { name, accent, logo, message, contact, expiredUrl } = options;
      const given = { name, accent, logo: logo && readLogo(logo), message, contact, expiredUrl };
      const changes = Object.entries(given).filter(([, value]) => value !== undefined);
      if (changes.length === 0) throw new Stop(exits.usage, 'Name what to set, such as --name.');
      const client = await openClient(options);
      const { updatedAt: _, ...before } = await client.getBranding();
      const changed = Object.fromEntries(changes.map(([field, value]) => [field, value || null]));
      sayBranding(await client.putBranding({ ...before, ...changed }), options);
    });

  addServerCommand(branding, 'clear', 'Remove the branding', {
    examples: [['linkfold branding clear', 'pages look as they do without']],
  }).action(async (options: RemoteOptions) => {
    const client = await openClient(options);
    await client.deleteBranding();
    if (options.json) sayJson(await client.getBranding());
    else note('Removed the branding.');
  });
}

function sayBranding(branding: Branding, { json }: RemoteOptions): void {
  if (json) return sayJson(branding);
  const { logo, updatedAt, ...texts } = branding;
  if (updatedAt === null) return note('There is no branding. Set it with: linkfold branding set');
  for (const [field, value] of Object.entries(texts)) if (value !== null) say(`${field}: ${clean(value)}`);
  if (logo !== null) say(`logo: ${logo.slice('data:'.length, logo.indexOf(';'))}, ${bytesOf(logo)} bytes`);
}

function bytesOf(logo: string): number {
  return Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64').length;
}

/** @throws Stop when the file cannot be read, or is no logo for sure */
function readLogo(path: string): string {
  try {
    if (statSync(path).size > largestLogoBytes)
      throw new Stop(exits.usage, `${path} is larger than 32 KiB. Make the picture smaller.`);
    const bytes = readFileSync(path);
    const type = typeOf(bytes);
    if (type === undefined) throw new Stop(exits.usage, `${path} is neither a PNG nor a WebP picture.`);
    return `data:${type};base64,${bytes.toString('base64')}`;
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop(exits.usage, `${path} cannot be read: ${reasonOf(error)}.`);
  }
}

function typeOf(bytes: Buffer): string | undefined {
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return bytes.toString('latin1', 1, 4) === 'PNG' ? 'image/png' : undefined;
}
