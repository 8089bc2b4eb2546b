import { once } from 'node:events';
import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../../client/client.ts';
import { readAllowed } from '../../external/outbound/allowed.ts';
import { createOutbound } from '../../external/outbound/outbound.ts';
import { runConcurrently, type Verdict, verify } from '../../importers/reading/verify.ts';
import { shortUrlOf } from '../../model/links/codes/codes.ts';
import { csvCell } from '../../runtime/csv.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { count, note, noteJson, plural } from '../terminal/print.ts';
import { createProgress } from '../terminal/progress.ts';
import { addServerCommand, openClient, type RemoteOptions } from '../terminal/remote.ts';

interface VerifyOptions extends RemoteOptions {
  readonly old: string;
  readonly domain?: string;
  readonly sample?: number;
  readonly atOnce: number;
  readonly all?: true;
}

const notes =
  'Each code is requested once, with HEAD and without following redirects, so that the old service counts at most a bot visit. ' +
  'The output is CSV with a line for each code that redirects elsewhere, or not at all, on the old service. Links with ' +
  'rules or passwords, and links that have expired here, are compared by their destination only.';

const columns = ['code', 'verdict', 'status', 'there', 'here', 'reason'] as const;
const maxConcurrent = 32;

/** Adds `import verify`, which compares the previous service's redirects with this server's. */
export function addVerify(group: Command): void {
  addServerCommand(group, 'verify', 'Request each code from the old service and compare the redirects', {
    examples: [
      ['linkfold import verify --old https://s.example.com > different.csv', 'before you switch the domain'],
      ['linkfold import verify --old https://s.example.com --sample 500', 'at most 500 links, spread evenly'],
    ],
    notes,
    refused: 'a code redirects elsewhere on the old service, or not at all',
  })
    .requiredOption('--old <url>', 'base URL of short links on the old service', oldAddress)
    .option(
      '--domain <host>',
      'compare only links on this domain (default: the host of --old, if the account has it)',
    )
    .option('--sample <n>', 'number of links to check, spread evenly over all', atLeastOne)
    .option('--at-once <n>', `concurrent requests, at most ${maxConcurrent}`, fewAtOnce, 4)
    .option('--all', 'print a line for every code, including equal ones')
    .action(verifyAll);
}

function oldAddress(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '')
    throw new InvalidArgumentError('Specify a URL such as https://s.example.com.');
  return url.href.replace(/\/$/, '');
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Specify an integer of at least 1.');
  return Number(text);
}

function fewAtOnce(text: string): number {
  const number = atLeastOne(text);
  if (number > maxConcurrent)
    throw new InvalidArgumentError(`Specify an integer from 1 to ${maxConcurrent}.`);
  return number;
}

async function verifyAll(options: VerifyOptions): Promise<void> {
  const client = await openClient(options);
  const { old, sample, all, json } = options;
  const oldHost = new URL(old).hostname;
  const hosts = (await client.listDomains()).map(({ host }) => host);
  const domain = options.domain ?? (hosts.includes(oldHost) ? oldHost : undefined);
  const { pagination } = await client.listLinks({ limit: 1, page: 1, domain });
  const { total } = pagination;
  const share = Math.min(1, (sample ?? total) / Math.max(1, total));
  // The host that the user named is allowed even if its address is private, because the user can access it from this
  // machine anyway.
  const outbound = createOutbound({ allowed: readAllowed(oldHost), keep: options.atOnce });
  const asking = {
    outbound,
    now: Date.now,
    wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  };
  const found: Record<Verdict, number> = { same: 0, different: 0, missing: 0, 'no-redirect': 0, silent: 0 };
  const progress = createProgress('Checking', { quiet: json === true });
  let [seen, requests] = [0, 0];
  const codes = new Set<string>();
  const chosen = async function* () {
    for await (const link of client.allLinks({ domain })) {
      seen += 1;
      codes.add(link.shortCode);
      if (Math.floor(seen * share) > Math.floor((seen - 1) * share)) yield link;
    }
    for (const shortCode of await refusedCodes(client, domain))
      if (!codes.has(shortCode)) yield { shortCode, destinationUrl: '' };
  };
  await write(`${columns.join(',')}\r\n`);
  try {
    await runConcurrently(chosen(), options.atOnce, async ({ shortCode, destinationUrl }) => {
      const address = shortUrlOf(old, shortCode);
      const { verdict, status, there, reason } = await verify(address, destinationUrl, asking);
      found[verdict] += 1;
      requests += 1;
      if (verdict !== 'same' || all)
        await write(
          `${[shortCode, verdict, status, there, destinationUrl, reason].map((value) => csvCell(value ?? '')).join(',')}\r\n`,
        );
      progress.update(seen, Math.max(seen, total));
    });
  } finally {
    progress.clear();
    outbound.close();
  }
  if (json) noteJson(found);
  const { same, different, missing, silent } = found;
  const sum = `Checked ${plural(requests, 'code')}: ${count(same)} equal, ${count(different)} different, ${count(missing)} missing, ${count(found['no-redirect'])} without redirect, ${count(silent)} without response.`;
  if (requests > same) throw new Stop(exits.refused, sum);
  if (!json) note(sum);
}

/**
 * Returns the codes of links that the last import rejected. They may still redirect at the previous service, but do not
 * redirect here.
 */
async function refusedCodes(client: Client, domain: string | undefined): Promise<string[]> {
  const [last] = await client.listImports();
  if (last === undefined || last.counts.refused === 0) return [];
  const report = await client.exportImportReport(last.id, { format: 'ndjson' });
  const lines: { key: string; code: string | null; outcome: string }[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of report) text += decoder.decode(chunk, { stream: true });
  for (const line of text.split('\n')) if (line !== '') lines.push(JSON.parse(line));
  const isThere = (key: string): boolean =>
    domain === undefined || !/^[^/]+\//.test(key) || key.startsWith(`${domain}/`);
  return lines.flatMap(({ key, code, outcome }) =>
    outcome === 'refused' && code !== null && isThere(key) ? code : [],
  );
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
