import * as z from 'zod';
import {
  codeModes,
  domainInUse,
  domainNotActive,
  domainStatuses,
  domainTaken,
  longestAppFile,
  sharedDomainId,
} from '../../model/domains/domains.ts';
import { reachabilityStates, recordTypes } from '../../model/domains/records.ts';
import { limitReached } from '../../model/failures.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { count, domainHost, httpUrl, timestamp, uuid, words } from '../fields.ts';

export const exampleId = '0198c5a0-5555-7b3a-9c41-3f0f6f2f8a10';
const exampleHost = 'go.example.com';
/** Pattern for a host name with at least two labels, in Unicode or Punycode. */
const twoLabels = '^[A-Za-z0-9\\u0080-\\ud7ff-]+(\\.[A-Za-z0-9\\u0080-\\ud7ff-]+)+\\.?$';
export const idInPath = uuid('Identifier of the domain.').meta({ example: exampleId });
const url = z.string().nullable();
const urlToSet = httpUrl.nullable().optional();

const include = words(['certificate', 'associationFiles'])
  .optional()
  .describe(
    'Fields to add to each domain: `certificate`, and `associationFiles` for `appleAppSiteAssociation` and `assetLinks`.',
  );
const appleFile = z.record(z.string(), z.unknown());
const androidFile = z.array(z.record(z.string(), z.unknown()));
const toolong = { params: { reason: 'too_long', max: longestAppFile } };
const isShort = (value: unknown): boolean => JSON.stringify(value).length <= longestAppFile;
const aboutApple =
  'Content of `/.well-known/apple-app-site-association`, which lets Apple apps open links on the domain. At most 16,384 characters as JSON; null for none.';
const aboutAndroid =
  'Content of `/.well-known/assetlinks.json`, which lets Android apps open links on the domain. At most 16,384 characters as JSON; null for none.';

const certificate = z
  .object({
    validUntil: timestamp('When the certificate expires; null if there is none.').nullable(),
    problem: z.string().nullable().describe('Why the last order or renewal failed; null if it succeeded.'),
    nextTryAt: timestamp('When the server next checks or renews the certificate.'),
  })
  .meta({
    id: 'DomainCertificate',
    description: 'The certificate that the server obtained for the domain automatically.',
  });

const record = z
  .object({
    purpose: z
      .enum(['ownership', 'traffic'])
      .describe('`ownership` verifies the domain, `traffic` routes visitors to this server.'),
    type: z
      .enum(recordTypes)
      .describe('Record type; an address record only if the shared domain is an IP address.'),
    name: z.string().describe('Host name of the record.'),
    value: z.string().describe('Value of the record.'),
    found: z.boolean().describe('Whether the last check found the record.'),
    others: z.array(z.string()).describe('A few of the values that the last check found instead.'),
    fault: z
      .string()
      .nullable()
      .describe('DNS error of the last check, such as `ETIMEOUT`; null if the lookup worked.'),
    reachable: z
      .enum(reachabilityStates)
      .optional()
      .describe(
        'Present if visitors on the internet cannot reach `value`: the networks that can reach it. Set `BASE_URL` first.',
      ),
  })
  .meta({ id: 'DomainRecord', description: 'A DNS record that a domain needs.' });

const domain = z
  .object({
    id: uuid('Identifier of the domain.'),
    host: z.string().describe('Host in ASCII (Punycode).'),
    hostUnicode: z.string().describe('Host in Unicode.'),
    status: z
      .enum(domainStatuses)
      .describe(
        '`pending` until verified, then `active`; `failing` if a record has been missing for three days. A failing domain still serves links.',
      ),
    isDefault: z.boolean().describe('Whether new links use this domain if the request names none.'),
    isShared: z.boolean().describe('Whether this is the installation’s own domain, shared by all accounts.'),
    codes: z
      .enum(codeModes)
      .describe('How codes are compared: `folded` is case-insensitive, `exact` is case-sensitive.'),
    rootUrl: url.describe('URL that `/` redirects to; null for a page.'),
    unknownUrl: url.describe(
      'URL that unknown codes redirect to, where `{code}` is replaced with the code; null for a 404 page.',
    ),
    expiredUrl: url.describe(
      'Where expired, exhausted and disabled links redirect if neither the link nor its folder has an `expiredUrl`; null to use the branding’s URL.',
    ),
    indexed: z.boolean().describe('Whether `robots.txt` allows crawlers to follow short URLs.'),
    golinks: z
      .boolean()
      .describe(
        'Whether hyphens in codes are ignored, and the page for unknown codes offers to create them.',
      ),
    linkCount: count('Number of the account’s links on the domain.'),
    createdAt: timestamp('When the domain was added; null for the shared domain.').nullable(),
    verifiedAt: timestamp('When ownership was first verified; null if never.').nullable(),
    checkedAt: timestamp('When the DNS records were last checked; null if never.').nullable(),
    problem: z
      .string()
      .nullable()
      .describe(
        'Problem with the DNS records or with the address they point to, including what was found instead; null if none.',
      ),
    records: z.array(record).describe('DNS records to add.'),
    certificate: certificate
      .nullable()
      .optional()
      .describe('Null if no certificate was ordered, for example because a proxy terminates TLS.'),
    appleAppSiteAssociation: appleFile.nullable().optional().describe(aboutApple),
    assetLinks: androidFile.nullable().optional().describe(aboutAndroid),
  })
  .meta({
    id: 'Domain',
    description:
      'A host that serves one account’s short URLs. Its certificate and app association files are only returned with `include`.',
  });
const body = { data: domain };

const settings = {
  codes: z
    .enum(codeModes)
    .optional()
    .describe('Default: `folded`. Can be changed until the first code is created.'),
  isDefault: z
    .boolean()
    .optional()
    .describe(
      'Whether new links use this domain if the request names none. Only one domain can be the default; otherwise, the shared domain is the default.',
    ),
  rootUrl: urlToSet.describe('URL that `/` redirects to.'),
  unknownUrl: urlToSet.describe('URL that unknown codes redirect to; `{code}` is replaced with the code.'),
  expiredUrl: urlToSet.describe('Where expired, exhausted and disabled links redirect.'),
  indexed: z
    .boolean()
    .optional()
    .describe('Whether `robots.txt` allows crawlers to follow short URLs. Default: false.'),
  golinks: z
    .boolean()
    .optional()
    .describe(
      'Whether hyphens in codes are ignored, and the page for unknown codes offers to create them. Requires `codes: folded`, and that no two codes differ only in hyphens. Default: false.',
    ),
  appleAppSiteAssociation: appleFile.refine(isShort, toolong).nullable().optional().describe(aboutApple),
  assetLinks: androidFile.refine(isShort, toolong).nullable().optional().describe(aboutAndroid),
};

const notFound = { found: false, others: [], fault: null };
const example = {
  id: exampleId,
  host: exampleHost,
  hostUnicode: exampleHost,
  status: 'pending',
  isDefault: false,
  isShared: false,
  codes: 'folded',
  rootUrl: null,
  unknownUrl: null,
  expiredUrl: null,
  indexed: false,
  golinks: false,
  linkCount: 0,
  createdAt: '2027-03-01T08:00:00.000Z',
  verifiedAt: null,
  checkedAt: null,
  problem: null,
  records: [
    {
      purpose: 'ownership',
      type: 'TXT',
      name: `_linkfold.${exampleHost}`,
      value: 'linkfold=4xHbLq0Tz3mWcN8vRk2PfYs6JdGa1EuB',
      ...notFound,
    },
    { purpose: 'traffic', type: 'CNAME', name: exampleHost, value: 'short.example.net', ...notFound },
  ],
} as const;
const proven = {
  ...example,
  status: 'active',
  verifiedAt: '2027-03-01T08:05:00.000Z',
  checkedAt: '2027-03-01T08:05:00.000Z',
  records: example.records.map((one) => ({ ...one, found: true })),
} as const;

const chosenOnce = domainInUse(exampleHost, 'codes can only be changed before the first code is created.');
const ambiguous = domainInUse(
  exampleHost,
  'the codes "on-call" and "oncall" would be the same. Change or delete one of them first.',
);

export const domainEndpoints = {
  listDomains: endpoint('GET', '/domains', {
    access: { key: 'links:read', bound: true },
    summary: 'List domains',
    description: `Returns the account’s domains and the shared domain, sorted by host. The shared domain has the ID \`${sharedDomainId}\` and cannot be changed through the API.`,
    query: { include },
    success: ok('The domains.', { data: z.array(domain) }, { data: [example] }),
    failures: ['VALIDATION_ERROR'],
  }),
  createDomain: endpoint('POST', '/domains', {
    access: { key: 'domains:write' },
    summary: 'Add a domain',
    description:
      'Returns the DNS records to add. The domain is `pending` until the server finds them. Several accounts can add the same host; the first account that verifies the host gets it. The server checks automatically for 30 days, every ten seconds at first, then less often.',
    body: {
      host: domainHost(
        'Host name with at least two labels, such as `go.example.com`, without port or wildcard.',
      ).meta({ pattern: twoLabels }),
      ...settings,
    },
    success: created('The domain was added. `Location` is its API URL.', body, { data: example }),
    exampleRequest: { body: { host: exampleHost } },
    failures: [
      domainTaken(exampleHost, true),
      domainNotActive(exampleHost),
      chosenOnce,
      limitReached('domains', 100),
    ],
  }),
  getDomain: endpoint('GET', '/domains/:id', {
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    summary: 'Get a domain',
    description: 'Returns one of the account’s domains, or the shared domain.',
    query: { include },
    success: ok('The domain.', body, { data: example }),
    failures: ['VALIDATION_ERROR', 'DOMAIN_NOT_FOUND'],
  }),
  updateDomain: endpoint('PATCH', '/domains/:id', {
    params: { id: idInPath },
    access: { key: 'domains:write' },
    summary: 'Update a domain',
    description: 'Omitted fields are unchanged; null clears a field.',
    body: settings,
    success: ok('The updated domain.', body, { data: { ...proven, rootUrl: 'https://example.com/' } }),
    exampleRequest: { body: { rootUrl: 'https://example.com/' } },
    failures: ['DOMAIN_NOT_FOUND', domainNotActive(exampleHost), chosenOnce, ambiguous],
  }),
  deleteDomain: endpoint('DELETE', '/domains/:id', {
    params: { id: idInPath },
    access: { key: 'domains:write' },
    summary: 'Delete a domain',
    description:
      'The domain’s short URLs stop working. If this account adds the domain again, its earlier codes are still reserved for it. If another account verifies the host, it starts without codes. The session must have been verified within the last 15 minutes.',
    success: { status: 204, description: 'The domain was deleted.' },
    failures: [
      'DOMAIN_NOT_FOUND',
      'REAUTHENTICATION_REQUIRED',
      domainInUse(exampleHost, 'delete its links or move them to another domain first.'),
    ],
  }),
  verifyDomain: endpoint('POST', '/domains/:id/verify', {
    params: { id: idInPath },
    access: { key: 'domains:write' },
    summary: 'Check a domain’s DNS records',
    description:
      'Checks the DNS records now, at the authoritative name servers, and returns the updated domain.',
    body: {},
    success: ok('The domain after the check.', body, { data: proven }),
    failures: ['DOMAIN_NOT_FOUND', domainTaken(exampleHost)],
  }),
} as const;
