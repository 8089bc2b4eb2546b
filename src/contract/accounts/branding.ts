import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { colour, httpUrl, nameText, text, timestamp } from '../fields.ts';

const longestName = 50;
const longestMessage = 500;

const about = {
  name: 'Stands above the pages in place of the mark of the service.',
  accent:
    'Colour of the button and of links, such as `#1f4d41`. Text on it and links in it are kept readable, on light and on dark ground.',
  logo: 'A PNG or WebP picture as a data URL: at most 32 KiB, and 2,048 pixels a side. It stands in the place of the name, on light ground.',
  message:
    'Stands on the page of a link that does not work now, below its title, in the place of what the page says otherwise.',
  contact: 'A `mailto:` or `https:` URL that such a page links to.',
  expiredUrl:
    'Where visitors go when a link has expired, is used up or is switched off, and neither it nor its folder has an `expiredUrl`. Such visits are no clicks.',
} as const;

const branding = z
  .object({
    name: z.string().nullable().describe(about.name),
    accent: z.string().nullable().describe(about.accent),
    logo: z.string().nullable().describe(about.logo),
    message: z.string().nullable().describe(about.message),
    contact: z.string().nullable().describe(about.contact),
    expiredUrl: z.string().nullable().describe(about.expiredUrl),
    updatedAt: timestamp('When it was last put; null for never.').nullable(),
  })
  .meta({ id: 'Branding', description: 'What visitors of the account’s links see of its owner.' });

const sent = {
  name: 'Acme Bikes',
  accent: '#1f4d41',
  logo: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  message: 'This campaign is over. Our rides are at acme.example.',
  contact: 'mailto:hello@acme.example',
  expiredUrl: null,
} as const;
const example = { success: true, data: { ...sent, updatedAt: '2027-03-01T08:00:00.000Z' } } as const;

const body = z.object({ success: z.literal(true), data: branding });

/** What visitors see of the owner of a link. */
export const brandingEndpoints = {
  getBranding: endpoint({
    method: 'GET',
    path: '/branding',
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Read the branding',
    description: 'What the pages of the account’s links look like. Everything is null until it is put.',
    success: { status: 200, description: 'The branding.', body, example },
    failures: [],
  }),
  putBranding: endpoint({
    method: 'PUT',
    path: '/branding',
    access: { key: 'domains:write' },
    priority: 'write',
    summary: 'Put the branding',
    description:
      'Replaces all of it: what is left out or null is removed. Visitors see it within a second, on the pages of links that do not work now, on previews (`code+`) and on pages with a button.',
    needsBody: true,
    body: {
      name: nameText(1, longestName).nullish().describe(about.name),
      accent: colour().nullish().describe(about.accent),
      logo: z
        .string()
        .meta({ pattern: '^data:image/(png|webp);base64,[A-Za-z0-9+/]+={0,2}$' })
        .nullish()
        .describe(about.logo),
      message: text(1, longestMessage, { multiline: true }).nullish().describe(about.message),
      contact: z
        .string()
        .meta({ pattern: '^(mailto:|[Hh][Tt][Tt][Pp][Ss]://)' })
        .nullish()
        .describe(about.contact),
      expiredUrl: httpUrl.nullish().describe(about.expiredUrl),
    },
    success: { status: 200, description: 'It is kept.', body, example },
    exampleRequest: { body: sent },
    failures: [],
  }),
  deleteBranding: endpoint({
    method: 'DELETE',
    path: '/branding',
    access: { key: 'domains:write' },
    priority: 'write',
    summary: 'Remove the branding',
    description: 'Pages look as they do without. It does not matter whether there was any.',
    success: { status: 204, description: 'There is none any more.' },
    failures: [],
  }),
} as const;
