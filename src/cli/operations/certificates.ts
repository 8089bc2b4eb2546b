import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { ListedCertificate } from '../../model/certificates.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { type Column, clean, note, sayJson, sayTable, when } from '../terminal/print.ts';

interface JsonOption {
  readonly json?: true;
}

const columns: readonly Column<ListedCertificate>[] = [
  { title: 'HOST', of: ({ host }) => host },
  { title: 'VALID UNTIL', of: ({ hasOne, expiresAt }) => (hasOne ? when(expiresAt) : 'none yet') },
  { title: 'NEXT LOOK', of: ({ dueAt }) => (dueAt === 0 ? 'now' : when(dueAt)) },
  { title: 'PROBLEM', of: ({ problem }) => problem ?? '', cut: true },
];

/** Adds the commands for certificates that servers get by themselves. */
export function addCertificates(program: Command): void {
  const group = addGroup(program, 'certificates', 'Certificates that servers get by themselves (ACME)');
  addList(group);
  addRenew(group);
}

function addList(group: Command): void {
  addCommand(group, 'list', 'List hosts with their certificates, what waits, and why', {
    reaches: 'database',
    examples: [['linkfold certificates list', 'by host']],
    refused: 'never',
  })
    .option(...jsonOption)
    .action(({ json }: JsonOption) =>
      withTools({ json }, async ({ storage }, config) => {
        const isDecryptable = await decryptorOf(config);
        const found = await Promise.all(
          (await storage.certificates()).map(async (one) => {
            const key = one.hasOne ? (await storage.certificate(one.host))?.key : undefined;
            return key == null || isDecryptable(key, one.host) ? one : { ...one, problem: otherSecret };
          }),
        );
        if (json) return sayJson(found.map(shown));
        if (found.length === 0)
          return note('No certificate was ordered yet. Servers do so with HTTPS_PORT and ACME=1.');
        sayTable(found, columns);
      }),
    );
}

const otherSecret = 'Its private key cannot be decrypted: SECRET_KEY is not the one that encrypted it.';

/** @returns whether this installation's secret decrypts a key; true for every key where there is no secret */
async function decryptorOf(config: Config): Promise<(key: Uint8Array, host: string) => boolean> {
  const { sealOf, secretFile } = await import('../../app/secret.ts');
  if (config.SECRET_KEY === null && !existsSync(secretFile(config))) return () => true;
  const seal = sealOf(config);
  return (key, host) => seal.open(key, host) !== undefined;
}

function shown({ host, expiresAt, failures, problem, dueAt }: ListedCertificate) {
  const time = (at: number | null) => (at === null ? null : formatTimestamp(at));
  return { host, validUntil: time(expiresAt), failures, problem, nextTryAt: time(dueAt) };
}

function addRenew(group: Command): void {
  addCommand(group, 'renew', 'Have another certificate ordered within a minute, whatever there is', {
    reaches: 'database',
    examples: [
      ['linkfold certificates renew go.example.com', 'after its records or a firewall were put right'],
    ],
    notes: 'A server orders it. Authorities allow few certificates for a host in a week.',
    refused: 'no certificate was ever ordered for the host',
  })
    .argument('<host>', 'as `certificates list` shows it')
    .option(...jsonOption)
    .action((host: string, { json }: JsonOption) =>
      withTools({ json }, async ({ storage }) => {
        if (!(await storage.askForCertificate(host.toLowerCase())))
          throw new Stop(
            exits.refused,
            `No certificate was ever ordered for ${clean(host)}. For a domain that is proven that happens at the first visit.`,
          );
        if (json) sayJson({ host });
        else note(`A server orders another certificate for ${clean(host)} within a minute.`);
      }),
    );
}
