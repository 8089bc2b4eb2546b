import type { Letter, MailLanguage } from '../model/accounts/mail.ts';
import type { Role } from '../model/accounts/roles.ts';

/** A letter as mail: the same words plain and as HTML. */
export interface Written {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The words of a letter, in the order in which they stand. */
interface Words {
  readonly subject: string;
  readonly about: string;
  readonly action: string;
  readonly ends: (time: string) => string;
  readonly unexpected: string;
}

const roles: Readonly<Record<MailLanguage, Readonly<Record<Role, string>>>> = {
  en: { owner: 'owner', admin: 'admin', editor: 'editor', viewer: 'viewer' },
  de: { owner: 'Inhaber', admin: 'Verwalter', editor: 'Redakteur', viewer: 'Leser' },
};

const wordsIn: Readonly<Record<MailLanguage, (letter: Letter) => Words>> = {
  en: ({ account, from, role }) =>
    role === undefined
      ? {
          subject: `Your link to sign in to ${account}`,
          about:
            from === null
              ? `This link signs you in to the short links of ${account}.`
              : `${from} sends you a link that signs you in to the short links of ${account}.`,
          action: 'Sign in',
          ends: (time) => `It works once, until ${time}. Whoever opens it acts as you: pass it on to nobody.`,
          unexpected: 'If you did not ask for it, you need not do anything.',
        }
      : {
          subject: `Invitation to ${account}`,
          about:
            from === null
              ? `You are invited to the short links of ${account}, as ${roles.en[role]}.`
              : `${from} invites you to the short links of ${account}, as ${roles.en[role]}.`,
          action: 'Join',
          ends: (time) => `The address works once, until ${time}. It is meant for you alone.`,
          unexpected: 'If you do not know what this is about, you need not do anything.',
        },
  de: ({ account, from, role }) =>
    role === undefined
      ? {
          subject: `Ihr Link zum Anmelden bei ${account}`,
          about:
            from === null
              ? `Dieser Link meldet Sie bei den Kurzlinks von ${account} an.`
              : `${from} schickt Ihnen einen Link, der Sie bei den Kurzlinks von ${account} anmeldet.`,
          action: 'Anmelden',
          ends: (time) =>
            `Er funktioniert einmal, bis zum ${time}. Wer ihn öffnet, handelt als Sie: Geben Sie ihn niemandem weiter.`,
          unexpected: 'Wenn Sie nicht darum gebeten haben, müssen Sie nichts tun.',
        }
      : {
          subject: `Einladung zu ${account}`,
          about:
            from === null
              ? `Sie sind zu den Kurzlinks von ${account} eingeladen, als ${roles.de[role]}.`
              : `${from} lädt Sie zu den Kurzlinks von ${account} ein, als ${roles.de[role]}.`,
          action: 'Beitreten',
          ends: (time) => `Die Adresse funktioniert einmal, bis zum ${time}. Sie ist nur für Sie bestimmt.`,
          unexpected: 'Wenn Sie nicht wissen, worum es geht, müssen Sie nichts tun.',
        },
};

const wordJoiner = '\u2060';

/** A name in which no program for mail sees an address: whoever chose it is not who runs this server. */
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

/** Writes a letter. It names no picture and no address but its own: nobody is told that it was opened. */
export function writeLetter(letter: Letter): Written {
  const { language, url, expiresAt } = letter;
  const names = {
    account: unlinked(letter.account),
    from: letter.from === null ? null : unlinked(letter.from),
  };
  const { about, action, ends, unexpected } = wordsIn[language]({ ...letter, ...names });
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
  return { subject: wordsIn[language](letter).subject, text, html };
}
