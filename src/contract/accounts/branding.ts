import * as z from 'zod';
import { endpoint, ok } from '../endpoint.ts';
import { colour, httpUrl, nameText, text, timestamp } from '../fields.ts';

const maxNameLength = 50;
const maxMessageLength = 500;

const about = {
  name: 'Shown at the top of pages instead of the Linkfold logo.',
  accent:
    'Color of buttons and links, such as `#1f4d41`. Contrast is adjusted so that text stays readable in light and dark mode.',
  logo: 'PNG or WebP image as a data URL, at most 32 KiB and 2,048 pixels per side. Shown on a light background instead of the name.',
  message: 'Text below the title on the pages for unavailable links, instead of the default text.',
  contact: '`mailto:` or `https:` URL that the pages for unavailable links link to.',
  expiredUrl:
    'URL to send visitors to when a link is expired, exhausted or disabled and neither the link nor its folder has an `expiredUrl`. These visits are not counted as clicks.',
} as const;

const branding = z
  .object({
    name: z.string().nullable().describe(about.name),
    accent: z.string().nullable().describe(about.accent),
    logo: z.string().nullable().describe(about.logo),
    message: z.string().nullable().describe(about.message),
    contact: z.string().nullable().describe(about.contact),
    expiredUrl: z.string().nullable().describe(about.expiredUrl),
    updatedAt: timestamp('When the branding was last saved; null if never.').nullable(),
  })
  .meta({ id: 'Branding', description: 'Branding of the pages that visitors to the account’s links see.' });

const sent = {
  name: 'Acme Bikes',
  accent: '#1f4d41',
  logo: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  message: 'This campaign is over. Our rides are at acme.example.',
  contact: 'mailto:hello@acme.example',
  expiredUrl: null,
} as const;
const example = { data: { ...sent, updatedAt: '2027-03-01T08:00:00.000Z' } };
const body = { data: branding };

/** Endpoints for the branding that visitors see. */
export const brandingEndpoints = {
  getBranding: endpoint('GET', '/branding', {
    access: { key: 'links:read', bound: true },
    summary: 'Get the branding',
    description: 'Returns the branding of the account’s pages. All fields are null until you set them.',
    success: ok('The branding.', body, example),
  }),
  putBranding: endpoint('PUT', '/branding', {
    access: { key: 'domains:write' },
    summary: 'Set the branding',
    description:
      'Replaces the branding: fields that you omit or set to null are removed. Changes appear within a second on the pages for unavailable links, previews (`code+`) and confirmation pages.',
    needsBody: true,
    body: {
      name: nameText(1, maxNameLength).nullish().describe(about.name),
      accent: colour().nullish().describe(about.accent),
      logo: z
        .string()
        .meta({ pattern: '^data:image/(png|webp);base64,[A-Za-z0-9+/]+={0,2}$' })
        .nullish()
        .describe(about.logo),
      message: text(1, maxMessageLength, { multiline: true }).nullish().describe(about.message),
      contact: z
        .string()
        .meta({ pattern: '^(mailto:|[Hh][Tt][Tt][Pp][Ss]://)' })
        .nullish()
        .describe(about.contact),
      expiredUrl: httpUrl.nullish().describe(about.expiredUrl),
    },
    success: ok('The branding was saved.', body, example),
    exampleRequest: { body: sent },
  }),
  deleteBranding: endpoint('DELETE', '/branding', {
    access: { key: 'domains:write' },
    summary: 'Remove the branding',
    description: 'Resets pages to the default branding. Succeeds even if no branding was set.',
    success: { status: 204, description: 'The branding was removed.' },
  }),
} as const;
