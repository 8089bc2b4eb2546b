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
import { recordTypes } from '../../model/domains/records.ts';
import { limitReached } from '../../model/failures.ts';
import { endpoint } from '../endpoint.ts';
import { count, domainHost, httpUrl, timestamp, uuid, words } from '../fields.ts';

const exampleId = '0198c5a0-5555-7b3a-9c41-3f0f6f2f8a10';
const exampleHost = 'go.example.com';
/** Labels of letters, also of other scripts. */
const twoLabels = '^[A-Za-z0-9\\u0080-\\ud7ff-]+(\\.[A-Za-z0-9\\u0080-\\ud7ff-]+)+\\.?$';
const idInPath = uuid('Identifier of the domain.').meta({ example: exampleId });
const url = z.string().nullable();
const urlToSet = httpUrl.nullable().optional();

const include = words(['certificate', 'associationFiles'])
  .optional()
  .describe(
    'More about each domain: `certificate`, and `associationFiles` for `appleAppSiteAssociation` and `assetLinks`.',
  );
const appleFile = z.record(z.string(), z.unknown());
const androidFile = z.array(z.record(z.string(), z.unknown()));
const toolong = { params: { reason: 'too_long', max: longestAppFile } };
const isShort = (value: unknown): boolean => JSON.stringify(value).length <= longestAppFile;
const aboutApple =
  'The file by which apps on Apple’s systems open links of the domain: what `/.well-known/apple-app-site-association` answers. As JSON at most 16,384 characters; null for none.';
const aboutAndroid =
  'The same for Android: what `/.well-known/assetlinks.json` answers. As JSON at most 16,384 characters; null for none.';

const certificate = z
  .object({
    validUntil: timestamp('When it ends; null while there is none.').nullable(),
    problem: z
      .string()
      .nullable()
      .describe('Why it could not be ordered or renewed at the last try; null when nothing went wrong.'),
    nextTryAt: timestamp('When it is looked after again.'),
  })
  .meta({
    id: 'DomainCertificate',
    description: 'The certificate that the server got for a domain by itself.',
  });

const record = z
  .object({
    purpose: z
      .enum(['ownership', 'traffic'])
      .describe('`ownership` proves whose it is, `traffic` leads visitors here.'),
    type: z.enum(recordTypes).describe('Of the record; an address only where the shared domain is one.'),
    name: z.string().describe('Where to set it.'),
    value: z.string().describe('What to set.'),
    found: z.boolean().describe('Whether it was there at the last look.'),
    others: z.array(z.string()).describe('What stood there instead at the last look: the first few values.'),
    fault: z
      .string()
      .nullable()
      .describe('Why nobody could say at the last look, such as `ETIMEOUT`; null when somebody did.'),
  })
  .meta({ id: 'DomainRecord', description: 'A DNS record that a domain needs.' });

const domain = z
  .object({
    id: uuid('Identifier of the domain.'),
    host: z.string().describe('In A-labels.'),
    hostUnicode: z.string().describe('As people read it.'),
    status: z
      .enum(domainStatuses)
      .describe(
        '`pending` until it is proven, then `active`; `failing` when a record has been gone for three days. It serves all the same.',
      ),
    isDefault: z.boolean().describe('Whether links are made there when no domain is named.'),
    isShared: z.boolean().describe('Whether it is the one of the installation, which all accounts share.'),
    codes: z
      .enum(codeModes)
      .describe('Whether case matters in its codes: not in `folded`, it does in `exact`.'),
    rootUrl: url.describe('Where `/` leads; null for a page.'),
    unknownUrl: url.describe('URL for unknown codes, in which `{code}` stands for the code; null for a 404.'),
    expiredUrl: url.describe(
      'Where visitors go of a link that is over, when neither the link nor its folder says so; null for what the account says.',
    ),
    indexed: z.boolean().describe('Whether crawlers may follow its short URLs, as its `robots.txt` says.'),
    linkCount: count('Links of the account on it.'),
    createdAt: timestamp('When it was added; null for the shared one.').nullable(),
    verifiedAt: timestamp('When it was proven first; null for never.').nullable(),
    checkedAt: timestamp('When its records were looked at last; null for never.').nullable(),
    problem: z
      .string()
      .nullable()
      .describe('What is wrong with its records, and what was found instead; null for nothing.'),
    records: z.array(record).describe('The records that it needs.'),
    certificate: certificate
      .nullable()
      .optional()
      .describe('Null while none was ordered, as where a proxy has the certificates.'),
    appleAppSiteAssociation: appleFile.nullable().optional().describe(aboutApple),
    assetLinks: androidFile.nullable().optional().describe(aboutAndroid),
  })
  .meta({
    id: 'Domain',
    description:
      'A host whose short URLs lead to links of one account; its certificate and the files for apps by `include` only.',
  });
const one = z.object({ success: z.literal(true), data: domain });

const settings = {
  codes: z
    .enum(codeModes)
    .optional()
    .describe('`folded` unless it is given. It can be changed while no code was ever made there.'),
  isDefault: z
    .boolean()
    .optional()
    .describe(
      'Whether links are made there when no domain is named. One domain at most is the default; without one it is the shared one.',
    ),
  rootUrl: urlToSet.describe('Where `/` leads.'),
  unknownUrl: urlToSet.describe('URL for unknown codes; `{code}` stands for the code.'),
  expiredUrl: urlToSet.describe('Where visitors go of links that are over.'),
  indexed: z
    .boolean()
    .optional()
    .describe('Whether crawlers may follow its short URLs; not unless it is given.'),
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

const chosenOnce = domainInUse(
  exampleHost,
  'how its codes are compared can be chosen only while none was made there.',
);

export const domainEndpoints = {
  listDomains: endpoint({
    method: 'GET',
    path: '/domains',
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'List domains',
    description: `The domains of the account and the shared one, by their hosts. The shared one has the id \`${sharedDomainId}\`; nobody changes it here.`,
    query: { include },
    success: {
      status: 200,
      description: 'The domains.',
      body: z.object({ success: z.literal(true), data: z.array(domain) }),
      example: { success: true, data: [example] },
    },
    failures: ['VALIDATION_ERROR'],
  }),
  createDomain: endpoint({
    method: 'POST',
    path: '/domains',
    access: { key: 'domains:write' },
    priority: 'write',
    summary: 'Add a domain',
    description:
      'The answer says which DNS records to set. Until they are found the domain is `pending`; several accounts may wait for one host, and the first that proves it has it. The server looks by itself, at first every ten seconds, later less often, for 30 days.',
    body: {
      host: domainHost(
        'A name of two labels or more, such as `go.example.com`; without port and wildcard.',
      ).meta({ pattern: twoLabels }),
      ...settings,
    },
    success: {
      status: 201,
      description: 'The domain was added. `Location` carries its address in the API.',
      body: one,
      example: { success: true, data: example },
    },
    exampleRequest: { body: { host: exampleHost } },
    failures: [
      domainTaken(exampleHost, true),
      domainNotActive(exampleHost),
      chosenOnce,
      limitReached('domains', 100),
    ],
  }),
  getDomain: endpoint({
    method: 'GET',
    path: '/domains/:id',
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Get one domain',
    description: 'One domain of the account, or the shared one.',
    query: { include },
    success: {
      status: 200,
      description: 'The domain.',
      body: one,
      example: { success: true, data: example },
    },
    failures: ['VALIDATION_ERROR', 'DOMAIN_NOT_FOUND'],
  }),
  updateDomain: endpoint({
    method: 'PATCH',
    path: '/domains/:id',
    params: { id: idInPath },
    access: { key: 'domains:write' },
    priority: 'write',
    summary: 'Change a domain',
    description: 'An absent field stays; null clears.',
    body: settings,
    success: {
      status: 200,
      description: 'The domain after the change.',
      body: one,
      example: { success: true, data: { ...proven, rootUrl: 'https://example.com/' } },
    },
    exampleRequest: { body: { rootUrl: 'https://example.com/' } },
    failures: ['DOMAIN_NOT_FOUND', domainNotActive(exampleHost), chosenOnce],
  }),
  deleteDomain: endpoint({
    method: 'DELETE',
    path: '/domains/:id',
    params: { id: idInPath },
    access: { key: 'domains:write' },
    priority: 'write',
    summary: 'Delete a domain',
    description:
      'Its short URLs answer no more. Codes that were made there stay with the account, should the domain come back to it; another account that proves the host begins empty. A session must have begun within 15 minutes.',
    success: { status: 204, description: 'The domain is deleted.' },
    failures: [
      'DOMAIN_NOT_FOUND',
      'REAUTHENTICATION_REQUIRED',
      domainInUse(exampleHost, 'delete its links first, or give them codes of another domain.'),
    ],
  }),
  verifyDomain: endpoint({
    method: 'POST',
    path: '/domains/:id/verify',
    params: { id: idInPath },
    access: { key: 'domains:write' },
    priority: 'write',
    summary: 'Look at the records of a domain',
    description: 'Looks now, at the name servers of the host itself, and answers the domain as it is then.',
    body: {},
    success: {
      status: 200,
      description: 'The domain, with what was found.',
      body: one,
      example: { success: true, data: proven },
    },
    failures: ['DOMAIN_NOT_FOUND', domainTaken(exampleHost)],
  }),
} as const;
