import { fail, type Setting, setting } from '../../runtime/setting-values.ts';

function smtpUrl(text: string): string {
  const url = URL.parse(text);
  const isSmtp = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  const extra = url?.search ?? '';
  return isSmtp && (extra === '' || extra === '?tls=0') && (url.pathname === '' || url.pathname === '/')
    ? text
    : fail('must be smtp:// or smtps:// with a host, such as smtp://user:password@mail.example.com:587');
}

function sender(text: string): string {
  return /^(?:[^<>\p{Cc}]+ <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/u.test(text)
    ? text
    : fail('must be an address, such as Linkfold <links@example.com>');
}

/** Settings for outgoing mail. */
export const mailSettings = {
  SMTP_URL: setting(
    'SMTP server for invitations and sign-in links: smtp:// (STARTTLS) or smtps://, with user and password. Unset: no email is sent.',
    null,
    smtpUrl,
    { secret: true },
  ),
  MAIL_FROM: setting(
    'Sender of emails, such as Linkfold <links@example.com>. Required with SMTP_URL.',
    null,
    sender,
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** Returns a sentence for each conflict between mail settings. */
export function mailProblems(values: Readonly<Record<string, unknown>>): string[] {
  const [server, from] = [values['SMTP_URL'] != null, values['MAIL_FROM'] != null];
  if (server && !from) return ['SMTP_URL requires MAIL_FROM, the sender address.'];
  return from && !server ? ['MAIL_FROM requires SMTP_URL.'] : [];
}
