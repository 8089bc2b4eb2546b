import { count } from '../texts/format.ts';
import type { en } from './en.ts';

const links = (n: number): string => count(n, 'Link', 'Links');

export const de: typeof en = {
  did: {
    saved: 'Link geändert',
    savedBack: 'Der Link ist, wie er war',
    copied: (link) => `${link} kopiert`,
    deleted: (n) => `${links(n)} in den Papierkorb verschoben`,
    restored: (n) => `${links(n)} wiederhergestellt`,
    archived: (n) => `${links(n)} archiviert`,
    unarchived: (n) => `${links(n)} aus dem Archiv geholt`,
    moved: (n, folder) => `${links(n)} nach ${folder} verschoben`,
    movedBack: (n) => `${links(n)} zurückverschoben`,
    tagged: (n) => `Tags von ${links(n)} geändert`,
    expirySet: (n) => `Ablauf von ${links(n)} geändert`,
    expiryBack: 'Der Ablauf ist, wie er war',
    failed: (n) => `${links(n)} ${n === 1 ? 'konnte' : 'konnten'} nicht geändert werden`,
  },

  errors: {
    unreachable: 'Der Server antwortet nicht. Eingaben bleiben erhalten.',
    stillRedirects: 'Die Links leiten weiter und werden gezählt.',
    codes: {
      INSUFFICIENT_SCOPE: 'Diese Sitzung kann das nicht. Ihrem Schlüssel fehlt das Recht.',
      STORAGE_UNAVAILABLE: 'Der Speicher hat nicht geantwortet (503).',
      OVERLOADED: 'Der Server hat im Moment zu viel zu tun.',
      REVISION_MISMATCH: 'Dieser Link wurde inzwischen geändert. Er steht da, wie er jetzt ist.',
      RATE_LIMIT_EXCEEDED: 'Zu viele Anfragen in dieser Minute.',
      REAUTHENTICATION_REQUIRED: 'Dafür melden Sie sich bitte noch einmal an.',
      OIDC_REFUSED: 'Diese Anmeldung wurde nicht angenommen. Beginnen Sie noch einmal.',
      OIDC_NO_ACCESS:
        'Ihr Anbieter kennt Sie, aber hier hat Sie niemand eingelassen. Bitten Sie um eine Einladung oder die Aufnahme in eine Gruppe.',
      OIDC_ONLY: 'Hier melden sich alle nur bei ihrem Anbieter an.',
      OIDC_UNAVAILABLE: 'Der Anbieter für die Anmeldung antwortet nicht richtig. Versuchen Sie es später.',
      INVALID_API_KEY: 'Dieser Schlüssel ist hier nicht bekannt.',
      EXPIRED_API_KEY: 'Dieser Schlüssel ist abgelaufen.',
      CUSTOM_CODE_TAKEN: 'Dieser Code ist vergeben.',
      CUSTOM_CODE_RESERVED: 'Dieser Code ist reserviert.',
      INVALID_CUSTOM_CODE: 'Diese Zeichen kann ein Code nicht haben, oder nicht zusammen.',
      INVALID_URL: 'Das ist keine Webadresse, die Besucher öffnen können.',
      SELF_REFERENTIAL_URL: 'Diese Adresse führt zu diesem Server zurück.',
      DESTINATION_BLOCKED: 'Dieses Ziel ist hier gesperrt.',
      EXPIRY_IN_PAST: 'Dieser Zeitpunkt liegt in der Vergangenheit.',
      UTM_TEMPLATE_NAME_TAKEN: 'Eine andere Vorlage heißt schon so.',
      TAG_NAME_TAKEN: 'Ein anderer Tag heißt schon so.',
    },
  },

  writes: {
    wait: 'Wartet, bis der Server antwortet.',
    readOnly: 'Diese Sitzung darf nur lesen. Ihrem Schlüssel fehlt das Recht, Links zu schreiben.',
  },
};
