import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { largestLogoBytes } from '../../model/accounts/branding.ts';
import { addGroup } from '../terminal/command.ts';
import { exits, Stop, unreadable } from '../terminal/exits.ts';
import { clean, note, printLine } from '../terminal/print.ts';
import { addVerb } from '../terminal/resources.ts';

type Branding = Awaited<ReturnType<Client['getBranding']>>;
type BrandingOptions = Partial<Readonly<Record<keyof Branding, string>>>;

export function addBranding(program: Command): void {
  const branding = addGroup(program, 'branding', 'Branding for the pages that visitors see');

  addVerb(branding, 'get', {
    about: 'Show the branding',
    examples: [['linkfold branding get', 'one setting per line']],
    run: ({ client }) => client.getBranding(),
    show: printBranding,
  });

  addVerb(branding, 'update', {
    about: 'Change the branding',
    examples: [
      ["linkfold branding update --name 'Acme Bikes' --accent 1f4d41 --logo logo.png", 'shown on pages'],
      ["linkfold branding update --message ''", 'an empty value removes the text'],
    ],
    refused: 'a value is not valid',
    options: [
      ['--name <text>', 'name, at most 50 characters'],
      ['--accent <color>', 'color of buttons and links, such as 1f4d41'],
      ['--logo <file>', 'PNG or WebP, at most 32 KiB', readLogo],
      ['--message <text>', 'text on pages for links that do not work, at most 500 characters'],
      ['--contact <url>', 'mailto: or https: URL'],
      ['--expired-url <url>', 'where expired links redirect if neither the link nor its folder sets a URL'],
    ],
    run: async (
      { client },
      _args: [],
      { name, accent, logo, message, contact, expiredUrl }: BrandingOptions,
    ) => {
      const given = Object.entries({ name, accent, logo, message, contact, expiredUrl });
      const changes = given.filter(([, value]) => value !== undefined);
      const { updatedAt: _, ...before } = await client.getBranding();
      const changed = Object.fromEntries(changes.map(([field, value]) => [field, value || null]));
      return client.putBranding({ ...before, ...changed });
    },
    show: printBranding,
  });

  addVerb(branding, 'delete', {
    about: 'Remove the branding',
    examples: [['linkfold branding delete', 'resets the pages to the default']],
    run: async ({ client }) => {
      await client.deleteBranding();
      return client.getBranding();
    },
    show: () => note('Removed the branding.'),
  });
}

function printBranding({ logo, updatedAt, ...texts }: Branding): void {
  if (updatedAt === null) return note('No branding yet. To set it: linkfold branding update');
  for (const [field, value] of Object.entries(texts))
    if (value !== null) printLine(`${field}: ${clean(value)}`);
  if (logo !== null)
    printLine(`logo: ${logo.slice('data:'.length, logo.indexOf(';'))}, ${bytesOf(logo)} bytes`);
}

function bytesOf(logo: string): number {
  return Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64').length;
}

/** Reads a logo from a file. @throws Stop if the file cannot be read, or does not contain a valid logo */
function readLogo(path: string): string {
  if (path === '') return '';
  try {
    if (statSync(path).size > largestLogoBytes)
      throw new Stop(exits.usage, `${path} is larger than 32 KiB. Use a smaller image.`);
    const bytes = readFileSync(path);
    const type = typeOf(bytes);
    if (type === undefined) throw new Stop(exits.usage, `${path} is not a PNG or WebP image.`);
    return `data:${type};base64,${bytes.toString('base64')}`;
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw unreadable(path, error);
  }
}

function typeOf(bytes: Buffer): string | undefined {
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return bytes.toString('latin1', 1, 4) === 'PNG' ? 'image/png' : undefined;
}
