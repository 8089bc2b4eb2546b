import * as z from 'zod';
import { maxExcludedNetworks } from '../../model/accounts/accounts.ts';
import { plans } from '../../model/accounts/plans.ts';
import { roles } from '../../model/accounts/roles.ts';
import { appSchemePattern, isForbiddenScheme, maxAppSchemes } from '../../model/app-schemes.ts';
import { endpoint, ok } from '../endpoint.ts';
import { count, timestamp, uuid } from '../fields.ts';
import { bounds } from './keys.ts';

function most(about: string) {
  return z.int().min(0).nullable().describe(about);
}

export const person = z
  .object({
    id: uuid('ID of the person in this account.'),
    name: z.string(),
    role: z.enum(roles).meta({ id: 'Role' }),
  })
  .meta({ id: 'Person', description: 'The person making the request.' });

export const identity = z
  .object({
    account: z.string().describe('Name of the account.'),
    key: z.object({
      id: z.string().describe('Public part of the key.'),
      name: z.string(),
      expiresAt: timestamp('When the key expires; null if never.').nullable(),
    }),
    person: person.nullable().describe('The signed-in person; null for API keys of programs.'),
    isOperator: z.boolean().describe('Whether the signed-in person is an operator of this installation.'),
    scopes: z.array(z.string()).describe('Scopes of the key, such as `links:read`. New scopes may be added.'),
    plan: z.enum(plans).meta({ id: 'Plan' }),
    ...bounds,
    limits: z.object({
      links: most('Maximum number of live links; null if unlimited.'),
      folders: z.int().min(0).describe('Maximum number of folders.'),
      requestsPerMinute: most('Maximum requests per minute with this key; null if unlimited.'),
      linkLifetimeDays: most(
        'Days after which links created with this key expire; null if the key can set the expiry.',
      ),
    }),
    usage: z.object({
      links: count('Number of live links.'),
      folders: count('Number of live folders.'),
    }),
  })
  .meta({ id: 'Identity', description: 'The account and permissions of a key, and the account’s usage.' });

const watchDestinations = z
  .boolean()
  .describe(
    'Whether destination monitoring is on. If off, no destination is checked, regardless of the settings of individual links.',
  );
const { ipv4, ipv6, cidrv4, cidrv6 } = z.regexes;
const networkPattern = `^(?:${[ipv4, ipv6, cidrv4, cidrv6].map(({ source }) => source.slice(1, -1)).join('|')})$`;
const isNetwork = new RegExp(networkPattern);
const network = z
  .string()
  .refine((value) => isNetwork.test(value), { params: { reason: 'no_network' } })
  .refine((value) => !value.endsWith('/0'), { params: { reason: 'every_address' } })
  .meta({ maxLength: 43, pattern: networkPattern });
const excludedNetworks = z
  .array(network)
  .max(maxExcludedNetworks)
  .describe(
    'IP addresses and networks in CIDR notation whose visits are redirected but not counted: no click, no use of `maxClicks`, no event. `/0` is rejected, because it would exclude every visitor.',
  );
const appScheme = z
  .string()
  .toLowerCase()
  .refine((value) => appSchemePattern.test(value), { params: { reason: 'no_scheme' } })
  .refine((value) => !isForbiddenScheme(value), { params: { reason: 'forbidden_scheme' } })
  .meta({ minLength: 2, maxLength: 50, pattern: '^[A-Za-z][A-Za-z0-9+.-]*$' });
const appSchemes = z
  .array(appScheme)
  .max(maxAppSchemes)
  .describe(
    'URL schemes that redirect rules may use to open apps, such as `acme` for `acme://item/1`. Schemes used by the web, scripts, files and browsers are rejected. If a rule’s app uses a scheme that is missing here, the rule redirects to the store page, if any, or else to the web page.',
  );
const account = z
  .object({
    name: z.string().describe('Name of the account.'),
    watchDestinations,
    excludedNetworks,
    appSchemes,
  })
  .meta({ id: 'Account', description: 'Settings of the account.' });
const browserExclusion = z
  .object({
    domain: z.string().describe('Host of the domain.'),
    excludeUrl: z
      .url()
      .describe('Open this URL in a browser and confirm to exclude that browser’s visits on this domain.'),
    countUrl: z
      .url()
      .describe(
        'Open this URL in a browser and confirm to count that browser’s visits on this domain again.',
      ),
    expiresAt: timestamp('When both URLs stop working: ten minutes after the request.'),
  })
  .meta({
    id: 'BrowserExclusion',
    description: 'URLs on one domain for excluding a browser from the statistics or counting it again.',
  });
const exampleMark = 'https://go.example.com/.well-known/linkfold-visits/1';
const exampleSignature = 'GqFR8c0lB1uyZqfWJ0cKzqU3oTVdXy7mN4sPeHhQ2aE';
const success = ok(
  'The account.',
  { data: account },
  {
    data: {
      name: 'default',
      watchDestinations: false,
      excludedNetworks: ['203.0.113.0/24'],
      appSchemes: ['acme'],
    },
  },
);

export const accountEndpoints = {
  me: endpoint('GET', '/me', {
    access: { key: 'any', bound: true },
    summary: 'Get the current key',
    description:
      'Returns the key’s account and permissions, and the account’s usage. Works with any valid key.',
    success: ok(
      'The current account and key.',
      { data: identity },
      {
        data: {
          account: 'default',
          key: { id: '4fT9qLz2', name: 'first key', expiresAt: null },
          person: null,
          isOperator: false,
          scopes: ['links:read', 'links:write', 'analytics:read'],
          plan: 'enterprise',
          domains: null,
          folders: null,
          limits: { links: null, folders: 1000, requestsPerMinute: null, linkLifetimeDays: null },
          usage: { links: 1, folders: 0 },
        },
      },
    ),
  }),
  getAccount: endpoint('GET', '/account', {
    access: { key: 'links:read', bound: true },
    summary: 'Get account settings',
    description: 'Returns settings that apply to all of the account’s links.',
    success,
  }),
  updateAccount: endpoint('PATCH', '/account', {
    access: { key: 'domains:write' },
    summary: 'Update account settings',
    description: 'Omitted fields are unchanged.',
    body: {
      watchDestinations: watchDestinations.optional(),
      excludedNetworks: excludedNetworks.optional(),
      appSchemes: appSchemes.optional(),
    },
    success,
    exampleRequest: { body: { excludedNetworks: ['203.0.113.0/24', '2001:db8::/48'] } },
  }),
  listBrowserExclusions: endpoint('GET', '/account/browser-exclusions', {
    access: { key: 'links:read', bound: true },
    summary: 'Exclude your browser from statistics',
    description:
      'Returns two signed URLs for each active domain. Open them in your browser: one sets a cookie, so that this browser’s visits to the account’s links are redirected but not counted; the other removes it. The cookie identifies only the account, and lasts 400 days.',
    success: ok(
      'The domains with their URLs.',
      { data: z.array(browserExclusion) },
      {
        data: [
          {
            domain: 'go.example.com',
            excludeUrl: `${exampleMark}.exclude.1803893400.${exampleSignature}`,
            countUrl: `${exampleMark}.count.1803893400.${exampleSignature}`,
            expiresAt: '2027-03-01T09:10:00.000Z',
          },
        ],
      },
    ),
  }),
} as const;
