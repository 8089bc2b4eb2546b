import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { Mailer } from '../../model/accounts/mail.ts';
import { writeEmail } from './emails.ts';

export interface MailerOptions {
  /** URL of the SMTP server (SMTP_URL). */
  readonly url: string;
  readonly from: string;
  /** Counts an email against the account's rate limit. @returns true if the email may be sent */
  readonly isAllowed: (accountId: number) => boolean;
  /** Called with the reason why an email was not sent, without addresses or secrets. */
  readonly onFailed: (reason: string) => void;
  /** Timeout in ms for sending an email. */
  readonly patienceMs?: number;
}

/** This timeout is short, because a user is waiting for the page. */
const defaultPatienceMs = 10_000;

/**
 * Creates the mailer, which sends emails through the operator's SMTP server. Only the operator can set the server's
 * address, so the guard for user-provided URLs (`outbound`) does not apply: the server may be on this machine or in a
 * private network.
 */
export function createMailer(options: MailerOptions): Mailer {
  const { url, from, isAllowed, onFailed, patienceMs = defaultPatienceMs } = options;
  let transport: Promise<Transporter> | undefined;
  return {
    async send(email, accountId) {
      if (!isAllowed(accountId)) {
        onFailed('too many emails from one account within a minute');
        return false;
      }
      try {
        transport ??= open(url, patienceMs);
        const signal = AbortSignal.timeout(patienceMs);
        await (await transport).sendMail({
          from,
          to: { name: '', address: email.to },
          ...writeEmail(email),
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

// nodemailer is loaded on demand, because few installations need it, and none needs it at startup.
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
    // Without TLS, anyone on the network path could read the links in the emails.
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

/** Returns the reason for a failure, without the server's message, which may repeat addresses. */
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
