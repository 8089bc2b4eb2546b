import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { ListedCertificate } from '../../model/certificates.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addGroup } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { type Column, clean, note, printList, when } from '../terminal/print.ts';
import { addLocalVerb } from '../terminal/resources.ts';

const columns: readonly Column<ListedCertificate>[] = [
  { title: 'HOST', of: ({ host }) => host },
  { title: 'VALID UNTIL', of: (one) => (one.hasCertificate ? when(one.expiresAt) : 'none yet') },
  { title: 'NEXT CHECK', of: ({ dueAt }) => (dueAt === 0 ? 'now' : when(dueAt)) },
  { title: 'PROBLEM', of: ({ problem }) => problem ?? '', cut: true },
];

export function addCertificates(program: Command): void {
  const certificates = addGroup(program, 'certificates', 'Automatic HTTPS certificates (ACME)');

  addLocalVerb(certificates, 'list', {
    about: 'List certificates and pending orders',
    examples: [['linkfold certificates list', 'by host']],
    refused: 'never',
    run: async ({ storage, config }) => {
      const isDecryptable = await decryptorOf(config);
      return Promise.all(
        (await storage.certificates()).map(async (one) => {
          const key = one.hasCertificate ? (await storage.certificate(one.host))?.key : undefined;
          return key == null || isDecryptable(key, one.host) ? one : { ...one, problem: otherSecret };
        }),
      );
    },
    json: (found) => found.map(shown),
    show: (certificates) =>
      printList(
        certificates,
        columns,
        'No certificates ordered yet. A server with HTTPS_PORT and ACME=1 orders them.',
      ),
  });

  addLocalVerb(certificates, 'renew', {
    about: 'Order a new certificate for a host within a minute',
    examples: [['linkfold certificates renew go.example.com', 'after you fix DNS records or a firewall']],
    notes:
      'A running server orders it. Certificate authorities limit the number of certificates per host and week.',
    refused: 'no certificate was ever ordered for the host',
    args: [['<host>', 'as `certificates list` shows it']],
    run: async ({ storage }, [host]: [string]) => {
      if (!(await storage.requestCertificate(host.toLowerCase())))
        throw new Stop(
          exits.refused,
          `No certificate was ever ordered for ${clean(host)}. For a verified domain, the first visit orders one.`,
        );
      return { host };
    },
    show: ({ host }) => note(`A server will order a new certificate for ${clean(host)} within a minute.`),
  });
}

const otherSecret =
  'Could not decrypt the private key of this certificate. Set the SECRET_KEY that encrypted the private key.';

/**
 * Returns a function that checks whether this installation's secret decrypts a private key. It returns true for every
 * key if there is no secret.
 */
async function decryptorOf(config: Config): Promise<(key: Uint8Array, host: string) => boolean> {
  const { encryptionOf, secretFile } = await import('../../app/secret.ts');
  if (config.SECRET_KEY === null && !existsSync(secretFile(config))) return () => true;
  const encryption = encryptionOf(config);
  return (key, host) => encryption.decrypt(key, host) !== undefined;
}

function shown({ host, expiresAt, failures, problem, dueAt }: ListedCertificate) {
  const time = (at: number | null) => (at === null ? null : formatTimestamp(at));
  return { host, validUntil: time(expiresAt), failures, problem, nextTryAt: time(dueAt) };
}
