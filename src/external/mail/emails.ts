import type { Email, MailLanguage } from '../../model/accounts/mail.ts';
import type { Role } from '../../model/accounts/roles.ts';

/** An email as plain text and as HTML with the same content. */
export interface EmailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** An email's strings, in order of appearance. */
interface EmailText {
  readonly subject: string;
  readonly about: string;
  readonly action: string;
  readonly ends: (time: string) => string;
  readonly unexpected: string;
}

const roles: Readonly<Record<MailLanguage, Readonly<Record<Role, string>>>> = {
  en: { owner: 'an owner', admin: 'an admin', editor: 'an editor', viewer: 'a viewer' },
  de: { owner: 'Inhaber', admin: 'Administrator', editor: 'Bearbeiter', viewer: 'Betrachter' },
};

const emailTexts: Readonly<Record<MailLanguage, (email: Email) => EmailText>> = {
  en: ({ account, from, role }) =>
    role === undefined
      ? {
          subject: `Sign in to ${account}`,
          about:
            from === null
              ? `Use this link to sign in to ${account} on Linkfold.`
              : `${from} sent you a link to sign in to ${account} on Linkfold.`,
          action: 'Sign in',
          ends: (time) =>
            `This link works once and expires on ${time}. Do not forward it: anyone who opens it is signed in as you.`,
          unexpected: 'If you did not request this link, you can ignore this email.',
        }
      : {
          subject: `Invitation to ${account}`,
          about:
            from === null
              ? `You are invited to join ${account} on Linkfold as ${roles.en[role]}.`
              : `${from} invited you to join ${account} on Linkfold as ${roles.en[role]}.`,
          action: 'Accept invitation',
          ends: (time) => `This link works once and expires on ${time}. Do not forward it.`,
          unexpected: 'If you did not expect this invitation, you can ignore this email.',
        },
  de: ({ account, from, role }) =>
    role === undefined
      ? {
          subject: `Bei ${account} anmelden`,
          about:
            from === null
              ? `Mit diesem Link melden Sie sich bei ${account} auf Linkfold an.`
              : `${from} hat Ihnen einen Link zum Anmelden bei ${account} auf Linkfold gesendet.`,
          action: 'Anmelden',
          ends: (time) =>
            `Dieser Link funktioniert einmal und läuft am ${time} ab. Leiten Sie ihn nicht weiter: Wer ihn öffnet, ist als Sie angemeldet.`,
          unexpected: 'Wenn Sie diesen Link nicht angefordert haben, können Sie diese E-Mail ignorieren.',
        }
      : {
          subject: `Einladung zu ${account}`,
          about:
            from === null
              ? `Sie wurden eingeladen, ${account} auf Linkfold als ${roles.de[role]} beizutreten.`
              : `${from} hat Sie eingeladen, ${account} auf Linkfold als ${roles.de[role]} beizutreten.`,
          action: 'Einladung annehmen',
          ends: (time) =>
            `Dieser Link funktioniert einmal und läuft am ${time} ab. Leiten Sie ihn nicht weiter.`,
          unexpected: 'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.',
        },
};

const wordJoiner = '\u2060';

/**
 * Inserts invisible characters, so that mail clients do not turn a name into a link. A user chose the name, so it must
 * not link to a site of that user's choice.
 */
function unlinked(name: string): string {
  return name.replace(/[.:/@]/g, (mark) => `${wordJoiner}${mark}${wordJoiner}`);
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
  return text.replace(/[&<>"]/g, (mark) => `&${names[mark]};`);
}

function timeIn(language: MailLanguage, at: number): string {
  const format = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}

/** Returns an email as plain text and HTML, without tracking pixels or external images. */
export function writeEmail(email: Email): EmailContent {
  const { language, url, expiresAt } = email;
  const names = {
    account: unlinked(email.account),
    from: email.from === null ? null : unlinked(email.from),
  };
  const { about, action, ends, unexpected } = emailTexts[language]({ ...email, ...names });
  const until = ends(timeIn(language, expiresAt));
  const text = `${about}\n\n${action}: ${url}\n\n${until}\n\n${unexpected}\n`;
  const soft = 'color:#6b6760;font-size:14px';
  const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"></head>
<body style="margin:0;padding:24px;background:#f4f0eb;color:#1d1b18;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#fdfcfa;border:1px solid #e4dfd8;border-radius:12px">
<p style="margin:0 0 24px">${escaped(about)}</p>
<p style="margin:0 0 24px"><a href="${escaped(url)}" style="display:inline-block;padding:10px 20px;background:#2f6f5e;color:#ffffff;border-radius:8px;text-decoration:none;font-weight:600">${action}</a></p>
<p style="margin:0 0 24px;${soft};overflow-wrap:anywhere">${escaped(url)}</p>
<p style="margin:0 0 8px;${soft}">${escaped(until)}</p>
<p style="margin:0;${soft}">${escaped(unexpected)}</p>
</div>
</body>
</html>
`;
  return { subject: emailTexts[language](email).subject, text, html };
}
