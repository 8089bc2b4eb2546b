import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { Mailer } from '../model/accounts/mail.ts';
import { writeLetter } from './letters.ts';

export interface MailerOptions {
  /** Of the server that takes mail, as SMTP_URL has it. */
  readonly url: string;
  readonly from: string;
  /** Counts a letter of an account. @returns whether it may be sent */
  readonly mayAlso: (accountId: number) => boolean;
  /** Told why a letter was not sent, in words without addresses and secrets. */
  readonly onFailed: (reason: string) => void;
  /** Most that one letter takes, ms. */
  readonly patienceMs?: number;
}

/** Behind which somebody who opened the page still waits. */
const defaultPatienceMs = 10_000;

/**
 * Sends letters by the operator's server. Its address is a setting, which the operator alone writes, so that it is reached without
 * the guard of requests whose addresses users name (`outbound`): it may be on this machine, or in a private network.
 */
export function createMailer(options: MailerOptions): Mailer {
  const { url, from, mayAlso, onFailed, patienceMs = defaultPatienceMs } = options;
  let transport: Promise<Transporter> | undefined;
  return {
    async send(letter, accountId) {
      if (!mayAlso(accountId)) {
        onFailed('too many letters of one account');
        return false;
      }
      try {
        transport ??= open(url, patienceMs);
        const signal = AbortSignal.timeout(patienceMs);
        await (await transport).sendMail({
          from,
          to: { name: '', address: letter.to },
          ...writeLetter(letter),
          signal,
        });
        return true;
      } catch (error) {
        onFailed(reasonOf(error));
        return false;
      }
    },
  };
}

// Few installations need the package, and none in its first moment.
async function open(text: string, patienceMs: number): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isHere = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  return createTransport({
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // Otherwise the caller that is in between reads the links.
    requireTLS: !secure && !isHere && url.searchParams.get('tls') !== '0',
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** What went wrong: answers of servers repeat addresses, so that their words are left out. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, responseCode, command } = error as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  const words = [error.name, code, responseCode, command].filter(
    (word) => typeof word === 'number' || (typeof word === 'string' && /^[\w /-]{1,40}$/.test(word)),
  );
  return words.join(' ');
}
