import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { exits, Stop } from '../terminal/exits.ts';
import type { RowOf } from '../terminal/kinds.ts';
import { withTools } from '../terminal/local.ts';
import { readText } from '../terminal/options.ts';
import { type Column, clean, count, note, printLine } from '../terminal/print.ts';
import { addLocalVerb, addRecordVerb, addResource, addVerb } from '../terminal/resources.ts';
import { noSuchAccount } from './account-names.ts';

type Domain = Awaited<ReturnType<Client['verifyDomain']>>;
type Change = NonNullable<Parameters<Client['updateDomain']>[1]>;

const columns: readonly Column<RowOf<'domain'>>[] = [
  { title: 'HOST', of: ({ host }) => host },
  { title: 'STATUS', of: ({ status, isShared }) => (isShared ? 'shared' : status) },
  { title: 'LINKS', of: ({ linkCount }) => count(linkCount), right: true },
  { title: 'DEFAULT', of: ({ isDefault }) => (isDefault ? 'default' : '') },
  { title: 'CERTIFICATE UNTIL', of: ({ certificate }) => certificate?.validUntil ?? '', spare: 1 },
  { title: 'PROBLEM', of: ({ problem }) => problem ?? '', cut: true },
];

interface Settings {
  readonly rootUrl?: string;
  readonly unknownUrl?: string;
  readonly expiredUrl?: string;
  readonly indexed?: string;
  readonly golinks?: string;
  readonly codes?: 'folded' | 'exact';
  readonly default?: boolean;
  readonly appleAppSiteAssociation?: NonNullable<Change['appleAppSiteAssociation']> | null;
  readonly assetLinks?: NonNullable<Change['assetLinks']> | null;
}

const settings = [
  ['--root-url <url>', 'URL that / redirects to; empty for a page'],
  ['--unknown-url <url>', 'URL that unknown codes redirect to; empty for a 404 page'],
  ['--expired-url <url>', 'where expired links redirect; empty for the branding’s URL'],
  new Option('--indexed <boolean>', 'let crawlers follow the domain’s short URLs').choices(['true', 'false']),
  new Option('--golinks <boolean>', 'ignore hyphens in codes, and offer to create unknown codes').choices([
    'true',
    'false',
  ]),
  new Option('--codes <mode>', 'folded: codes ignore case; exact: case matters').choices(['folded', 'exact']),
  ['--default', 'create links on this domain unless a command names another domain'],
  [
    '--apple-app-site-association <file>',
    'JSON file that lets apps on Apple’s systems open the domain’s links; empty for none',
    readJson,
  ],
  [
    '--asset-links <file>',
    'JSON file that lets apps on Android open the domain’s links; empty for none',
    readJson,
  ],
] as const;

export function addDomains(program: Command): void {
  addResource(
    program,
    'domain',
    {
      about: 'Domains for short links',
      columns: () => columns,
      none: 'No domains yet. To add one: linkfold domains create HOST',
      list: {
        about: 'List domains, including the shared one',
        examples: [['linkfold domains list', 'by host']],
      },
      get: {
        about: 'Show a domain and the DNS records that it needs',
        examples: [['linkfold domains get s.example.com', 'as of the last check']],
        read: (client, id) => client.getDomain(id, { include: ['certificate'] }),
        show: printDomain,
      },
      delete: {
        about: 'Delete a domain; its codes stay reserved for the account',
        examples: [['linkfold domains delete go.example.com', 'its short URLs stop working']],
        refused: 'the domain still has links',
        run: (client, id) => client.deleteDomain(id),
      },
    },
    addOthers,
  );
}

/** A domain that the operator added to an account. */
interface ProvenDomain {
  readonly id: string;
  readonly host: string;
  readonly account: string;
  readonly status: string;
}

interface CreateOptions extends Settings {
  readonly proven?: true;
  readonly account?: string;
  readonly json?: true;
}

function addOthers(domains: Command): void {
  addVerb(domains, 'create', {
    about: 'Add a domain and print the DNS records to set',
    examples: [
      ['linkfold domains create go.example.com', 'add the records, then run: linkfold domains verify'],
      ['linkfold domains create go.example.com --account acme --proven', 'as the operator, without DNS'],
    ],
    notes:
      'With --proven, the command works on the local installation: the domain is active immediately, for the account of --account.',
    refused: 'the account already has the domain, or another account has verified the domain',
    args: [['<host>', 'a name with at least two labels, such as go.example.com']],
    options: [
      ...settings,
      ['--proven', 'skip the DNS check, as the operator; requires --account'],
      ['--account <name>', 'the account, with --proven'],
    ],
    local([host]: [string], options: CreateOptions): Promise<Domain | ProvenDomain> | undefined {
      if (options.proven) return addProven(host, options);
      if (options.account !== undefined) throw new Stop(exits.usage, '--account requires --proven.');
      return undefined;
    },
    run: ({ client }, [host], options) => client.createDomain({ host, ...changeIn(options) }),
    show: (domain) =>
      'account' in domain
        ? note(`The domain ${domain.host} is active for the account ${clean(domain.account)}.`)
        : printDomain(domain),
  });

  addRecordVerb(domains, 'domain', 'update', {
    about: 'Change a domain’s settings',
    examples: [
      ['linkfold domains update go.example.com --default', 'new links use this domain from now on'],
      ['linkfold domains update go.example.com --golinks true', 'go/on-call opens go/oncall'],
      ["linkfold domains update go.example.com --root-url ''", 'an empty value removes the URL'],
    ],
    refused: 'a value is not valid',
    options: [...settings, ['--no-default', 'make the shared domain the default again']],
    run: ({ client }, id, options: Settings) => client.updateDomain(id, changeIn(options)),
    show: printDomain,
  });

  addRecordVerb(domains, 'domain', 'verify', {
    about: 'Check a domain’s DNS records now',
    examples: [['linkfold domains verify go.example.com', 'prints the state of each record']],
    refused: 'another account has verified the host',
    run: ({ client }, id) => client.verifyDomain(id),
    show: printDomain,
  });
  addRelease(domains);
}

function changeIn({ codes, indexed, golinks, ...options }: Settings): Change {
  const url = (text: string | undefined): string | null | undefined => (text === '' ? null : text);
  const given = {
    rootUrl: url(options.rootUrl),
    unknownUrl: url(options.unknownUrl),
    expiredUrl: url(options.expiredUrl),
    codes,
    indexed: isTrue(indexed),
    golinks: isTrue(golinks),
    isDefault: options.default,
    appleAppSiteAssociation: options.appleAppSiteAssociation,
    assetLinks: options.assetLinks,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function isTrue(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true';
}

function readJson(path: string): unknown {
  if (path === '') return null;
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(`The file ${path} is not valid JSON.`);
  }
}

async function addProven(host: string, options: CreateOptions): Promise<ProvenDomain> {
  const { account, json } = options;
  if (account === undefined) throw new Stop(exits.usage, '--proven requires --account.');
  const { createDomain, hostProblems } = await import('../../model/domains/own-domains.ts');
  const { ownHosts } = await import('../../app/hosts.ts');
  const { createStamps } = await import('../../model/stamps.ts');
  const [problem] = hostProblems(host);
  if (problem !== undefined) throw new Stop(exits.refused, problem.message);
  const { rootUrl, unknownUrl, expiredUrl, appleAppSiteAssociation, assetLinks, ...settings } =
    changeIn(options);
  if (rootUrl || unknownUrl || expiredUrl || appleAppSiteAssociation || assetLinks)
    throw new Stop(
      exits.usage,
      'URLs and files cannot be combined with --proven. Set the URLs and files afterwards with: linkfold domains update',
    );
  return withTools({ json }, async ({ storage, now, randomBytes }, config) => {
    const found = (await storage.accounts()).find(({ name }) => name === account);
    if (found === undefined) throw await noSuchAccount(storage, account);
    const stamp = createStamps({ now, randomBytes, newest: await storage.newest(), onClockBehind: () => {} });
    const hosts = ownHosts(config);
    const isOwnHost = (name: string): boolean => hosts.includes(name);
    const context = { stamp, randomBytes, isOwnHost, domainLimit: config.DOMAIN_LIMIT, writes: storage };
    const draft = { host, ...(settings as { codes?: 'folded' | 'exact' }) };
    const domain = await createDomain(context, found.id, draft, true);
    return { id: domain.id, host: domain.host, account, status: domain.status };
  });
}

function printDomain(domain: Domain): void {
  const state = domain.isShared ? 'shared' : domain.status;
  note(`The domain ${domain.hostUnicode} is ${state}${domain.isDefault ? ', and the default' : ''}.`);
  for (const record of domain.records) {
    const { type, name, value, others, fault, reachable } = record;
    if (reachable === 'this-machine' && !record.found) continue;
    printLine(`${stateOf(record).padEnd(7)}  ${type.padEnd(5)}  ${name}  ${value}`);
    if (others.length > 0) note(`         found instead: ${others.map(clean).join(', ')}`);
    if (fault !== null) note(`         its name servers did not respond: ${clean(fault)}`);
  }
  const { certificate } = domain;
  if (certificate != null) {
    const until = certificate.validUntil ?? 'none yet';
    note(`Certificate: ${until}${certificate.problem === null ? '' : `; ${clean(certificate.problem)}`}`);
  }
  if (domain.problem !== null) note(clean(domain.problem));
  else if (domain.status === 'pending')
    note('Add these records at your DNS provider, wait a few minutes, then run: linkfold domains verify');
}

function stateOf({ found, others, fault }: Domain['records'][number]): string {
  if (found) return 'found';
  if (fault !== null) return 'unknown';
  return others.length === 0 ? 'missing' : 'wrong';
}

function addRelease(domains: Command): void {
  addLocalVerb(domains, 'release', {
    about: 'Release a host from its account, as the operator',
    examples: [['linkfold domains release go.example.com', 'if the domain name has a new owner']],
    notes:
      'Afterwards, another account can verify the host. Links on the host stay in the old account and stop working until that account verifies the host again. The command works on the local installation.',
    refused: 'no account has verified the host',
    args: [['<host>', 'such as go.example.com']],
    run: async ({ storage, randomBytes }, [host]: [string]) => {
      const { releaseDomain } = await import('../../model/domains/own-domains.ts');
      if (!(await releaseDomain({ writes: storage, randomBytes }, host)))
        throw new Stop(exits.refused, `No account has verified ${clean(host)}.`);
      return { host };
    },
    show: ({ host }) => note(`Released ${clean(host)}. Any account can verify it now.`),
  });
}
