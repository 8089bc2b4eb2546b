import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { readText } from '../terminal/options.ts';
import { type Column, clean, count, note, say, sayJson, sayTable } from '../terminal/print.ts';
import { domainId } from '../terminal/references.ts';
import { addServerCommand, openClient, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { noSuchAccount } from './account-names.ts';

type Domain = Awaited<ReturnType<Client['listDomains']>>[number];
type Change = Parameters<Client['updateDomain']>[1];

const columns: readonly Column<Domain>[] = [
  { title: 'HOST', of: ({ host }) => host },
  { title: 'STATUS', of: ({ status, isShared }) => (isShared ? 'shared' : status) },
  { title: 'LINKS', of: ({ linkCount }) => count(linkCount), right: true },
  { title: 'DEFAULT', of: ({ isDefault }) => (isDefault ? 'default' : '') },
  { title: 'CERTIFICATE UNTIL', of: ({ certificate }) => certificate?.validUntil ?? '', spare: 1 },
  { title: 'PROBLEM', of: ({ problem }) => problem ?? '', cut: true },
];

interface SettingOptions extends RemoteOptions {
  readonly rootUrl?: string;
  readonly unknownUrl?: string;
  readonly expiredUrl?: string;
  readonly indexed?: string;
  readonly codes?: 'folded' | 'exact';
  readonly default?: boolean;
  readonly appleAppSiteAssociation?: unknown;
  readonly assetLinks?: unknown;
}

interface AddOptions extends SettingOptions {
  readonly proven?: true;
  readonly account?: string;
}

/** Adds the commands for hosts of the account. */
export function addDomains(program: Command): void {
  const domains = addGroup(program, 'domains', 'Hosts of the account for short links, through a server');
  addList(domains);
  addAdd(domains);
  addShow(domains);
  addSet(domains);
  addRemove(domains);
  addRelease(domains);
}

function addList(domains: Command): void {
  addServerCommand(domains, 'list', 'List domains, the shared one too', {
    examples: [['linkfold domains list', 'by their hosts']],
  }).action(async (options: RemoteOptions) => {
    const found = await (await openClient(options)).listDomains({ include: ['certificate'] });
    if (options.json) sayJson(found);
    else sayTable(found, columns);
  });
}

function withSettings(command: Command): Command {
  return command
    .option('--root-url <url>', 'where / leads; empty for a page')
    .option('--unknown-url <url>', 'where unknown codes lead; empty for a 404')
    .option(
      '--expired-url <url>',
      'where visitors go of links that are over; empty for what the account says',
    )
    .addOption(
      new Option('--indexed <boolean>', 'whether crawlers may follow its short URLs').choices([
        'true',
        'false',
      ]),
    )
    .addOption(
      new Option('--codes <mode>', 'folded: case does not matter in codes; exact: it does').choices([
        'folded',
        'exact',
      ]),
    )
    .option('--default', 'make links there when no domain is named')
    .option(
      '--apple-app-site-association <file>',
      'JSON file by which apps on Apple’s systems open its links; empty for none',
      readJson,
    )
    .option(
      '--asset-links <file>',
      'JSON file by which apps on Android open its links; empty for none',
      readJson,
    );
}

function settingsIn({ codes, indexed, ...options }: SettingOptions): Change {
  const url = (text: string | undefined): string | null | undefined => (text === '' ? null : text);
  const given = {
    rootUrl: url(options.rootUrl),
    unknownUrl: url(options.unknownUrl),
    expiredUrl: url(options.expiredUrl),
    codes,
    indexed: indexed === undefined ? undefined : indexed === 'true',
    isDefault: options.default,
    appleAppSiteAssociation: options.appleAppSiteAssociation,
    assetLinks: options.assetLinks,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Change;
}

function readJson(path: string): unknown {
  if (path === '') return null;
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(`The file ${path} is not JSON.`);
  }
}

function addAdd(domains: Command): void {
  withSettings(
    addServerCommand(domains, 'add', 'Add a domain; prints the DNS records that prove it', {
      examples: [
        ['linkfold domains add go.example.com', 'then set the records, and: linkfold domains verify'],
        ['linkfold domains add go.example.com --account acme --proven', 'by the operator, without DNS'],
      ],
      notes:
        'With --proven the command works on the installation that the settings name, for the account named, and the domain serves at once.',
      refused: 'the account has the domain already, or another one has proven it',
    }),
  )
    .argument('<host>', 'a name of two labels or more, such as go.example.com')
    .option('--proven', 'the operator says that it is the account’s; needs --account')
    .option('--account <name>', 'the account, with --proven')
    .action(async (host: string, options: AddOptions) => {
      if (options.proven === true) return addProven(host, options);
      if (options.account !== undefined) throw new Stop(exits.usage, '--account is only for --proven.');
      const made = await (await openClient(options)).createDomain({ host, ...settingsIn(options) });
      sayDomain(made, options);
    });
}

async function addProven(host: string, options: AddOptions): Promise<void> {
  const { account, json } = options;
  if (account === undefined) throw new Stop(exits.usage, '--proven needs --account.');
  const { createDomain, hostProblems } = await import('../../model/domains/own-domains.ts');
  const { ownHosts } = await import('../../app/hosts.ts');
  const { createStamps } = await import('../../model/stamps.ts');
  const [problem] = hostProblems(host);
  if (problem !== undefined) throw new Stop(exits.refused, problem.message);
  await withTools({ json }, async ({ storage, now, randomBytes }, config) => {
    const found = (await storage.accounts()).find(({ name }) => name === account);
    if (found === undefined) throw await noSuchAccount(storage, account);
    const stamp = createStamps({ now, randomBytes, newest: await storage.newest(), onClockBehind: () => {} });
    const hosts = ownHosts(config);
    const isOwnHost = (name: string): boolean => hosts.includes(name);
    const context = { stamp, randomBytes, isOwnHost, domainLimit: config.DOMAIN_LIMIT, writes: storage };
    const { rootUrl, unknownUrl, expiredUrl, ...rest } = settingsIn(options) ?? {};
    if (rootUrl || unknownUrl || expiredUrl || rest.appleAppSiteAssociation || rest.assetLinks)
      throw new Stop(exits.usage, 'With --proven set URLs and files afterwards: linkfold domains set.');
    const settings = {
      host,
      ...(rest as { codes?: 'folded' | 'exact'; isDefault?: boolean; indexed?: boolean }),
    };
    const made = await createDomain(context, found.id, settings, true);
    if (json) sayJson({ id: made.id, host: made.host, account, status: made.status });
    else note(`The domain ${made.host} is proven for the account ${clean(account)}.`);
  });
}

function sayDomain(domain: Domain, { json }: RemoteOptions): void {
  if (json) return sayJson(domain);
  const state = domain.isShared ? 'the shared one' : domain.status;
  note(`The domain ${domain.hostUnicode} is ${state}${domain.isDefault ? ', and the default' : ''}.`);
  for (const record of domain.records) {
    const { type, name, value, others, fault } = record;
    say(`${stateOf(record).padEnd(7)}  ${type.padEnd(5)}  ${name}  ${value}`);
    if (others.length > 0) note(`         found instead: ${others.map(clean).join(', ')}`);
    if (fault !== null) note(`         its name servers did not answer: ${clean(fault)}`);
  }
  const { certificate } = domain;
  if (certificate != null) {
    const until = certificate.validUntil ?? 'none yet';
    note(`Certificate: ${until}${certificate.problem === null ? '' : `; ${clean(certificate.problem)}`}`);
  }
  if (domain.problem !== null) note(clean(domain.problem));
  else if (domain.status === 'pending')
    note(
      'Set these records where the name is registered, then: linkfold domains verify. It takes some minutes.',
    );
}

function stateOf({ found, others, fault }: Domain['records'][number]): string {
  if (found) return 'found';
  return fault === null ? (others.length === 0 ? 'missing' : 'wrong') : 'unknown';
}

function addShow(domains: Command): void {
  const verbs = [
    ['show', 'Show a domain and the records that it needs', 'as they were at the last look'],
    ['verify', 'Look at the records of a domain now', 'found and missing, a line each'],
  ] as const;
  for (const [verb, about, example] of verbs)
    addServerCommand(domains, verb, about, {
      examples: [[`linkfold domains ${verb} go.example.com`, example]],
      ...(verb === 'verify' && { refused: 'another account has proven the host' }),
    })
      .argument('<domain>', 'host or id of the domain')
      .action(async (given: string, options: RemoteOptions) => {
        const place = await openPlace(options);
        const id = await domainId(place, given);
        const { client } = place;
        sayDomain(
          await (verb === 'show'
            ? client.getDomain(id, { include: ['certificate'] })
            : client.verifyDomain(id)),
          options,
        );
      });
}

function addSet(domains: Command): void {
  withSettings(
    addServerCommand(domains, 'set', 'Change the settings of a domain; what is not named stays', {
      examples: [
        ['linkfold domains set go.example.com --default', 'links are made there from now on'],
        ["linkfold domains set go.example.com --root-url ''", 'an empty text removes it'],
      ],
      refused: 'a value is refused',
    }),
  )
    .argument('<domain>', 'host or id of the domain')
    .option('--no-default', 'the shared domain is the default again')
    .action(async (given: string, options: SettingOptions) => {
      const place = await openPlace(options);
      const change = settingsIn(options);
      if (Object.keys(change ?? {}).length === 0)
        throw new Stop(exits.usage, 'Nothing to change: give an option.');
      sayDomain(await place.client.updateDomain(await domainId(place, given), change), options);
    });
}

function addRemove(domains: Command): void {
  addServerCommand(domains, 'rm', 'Delete a domain; its codes stay with the account', {
    examples: [['linkfold domains rm go.example.com', 'its short URLs answer no more']],
    refused: 'links stand there',
  })
    .argument('<domain>', 'host or id of the domain')
    .action(async (given: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const id = await domainId(place, given);
      await place.client.deleteDomain(id);
      if (options.json) sayJson({ deleted: [id] });
      else note(`Deleted the domain ${clean(given)}.`);
    });
}

function addRelease(domains: Command): void {
  addCommand(
    domains,
    'release',
    'Take a host from its account, by the operator, so that another one can prove it',
    {
      reaches: 'database',
      examples: [['linkfold domains release go.example.com', 'when its name has another owner now']],
      notes:
        'Its links stay with the account, and answer no more until the account proves the host again. Works on the installation that the settings name.',
      refused: 'nobody has proven the host',
    },
  )
    .argument('<host>', 'such as go.example.com')
    .option(...jsonOption)
    .action(async (host: string, { json }: { json?: true }) => {
      const { releaseDomain } = await import('../../model/domains/own-domains.ts');
      await withTools({ json }, async ({ storage, randomBytes }) => {
        if (!(await releaseDomain({ writes: storage, randomBytes }, host)))
          throw new Stop(exits.refused, `No account has proven ${clean(host)}.`);
        if (json) sayJson({ host });
        else note(`The host ${clean(host)} is free: whoever proves it has it.`);
      });
    });
}
